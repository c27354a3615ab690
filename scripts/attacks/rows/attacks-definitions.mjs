import { core, mcp, server, onServer, onMcp, fromUpstream } from "../places.mjs";

/** Attacks on tool systems in general, S1 to S13: definitions, results, identities. */
export const rows = [
  {
    id: "S1",
    attack: "a tool's description tells the model to do something else",
    test: "packages/core/test/scan/scan.test.ts",
    name: "S1, S2: finds poison at",
    breaks: [
      {
        file: `${core}/src/scan/scan.ts`,
        find: "if (isBuiltIn && (isShortName(text) || isShortValue(text))) return;",
        replace: "if (isBuiltIn) return;",
      },
    ],
  },
  {
    id: "S2",
    attack: "such text stands in any other field of a definition",
    test: fromUpstream,
    name: "S2, S3:",
    breaks: [
      {
        file: `${mcp}/src/upstream/tools/definitions.ts`,
        find: "fingerprint({ identity, definition })",
        replace: "fingerprint({ identity, definition: { name, description: definition.description } })",
      },
    ],
    note: "The fingerprint that approvals are bound to covers every field.",
  },
  {
    id: "S3",
    attack: "a definition changes after it was approved",
    test: fromUpstream,
    name: "S2, S3:",
    breaks: [{ file: `${mcp}/src/upstream/tools/definitions.ts`, find: "approved[name] === print", replace: "true" }],
  },
  {
    id: "S4",
    attack: "an approved tool comes back under another name, or from another server",
    test: fromUpstream,
    name: "S4:",
    breaks: [
      {
        file: `${mcp}/src/upstream/tools/definitions.ts`,
        find: "fingerprint({ identity, definition })",
        replace: "fingerprint({ definition })",
      },
    ],
  },
  {
    id: "S4",
    attack: "an approved tool comes back under another name, or from another server",
    test: fromUpstream,
    name: "S4:",
    breaks: [
      {
        file: `${mcp}/src/upstream/tools/definitions.ts`,
        find: "!(Object.hasOwn(approved, name) && approved[name] === print)",
        replace: "Object.hasOwn(approved, name) && approved[name] !== print",
      },
    ],
  },
  {
    id: "S5",
    attack: "a server takes the name of another server's tool, or of a built-in one",
    test: fromUpstream,
    name: "S5:",
    breaks: [
      { file: `${mcp}/src/upstream/tools/names.ts`, find: "const plain = `${server}${separator}${tool}`;", replace: "const plain = tool;" },
    ],
  },
  {
    id: "S5",
    attack: "a server lists one name twice",
    test: fromUpstream,
    name: "S5:",
    breaks: [{ file: `${mcp}/src/upstream/tools/definitions.ts`, find: "if (names.has(tool.name))", replace: "if (false)" }],
  },
  {
    id: "S5",
    attack: "a name that looks like another one",
    test: `${core}/test/lint/sets.test.ts`,
    name: "S5:",
    breaks: [{ file: `${core}/src/util/look-alikes.ts`, find: "twins.get(letter) ?? letter", replace: "letter" }],
  },
  {
    id: "S6",
    attack: "a result steers the terminal that shows it",
    test: "packages/cli/test/print/safe.test.ts",
    name: "S6:",
    breaks: [
      { file: "packages/cli/src/print/safe.ts", find: 'stripVTControlCharacters(String(text ?? ""))', replace: 'String(text ?? "")' },
    ],
    note: "Marking results as untrusted, and asking before data of one leaves through another tool, are not built yet.",
  },
  {
    id: "S7",
    attack: "a tool begins to answer otherwise than its definition says",
    test: fromUpstream,
    name: "S7:",
    breaks: [{ file: `${core}/src/call/steps/check-result.ts`, find: 'host.outputValidation !== "off"', replace: "false" }],
  },
  {
    id: "S8",
    attack: "an OAuth proxy is made to act for somebody else",
    test: onServer,
    name: "S8:",
    breaks: [
      {
        file: `${server}/src/http/reply/respond.ts`,
        find: '"x-content-type-options": "nosniff",',
        replace: '"x-content-type-options": "nosniff", "set-cookie": "consent=yes",',
      },
    ],
    note: "There is no OAuth proxy to confuse. The test holds that no route sets a cookie or redirects.",
  },
  {
    id: "S9",
    attack: "the caller's token is passed on",
    test: onServer,
    name: "S9:",
    breaks: [
      {
        file: `${server}/src/http/request/handle.ts`,
        find: "principal: identity?.principal });",
        replace: 'principal: request.header("authorization") });',
      },
      { file: `${server}/src/telemetry/log/redact.ts`, find: 'text.replaceAll(apiKey, "trk_[redacted]")', replace: "text" },
    ],
  },
  {
    id: "S9",
    attack: "a server echoes the credentials that it was given",
    test: fromUpstream,
    name: "S9: a server's credentials",
    breaks: [
      {
        file: `${mcp}/src/upstream/credentials/scrub.ts`,
        find: "export function createScrubber(secrets: readonly string[]): Scrubber {",
        replace:
          "export function createScrubber(secrets: readonly string[]): Scrubber {\n  if (secrets.length > 0) return { text: String, value: (same: unknown) => same, error: (same: unknown) => same, learn() {} } as unknown as Scrubber;",
      },
    ],
  },
  {
    id: "S28",
    attack: "an error of a server is cut in the middle of a credential, and most of it reaches the model",
    test: `${mcp}/test/upstream/credentials/scrub.test.ts`,
    name: "S28: an error that is cut",
    breaks: [
      {
        file: `${mcp}/src/upstream/calls/call.ts`,
        find: "toUpstreamError(server, used.scrub.error(thrown))",
        replace: "used.scrub.error(toUpstreamError(server, thrown))",
      },
    ],
  },
  {
    id: "S28",
    attack: "a handler writes a secret of four characters into its result",
    test: "packages/core/test/call/secret-forms.test.ts",
    name: "S28: a secret of the handler",
    breaks: [
      {
        file: "packages/core/src/call/context.ts",
        find: "noteSecret(value: string): void {\n",
        replace: "noteSecret(value: string): void {\n    if (value.length < 6) return;\n",
      },
    ],
  },
  {
    id: "S9",
    attack: "what is known of a caller is told to a server",
    test: fromUpstream,
    name: "S9: nothing of the caller",
    breaks: [
      {
        file: `${mcp}/src/upstream/calls/call.ts`,
        find: "{ name: target.name, arguments: input, ...answers, ",
        replace: "{ name: target.name, arguments: { ...input, caller: context.caller }, ...answers, ",
      },
    ],
  },
  {
    id: "S10",
    attack: "one user's request runs with another's rights",
    test: onServer,
    name: "S10, S11:",
    breaks: [
      {
        file: `${server}/src/http/sign-in/identify.ts`,
        find: "found = services.signIn(request);",
        replace: "found = (globalThis as { first?: Identity | Promise<Identity> }).first ??= services.signIn(request);",
      },
    ],
  },
  {
    id: "S10",
    attack: "whoever is not signed in is taken for somebody",
    test: onMcp,
    name: "S10 cross-user",
    breaks: [
      {
        file: `${mcp}/src/serve/http/listen-http.ts`,
        find: "if (caller === undefined) response.writeHead(401).end();",
        replace: "if (caller === undefined) answer(request, response, { sender: 'somebody' });",
      },
    ],
  },
  {
    id: "S10",
    attack: "a credential goes to a server that it was not meant for",
    test: fromUpstream,
    name: "S10:",
    breaks: [
      {
        file: `${mcp}/src/upstream/http/guarded-fetch.ts`,
        find: "Object.entries(options.headers)) headers.set(name, value);",
        replace:
          "Object.entries(((globalThis as { sent?: Readonly<Record<string, string>> }).sent ??= options.headers))) headers.set(name, value);",
      },
    ],
  },
  {
    id: "S11",
    attack: "an answer reaches another client",
    test: onMcp,
    name: "S11 cross-client",
    breaks: [
      {
        file: `${mcp}/src/serve/http/modern-handler.ts`,
        find: '    era: "modern",\n    message,',
        replace: '    era: "modern",\n    message: ((globalThis as { first?: RequestMessage }).first ??= message),',
      },
    ],
  },
  {
    id: "S12",
    attack: "somebody reads or ends another's call",
    test: onServer,
    name: "S12:",
    breaks: [
      {
        file: `${server}/src/api/calls.ts`,
        find: "call === undefined || !maySee(identity, call.caller)",
        replace: "call === undefined",
      },
    ],
  },
  {
    id: "S12",
    attack: "the id of a call is guessed",
    test: onServer,
    name: "S12:",
    breaks: [{ file: `${server}/src/rack/calls/call-id.ts`, find: "const randomLength = 24;", replace: "const randomLength = 8;" }],
  },
  {
    id: "S12",
    attack: "somebody reads, changes or ends another's task",
    test: onMcp,
    name: "answers for a task to its owner alone",
    breaks: [{ file: `${mcp}/src/serve/tasks/task-methods.ts`, find: "task.owner !== exchange.principal", replace: "false" }],
  },
  {
    id: "S12",
    attack: "somebody reads the rest of another's result",
    test: onMcp,
    name: "gives a page of a long result",
    breaks: [{ file: `${mcp}/src/serve/long-results/result-handles.ts`, find: "found.principal !== principal", replace: "false" }],
  },
  {
    id: "S12",
    attack: "a session is stolen",
    test: onMcp,
    name: "refuses a session of somebody else",
    breaks: [{ file: `${mcp}/src/serve/http/sessions/sessions.ts`, find: "session.principal !== principal", replace: "false" }],
  },
  {
    id: "S13",
    attack: "a request state is changed on the way",
    test: onMcp,
    name: "are refused with any bit changed",
    breaks: [
      { file: `${mcp}/src/serve/signer.ts`, find: "!timingSafeEqual(given, expected)", replace: "false" },
      {
        file: `${mcp}/src/serve/signer.ts`,
        find: 'expected.toString("base64url") === sealed.slice(dot + 1)',
        replace: "expected.length > 0",
      },
    ],
  },
  {
    id: "S13",
    attack: "a request state is used for another request",
    test: onMcp,
    name: "are refused for another principal",
    breaks: [
      { file: `${mcp}/src/serve/questions/request-state.ts`, find: "if (state.subject !== digest(subject))", replace: "if (false)" },
    ],
  },
  {
    id: "S13",
    attack: "a request state is used after its time",
    test: onMcp,
    name: "are refused for another principal",
    breaks: [{ file: `${mcp}/src/serve/questions/request-state.ts`, find: "if (state.expiresAt <= Date.now())", replace: "if (false)" }],
  },
  {
    id: "S13",
    attack: "a request state is used twice",
    test: onMcp,
    name: "let exactly one of many uses",
    breaks: [
      {
        file: `${mcp}/src/serve/questions/request-state.ts`,
        find: "if (!(await ledger.claim(state.id, state.expiresAt)))",
        replace: "if (false)",
      },
    ],
  },
];
