/** Each row: an attack, the test that shows the defence, and a change of the code that removes the defence and must make that test fail. */
export const rows = [
  {
    id: "SD10",
    attack: "a program on the same machine is taken for the owner without showing anything",
    test: "packages/server/test/http/sign-in/sign-in.test.ts",
    name: "SD10: whoever sends nothing is the agent anonymous",
    breaks: [{ file: "packages/server/src/http/sign-in/sign-in.ts", find: "    return anonymous;\n", replace: "    return owner;\n" }],
  },
  {
    id: "SD10",
    attack: "a wrong owner token is accepted",
    test: "packages/server/test/http/sign-in/sign-in.test.ts",
    name: "SD10: the owner is whoever has the token",
    breaks: [
      { file: "packages/server/src/http/sign-in/sign-in.ts", find: "!rack.ownerToken.matches(secret)", replace: "secret === undefined" },
    ],
  },
  {
    id: "SD10",
    attack: "a stolen owner token is used from another machine",
    test: "packages/server/test/http/sign-in/sign-in.test.ts",
    name: "SD10: nobody is let in who comes from elsewhere",
    breaks: [
      { file: "packages/server/src/http/sign-in/sign-in.ts", find: "if (!(await isFromHere(request))) throw ownerElsewhere;", replace: "" },
    ],
  },
  {
    id: "SD10",
    attack: "a visitor behind a proxy on the same machine is taken for one of this machine",
    test: "packages/server/test/http/sign-in/sign-in.test.ts",
    name: "came through a proxy",
    breaks: [{ file: "packages/server/src/http/sign-in/sign-in.ts", find: "!request.headerNames().some(isProxyHeader)", replace: "true" }],
  },
  {
    id: "SD10",
    attack: "a proxy sends a header that is not in the list of those that are looked at",
    test: "packages/server/test/http/sign-in/sign-in.test.ts",
    name: "CF-Connecting-IP",
    breaks: [
      { file: "packages/server/src/http/guard/proxy-headers.ts", find: '["client-ip", "clientip", "connecting-ip"]', replace: "[]" },
      { file: "packages/server/src/http/guard/proxy-headers.ts", find: '"x-envoy-", "cf-", "x-arr-"', replace: '"x-envoy-", "x-arr-"' },
    ],
  },
  {
    id: "SD10",
    attack: "revoking the last key opens the server again",
    test: "packages/server/test/http/sign-in/sign-in.test.ts",
    name: "SD10: no credential means nobody once there was a key",
    breaks: [{ file: "packages/server/src/http/sign-in/sign-in.ts", find: "rack.keys.wereMade()", replace: "rack.keys.exist()" }],
  },
  {
    id: "SD10",
    attack: "a server that requires signing in lets in whoever sends nothing",
    test: "packages/server/test/http/sign-in/sign-in.test.ts",
    name: "SD10: where signing in is required",
    breaks: [{ file: "packages/server/src/http/sign-in/sign-in.ts", find: "isExposed || requireSignIn ||", replace: "isExposed ||" }],
  },
  {
    id: "SD10",
    attack: "a key or a token takes the name of the owner or of the anonymous visitor",
    test: "packages/server/test/http/sign-in/sign-in.test.ts",
    name: "SD10: no key and no token can be for the agent",
    breaks: [
      {
        file: "packages/server/src/rack/access/reserved-agents.ts",
        find: "reserved.has(toAgentKey(agent))",
        replace: "agent === undefined",
      },
    ],
  },
  {
    id: "SD10",
    attack: "the code of a link to the console is used twice",
    test: "packages/server/test/http/sign-in/sign-in.test.ts",
    name: "SD10: is signed in to with a code that is good once",
    breaks: [{ file: "packages/server/src/http/sign-in/owner-sessions.ts", find: "      codes.delete(hash);\n", replace: "" }],
  },
  {
    id: "SD10",
    attack: "a key with the role owner makes itself a session of the owner",
    test: "packages/server/test/http/sign-in/sign-in.test.ts",
    name: "SD10: no key makes a code",
    breaks: [
      {
        file: "packages/server/src/api/sign-in.ts",
        find: 'identity.via !== "owner")\n      throw new Problem(403, "ROLE_MISSING", "A code',
        replace: 'identity === undefined)\n      throw new Problem(403, "ROLE_MISSING", "A code',
      },
    ],
  },
  {
    id: "SD10",
    attack: "a session of an agent is used from another machine",
    test: "packages/server/test/http/sign-in/agent-sessions.test.ts",
    name: "SD10: work from this machine only, until they are ended",
    breaks: [
      {
        file: "packages/server/src/http/sign-in/sign-in.ts",
        find: "(await isFromHere(request)) ? agentSessions.find(secret) : undefined",
        replace: "agentSessions.find(secret)",
      },
    ],
  },
  {
    id: "SD10",
    attack: "a client is made the owner: a session for a name of the server",
    test: "packages/server/test/http/sign-in/agent-sessions.test.ts",
    name: "SD10: are opened for no name of the server, for no agent that is not listed, and by nobody but the owner",
    breaks: [
      {
        file: "packages/server/src/rack/access/agent-fault.ts",
        find: "if (isReservedAgent(agent)) {",
        replace: "if (agent === undefined) {",
      },
    ],
  },
  {
    id: "SD10",
    attack: "the program of an anonymous visitor answers the question about its own call",
    test: "packages/server/test/rack/mcp/clients.test.ts",
    name: "SD10: of whoever did not sign in",
    waits: true,
    breaks: [{ file: "packages/server/src/rack/approvals/choose-approver.ts", find: ' && principal !== "anonymous"', replace: "" }],
  },
  {
    id: "SD10",
    attack: "another program takes the port of a server that ended, and is sent the owner's token",
    test: "packages/cli/test/own-server.test.ts",
    name: "SD10: opens the project, and tells the token to nobody",
    breaks: [{ file: "packages/cli/src/connection/own-servers.ts", find: "&& isProofOf(secret, challenge, proof)", replace: "" }],
  },
  {
    id: "SD10",
    attack: "a stream that was opened without a sign-in goes on after the first key was created",
    test: "packages/server/test/http/sign-in/sign-in.test.ts",
    name: "SD10: what is open without a sign-in ends with the first key",
    waits: true,
    breaks: [
      {
        file: "packages/server/src/http/sign-in/sign-in.ts",
        find: "const anonymous = anonymousOf(rack, noCredential);",
        replace: "const anonymous = anonymousOf(rack);",
      },
    ],
  },
  {
    id: "SD10",
    attack: "a job that was made without a sign-in runs after the first key was created",
    test: "packages/server/test/rack/jobs/present-caller.test.ts",
    name: "SD10: has none without a sign-in, once there was a key",
    breaks: [
      {
        file: "packages/server/src/rack/jobs/present-caller.ts",
        find: 'if (principal === "anonymous" && keys.wereMade())',
        replace: 'if (principal === "" && keys.wereMade())',
      },
    ],
  },
  {
    id: "SD13",
    attack: "an event stream goes on after its key was revoked",
    test: "packages/server/test/http/sign-in/revoked.test.ts",
    name: "SD13: ends the event streams",
    waits: true,
    breaks: [
      {
        file: "packages/server/src/http/sign-in/sign-in.ts",
        find: "credentials.get(id)?.end(",
        replace: "void (",
      },
    ],
  },
  {
    id: "SD13",
    attack: "a call that runs, and its handler, go on after the key was revoked",
    test: "packages/server/test/http/sign-in/revoked.test.ts",
    name: "SD13: ends calls that run",
    waits: true,
    breaks: [
      {
        file: "packages/server/src/http/request/open-request.ts",
        find: "this.#credentialSlot = this.identity.credential.add(this);",
        replace: "this.#credentialSlot = -1;",
      },
    ],
  },
  {
    id: "SD13",
    attack: "a call waits for a person on behalf of a key that was revoked",
    test: "packages/server/test/http/sign-in/revoked.test.ts",
    name: "SD13: ends calls that wait for a person",
    waits: true,
    breaks: [
      {
        file: "packages/server/src/http/request/open-request.ts",
        find: "this.#credentialSlot = this.identity.credential.add(this);",
        replace: "this.#credentialSlot = -1;",
      },
    ],
  },
  {
    id: "SD13",
    attack: "a stream goes on after the record of its key was deleted",
    test: "packages/server/test/http/sign-in/revoked.test.ts",
    name: "SD13: ends what is open with it when its record is deleted",
    waits: true,
    breaks: [
      {
        file: "packages/server/src/rack/keys-and-tokens/api-keys.ts",
        find: "if (record === undefined || !isLive(record)) tell",
        replace: "if (record !== undefined && !isLive(record)) tell",
      },
    ],
  },
  {
    id: "SD13",
    attack: "a stream goes on after its key or token expired",
    test: "packages/server/test/http/sign-in/revoked.test.ts",
    name: "SD13: ends what is open with a",
    waits: true,
    breaks: [
      {
        file: "packages/server/src/rack/keys-and-tokens/key-expiry.ts",
        find: "        onExpired(key);\n",
        replace: "",
      },
      {
        file: "packages/server/src/http/sign-in/credential.ts",
        find: 'return this.end("What you signed in with has expired.");',
        replace: "return;",
      },
    ],
  },
  {
    id: "SD13",
    attack: "the call that a job makes goes on after the key of its caller expired",
    test: "packages/server/test/http/sign-in/revoked.test.ts",
    name: "SD13: ends the call that a job makes with a key",
    waits: true,
    breaks: [
      {
        file: "packages/server/src/rack/keys-and-tokens/key-expiry.ts",
        find: "const expired = [...keys.values()]",
        replace: "const expired = [...[]]",
      },
    ],
  },
  {
    id: "SD13",
    attack: "a legacy MCP session is used with another key after the key that opened it was revoked",
    test: "packages/server/test/http/sign-in/revoked.test.ts",
    name: "SD13: ends the stream of a legacy session, and the session",
    waits: true,
    breaks: [
      {
        file: "packages/mcp/src/serve/serve.ts",
        find: "return this.#credential === undefined ? this.principal : ",
        replace: "return this.principal || ",
      },
    ],
  },
  {
    id: "SD13",
    attack: "the stream of an MCP session goes on after its key was revoked",
    test: "packages/server/test/http/sign-in/revoked.test.ts",
    name: "SD13: ends the stream of a legacy session, and the session",
    waits: true,
    breaks: [
      {
        file: "packages/mcp/src/serve/http/legacy-handler.ts",
        find: "const forget = onAbort(signal, () => stream.end());",
        replace: "const forget = (): void => void signal;",
      },
    ],
  },
  {
    id: "SD13",
    attack: "a call over MCP goes on after its key was revoked",
    test: "packages/server/test/http/sign-in/revoked.test.ts",
    name: "SD13: ends calls of the modern era",
    waits: true,
    breaks: [
      {
        file: "packages/mcp/src/serve/http/node.ts",
        find: "const stop = onAbort(signedIn, () => abort(signInEnded(signedIn)));",
        replace: "const stop = (): void => {};",
      },
    ],
  },
  {
    id: "SD13",
    attack: "an MCP subscription goes on after its key was revoked",
    test: "packages/server/test/http/sign-in/revoked.test.ts",
    name: "SD13: ends subscriptions",
    waits: true,
    breaks: [
      {
        file: "packages/mcp/src/serve/http/streams/listen-stream.ts",
        find: "const forget = onAbort(signal, () => stream.end());",
        replace: "const forget = (): void => void signal;",
      },
    ],
  },
  {
    id: "SD13",
    attack: "an MCP task goes on after its key was revoked",
    test: "packages/server/test/http/sign-in/revoked.test.ts",
    name: "SD13: ends tasks",
    breaks: [{ file: "packages/mcp/src/serve/tasks/serve-as-task.ts", find: "onAbort(exchange.signedIn,", replace: "onAbort(undefined," }],
  },
  {
    id: "SD17",
    attack: "a request with two hosts is checked under one and answered under the other",
    test: "packages/server/test/http/guard/hosts.test.ts",
    name: "two Host headers",
    breaks: [
      {
        file: "packages/server/src/http/guard/guard.ts",
        find: "const fault = request.hostFault?.();",
        replace: "const fault: string | undefined = undefined;",
      },
    ],
  },
  {
    id: "SD17",
    attack: "the request line names another host than the Host header",
    test: "packages/server/test/http/guard/hosts.test.ts",
    name: "another host in the request line",
    breaks: [
      {
        file: "packages/server/src/http/transport/node.ts",
        find: "const target = hostOfTarget(this.#url);",
        replace: "const target = undefined as string | undefined;",
      },
    ],
  },
  {
    id: "SD17",
    attack: "other users read the file of the owner token",
    test: "packages/server/test/rack/keys-and-tokens/owner-token.test.ts",
    name: "SD17: is refused where others may read its file, or it holds something else",
    breaks: [{ file: "packages/server/src/rack/keys-and-tokens/secret-file.ts", find: "& 0o077) !== 0", replace: "& 0o000) !== 0" }],
  },
  {
    id: "SD17",
    attack: "other users read the file that TOOLRACK_MASTER_KEY_FILE names",
    test: "packages/server/test/rack/keys-and-tokens/owner-token.test.ts",
    name: "also the one that TOOLRACK_MASTER_KEY_FILE names",
    breaks: [
      { file: "packages/server/src/rack/keys-and-tokens/master-key.ts", find: "if (named) readSecretFile(named, what);", replace: "" },
    ],
  },
  {
    id: "SD17",
    attack: "the keys of tokens are fetched over http and changed on the way, or other users write their file",
    test: "packages/server/test/http/sign-in/sign-in.test.ts",
    name: "SD17: refuses keys over http",
    breaks: [{ file: "packages/server/src/http/sign-in/tokens.ts", find: "if (fault !== undefined) throw wrong(fault);", replace: "" }],
  },
];
