/** Each row: an attack, the test that shows the defence, and a change of the code that removes the defence and must make that test fail. */
export const rows = [
  {
    id: "SD15",
    attack: "an MCP message with a key twice, a rounded number or bytes that are not UTF-8 is read differently than over HTTP",
    test: "packages/server/test/http/request/one-reader.test.ts",
    name: "MCP over HTTP",
    breaks: [
      {
        file: "packages/mcp/src/wire/message.ts",
        find: 'return readJson(typeof source === "string" ? source : readUtf8(source, "The message"), maxDepth, "The message", maxValues);',
        replace: 'return JSON.parse(typeof source === "string" ? source : Buffer.from(source).toString("utf8")) as unknown;',
      },
    ],
  },
  {
    id: "SD15",
    attack: "bytes that are not UTF-8 become other text on the way in",
    test: "packages/server/test/http/request/one-reader.test.ts",
    name: "MCP over stdio",
    breaks: [{ file: "packages/core/src/util/strict-json.ts", find: "{ fatal: true }", replace: "{ fatal: false }" }],
  },
  {
    id: "SD15",
    attack: "a query brings bytes that are not UTF-8",
    test: "packages/server/test/http/request/one-reader.test.ts",
    name: "a query that holds JSON",
    breaks: [{ file: "packages/server/src/http/request/input.ts", find: "  demandUtf8(text);\n", replace: "" }],
  },
  {
    id: "SD15",
    attack: "an MCP server answers with a key twice, and two readers see two results",
    test: "packages/mcp/test/wire/single-reading.test.ts",
    name: "SD15: an answer of a server",
    breaks: [
      {
        file: "packages/mcp/src/wire/single-reading.ts",
        find: "    const { id = sentId, result } = readLoosely(bytes);",
        replace: "    if (bytes.length > 0) return undefined;\n    const { id = sentId, result } = readLoosely(bytes);",
      },
    ],
  },
  {
    id: "SD15",
    attack: "an MCP server ends the lines of its stream in different ways, and what checks its answers sees other events than the client",
    test: "packages/mcp/test/wire/single-reading.test.ts",
    name: "is found as a client finds it",
    breaks: [
      {
        file: "packages/mcp/src/upstream/http/limit-body.ts",
        find: "const value = toLines(chunk);",
        replace: "const value = toLines(chunk).length === 0 ? chunk : chunk;",
      },
    ],
  },
  {
    id: "SD16",
    attack: "a tool that a source has for one principal, session or run is listed and callable for another",
    test: "packages/core/test/registry/caller-facts.test.ts",
    name: "SD16: is neither listed nor callable",
    breaks: [
      {
        file: "packages/core/src/registry/permission.ts",
        find: "return memory.ofCaller(policy ?? noPolicy, caller, () => {",
        replace: "return memory.shared(policy ?? noPolicy, caller, () => {",
      },
    ],
  },
  {
    id: "SD16",
    attack: "an MCP client is shown the list of another principal",
    test: "packages/mcp/test/serve/lists/tool-lists.test.ts",
    name: "SD16:",
    breaks: [
      {
        file: "packages/mcp/src/serve/lists/tool-lists.ts",
        find: "const kept = byTools[scope].get(tools);",
        replace: "const kept = [...bySignature.values()][0];",
      },
    ],
  },
  {
    id: "SD18",
    attack: "of several tokens with a new signing key that come at once, all but one are refused",
    test: "packages/server/test/http/sign-in/tokens.test.ts",
    name: "SD18: tokens with a new key that come at once",
    breaks: [
      {
        file: "packages/server/src/http/sign-in/key-set.ts",
        find: "return (reading ??= attempt().finally(() => (reading = undefined)));",
        replace: "return attempt();",
      },
    ],
  },
  {
    id: "SD18",
    attack: "tokens with made-up keys make the server fetch the issuer's keys again and again",
    test: "packages/server/test/http/sign-in/tokens.test.ts",
    name: "SD18: tokens with made-up keys",
    breaks: [
      {
        file: "packages/server/src/http/sign-in/key-set.ts",
        find: "if (error instanceof errors.JWKSNoMatchingKey) restsUntil = now() + restMs;",
        replace: "",
      },
    ],
  },
  {
    id: "SD19",
    attack: "a token is signed with a key that its issuer has withdrawn",
    test: "packages/server/test/http/sign-in/tokens.test.ts",
    name: "SD19: a withdrawn key",
    breaks: [
      {
        file: "packages/server/src/http/sign-in/key-set.ts",
        find: "if (now() - readAt >= maxAgeMs && !rests()) await readAgain();",
        replace: "",
      },
    ],
  },
  {
    id: "SD19",
    attack: "old keys hold for ever while the issuer cannot be reached",
    test: "packages/server/test/http/sign-in/tokens.test.ts",
    name: "SD19: while the issuer is away",
    breaks: [
      {
        file: "packages/server/src/http/sign-in/key-set.ts",
        find: 'if (now() - readAt >= Math.max(maxAgeMs, keysHoldMs)) throw new errors.JWKSTimeout("The keys are too old.");',
        replace: "",
      },
    ],
  },
  {
    id: "SD20",
    attack: "an ID token, a refresh token or a logout token is used as an access token",
    test: "packages/server/test/http/sign-in/tokens.test.ts",
    name: "SD20: the kind of a token",
    breaks: [
      {
        file: "packages/server/src/http/sign-in/tokens.ts",
        find: "if (!isAccessToken(protectedHeader, payload, requireType))",
        replace: "if (false)",
      },
    ],
  },
  {
    id: "SD21",
    attack: "a token whose subject is the name of a key reads and changes that key's records",
    test: "packages/server/test/http/sign-in/principals.test.ts",
    name: "a token that is named like a key",
    breaks: [{ file: "packages/server/src/rack/access/store-agent.ts", find: "?.[1] ?? principal;", replace: "?.[1] ?? agent;" }],
  },
  {
    id: "SD21",
    attack: "a token whose subject is the name of a key sees that key's calls",
    test: "packages/server/test/http/sign-in/principals.test.ts",
    name: "calls in the log, in the usage and on the stream",
    breaks: [
      {
        file: "packages/server/src/api/shared/callers.ts",
        find: "if (caller.principal !== undefined) return caller.principal === identity.principal;",
        replace: "if (caller.principal !== undefined) return caller.agent === identity.agent;",
      },
    ],
  },
  {
    id: "SD21",
    attack: "a token whose subject is the name of a key is given the answer that is kept for that key's call",
    test: "packages/server/test/http/sign-in/principals.test.ts",
    name: "an answer that is kept for an Idempotency-Key",
    breaks: [
      {
        file: "packages/server/src/rack/calls/idempotency.ts",
        find: "JSON.stringify([tenant, principal, agent, sender, tool, key])",
        replace: "JSON.stringify([tenant, agent, sender, tool, key])",
      },
      {
        file: "packages/server/src/rack/calls/idempotency.ts",
        find: "caller: JSON.stringify([tenant, principal, agent, sender]),",
        replace: "caller: JSON.stringify([tenant, agent, sender]),",
      },
    ],
  },
  {
    id: "SD21",
    attack: "a token names itself local, owner, anonymous or server",
    test: "packages/server/test/http/sign-in/tokens.test.ts",
    name: "SD21: the reserved agent",
    breaks: [
      {
        file: "packages/server/src/http/sign-in/tokens.ts",
        find: "if (isReservedAgent(agent)) return refuse",
        replace: "if (false) return refuse",
      },
    ],
  },
  {
    id: "SD22",
    attack: "a subject such as auth0|5f7c is locked out of the records",
    test: "packages/server/test/http/sign-in/principals.test.ts",
    name: "SD22: every printable subject",
    breaks: [
      {
        file: "packages/store/src/record/read-draft.ts",
        find: "agent.length <= maxAgentLength && agentPattern.test(agent)",
        replace: "namePattern.test(agent)",
      },
    ],
  },
  {
    id: "SD22",
    attack: "a subject with line ends or characters that turn text round forges what logs and people see",
    test: "packages/server/test/http/sign-in/tokens.test.ts",
    name: "SD22: a subject that is not printable",
    breaks: [
      {
        file: "packages/server/src/http/sign-in/tokens.ts",
        find: "text.length <= 255 && printable.test(text)",
        replace: "text.length > 0",
      },
    ],
  },
  {
    id: "SD23",
    attack: "behind a proxy that ends TLS, clients are sent to http:// or to a host that a header names",
    test: "packages/server/test/http/guard/own-address.test.ts",
    name: "SD23: behind TLS",
    breaks: [
      {
        file: "packages/server/src/http/mcp/mount.ts",
        find: "const resource = `${publicOrigin ?? request.origin}${path}`;",
        replace: "const resource = `${request.origin}${path}`;",
      },
    ],
  },
  {
    id: "SD24",
    attack: "the 401 of one MCP endpoint leads to the description of another",
    test: "packages/server/test/http/guard/own-address.test.ts",
    name: "SD24: each 401",
    breaks: [
      {
        file: "packages/server/src/http/mcp/mount.ts",
        find: "`${publicOrigin ?? request.origin}${metadataPath(path)}`",
        replace: '`${publicOrigin ?? request.origin}${metadataPath("")}`',
      },
    ],
  },
  {
    id: "SD25",
    attack: "an MCP server repeats the access token that it was sent, and a model reads it",
    test: "packages/mcp/test/upstream/credentials/run-time-credentials.test.ts",
    name: "SD25: tokens that are got at run time",
    breaks: [{ file: "packages/mcp/src/upstream/connection/client.ts", find: ", onCredentials: scrub.learn", replace: "" }],
  },
  {
    id: "SD25",
    attack: "an MCP server repeats a credential in its list of tools",
    test: "packages/mcp/test/upstream/credentials/run-time-credentials.test.ts",
    name: "SD25: tokens that are got at run time",
    breaks: [
      {
        file: "packages/mcp/src/upstream/connection/client.ts",
        find: "items: scrub.value(items) as readonly unknown[]",
        replace: "items: items as readonly unknown[]",
      },
    ],
  },
  {
    id: "SD26",
    attack: "a client that only opens URLs is sent a form, which it must not be",
    test: "packages/mcp/test/serve/questions/approvals.test.ts",
    name: "SD26: is not sent a form",
    failsWith: "does not support form-mode elicitation",
    breaks: [
      {
        file: "packages/mcp/src/serve/client/inputs.ts",
        find: 'isObject(declared["form"]) || declared["url"] === undefined',
        replace: "true",
      },
    ],
  },
  {
    id: "SD26",
    attack: "the session of an older client forgets that it only opens URLs",
    test: "packages/mcp/test/serve/questions/approvals.test.ts",
    name: "SD26: leaves the question",
    breaks: [
      { file: "packages/mcp/src/serve/http/sessions/sessions.ts", find: "elicitation: { form: {}, url: {} }", replace: "elicitation: {}" },
    ],
  },
  {
    id: "SD21",
    attack: "a token names an agent with spaces around it or two in a row",
    test: "packages/server/test/http/sign-in/sign-in.test.ts",
    name: "SD21: refuses agents with spaces",
    breaks: [
      {
        file: "packages/server/src/http/sign-in/tokens.ts",
        find: "if (hasOddSpaces(agent)) return refuse",
        replace: "if (false) return refuse",
      },
    ],
  },
  {
    id: "SD21",
    attack: "a token names an agent or a subject that looks like another one",
    test: "packages/server/test/http/sign-in/sign-in.test.ts",
    name: "SD21: refuses agents and subjects that could pass",
    breaks: [
      {
        file: "packages/server/src/http/sign-in/sign-in.ts",
        find: "if (nameFault(found.agent) !== undefined) throw refused;",
        replace: "",
      },
    ],
  },
  {
    id: "SD21",
    attack: "a configuration lists an agent whose name looks like another one",
    test: "packages/server/test/config/read.test.ts",
    name: "SD21: is refused where an agent's name",
    breaks: [{ file: "packages/server/src/config/read.ts", find: "    ...agentFaults(config),\n", replace: "" }],
  },
  {
    id: "SD21",
    attack: "a token names a listed agent in another spelling",
    test: "packages/server/test/http/sign-in/sign-in.test.ts",
    name: "SD21: refuses agents with spaces",
    breaks: [{ file: "packages/server/src/http/sign-in/sign-in.ts", find: " || isMisspelt(found.agent)", replace: "" }],
  },
  {
    id: "SD21",
    attack: "the roles of a token make an owner",
    test: "packages/server/test/http/sign-in/sign-in.test.ts",
    name: "M3: makes nobody the owner",
    breaks: [
      {
        file: "packages/server/src/http/sign-in/identity.ts",
        find: 'found.roles.filter((role) => role !== "owner")',
        replace: "found.roles",
      },
    ],
  },
  {
    id: "SD17",
    attack: "a Host header begins with a name of this machine and ends with another",
    test: "packages/server/test/http/guard/guard.test.ts",
    name: "SD17: refuses the host",
    breaks: [
      {
        file: "packages/core/src/util/request-guard.ts",
        find: "(?::(\\d{0,5}))?$/.exec(host)",
        replace: "(?::(.*))?$/.exec(host)",
      },
    ],
  },
];
