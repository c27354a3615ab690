import { describe, expect, it } from "vitest";
import { readMcpServers } from "../../src/upstream/mcp-json.ts";
import { checkOptions } from "../../src/upstream/options.ts";
import { createQuestions, type PendingCall } from "../../src/upstream/calls/questions.ts";

function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return `${(error as { code?: string }).code}: ${(error as Error).message}`;
  }
}

describe("the settings of a source", () => {
  const check = (options: object) => outcome(() => checkOptions({ name: "s", ...options } as never));

  it("have numbers with defaults, and may name everything that is known", () => {
    const numbers = check({
      command: "node",
      args: ["a"],
      env: { A: "b" },
      inheritEnv: ["PATH"],
      cwd: "/x",
      approved: true,
      prompts: true,
      resources: false,
    });
    expect(numbers).toMatchInlineSnapshot(`
      {
        "backoffMs": 500,
        "callTimeoutMs": 120000,
        "connectTimeoutMs": 30000,
        "graceMs": 300000,
        "listTimeoutMs": 15000,
        "maxBackoffMs": 60000,
        "maxFailures": 5,
        "maxMessageBytes": 10485760,
        "maxTools": 1000,
        "refreshMs": 300000,
      }
    `);
    const http = {
      url: "https://x.example/mcp",
      headers: { "X-A": "b" },
      allowHosts: ["x.example"],
      auth: { kind: "provider" },
      secret: () => "",
      onRequest: () => undefined,
    };
    expect(check(http)).toEqual(numbers);
    expect(check({ ...http, auth: { kind: "client-credentials", issuer: "i", clientId: "c", clientSecret: "s" } })).toEqual(numbers);
    const own = Object.fromEntries(Object.keys(numbers as object).map((name, index) => [name, index + 1]));
    expect(check({ command: "node", ...own })).toEqual(own);
    expect(check({ command: "node", graceMs: 1e12 })).toMatchObject({ graceMs: 2_147_483_647 });
  });

  it("are refused with the name of the source and what is wrong", () => {
    const url = "https://x.example/mcp";
    const wrong: readonly object[] = [
      {},
      { command: "a", url },
      { command: "a", other: 1 },
      { url, args: [] },
      { command: "a", prompts: 1 },
      { url, resources: "yes" },
      { command: "" },
      { command: "a\0b" },
      { command: "a", args: "x" },
      { command: "a", args: [1] },
      { command: "a", env: { A: 1 } },
      { command: "a", inheritEnv: "PATH" },
      { command: "a", inheritEnv: [1] },
      { command: "a", graceMs: 0 },
      { command: "a", maxTools: "5" },
      { command: "a", identity: "sha256:x" },
      { url: "x" },
      { url: 1 },
      { url: "ftp://x" },
      { url: "https://me@x.example" },
      { url: "https://:pw@x.example" },
      { url, headers: { "a b": "c" } },
      { url, headers: { a: 1 } },
      { url, headers: { a: "b\nc" } },
      { url, auth: { kind: "other" } },
      { url, auth: { kind: "client-credentials", issuer: "i", clientId: "c" } },
      { url, allowHosts: ["*"] },
      ...["mcp-x", "Host", "connection", "content-type", "transfer-encoding", "accept", "last-event-id"].map((name) => ({
        url,
        headers: { [name]: "x" },
      })),
      { name: "a b", command: "a" },
    ];
    expect(wrong.map(check)).toMatchInlineSnapshot(`
      [
        "CONFIG_INVALID: MCP server "s": give either a command, to start it, or a url, to reach it.",
        "CONFIG_INVALID: MCP server "s": give either a command, to start it, or a url, to reach it.",
        "CONFIG_INVALID: MCP server "s": "other" is not known here. Known are name, approved, identity, secret, onRequest, prompts, resources, paths, connectTimeoutMs, listTimeoutMs, callTimeoutMs, graceMs, refreshMs, backoffMs, maxBackoffMs, maxFailures, maxMessageBytes, maxTools, command, args, env, inheritEnv, cwd, beforeStart.",
        "CONFIG_INVALID: MCP server "s": "args" is not known here. Known are name, approved, identity, secret, onRequest, prompts, resources, paths, connectTimeoutMs, listTimeoutMs, callTimeoutMs, graceMs, refreshMs, backoffMs, maxBackoffMs, maxFailures, maxMessageBytes, maxTools, url, headers, auth, allowHosts.",
        "CONFIG_INVALID: MCP server "s": prompts must be true or false.",
        "CONFIG_INVALID: MCP server "s": resources must be true or false.",
        "CONFIG_INVALID: MCP server "s": command and args must be texts: a program, and what it is given.",
        "CONFIG_INVALID: MCP server "s": command and args must be texts: a program, and what it is given.",
        "CONFIG_INVALID: MCP server "s": command and args must be texts: a program, and what it is given.",
        "CONFIG_INVALID: MCP server "s": command and args must be texts: a program, and what it is given.",
        "CONFIG_INVALID: MCP server "s": env must be an object of texts.",
        "CONFIG_INVALID: MCP server "s": inheritEnv must be a list of names of variables.",
        "CONFIG_INVALID: MCP server "s": inheritEnv must be a list of names of variables.",
        "CONFIG_INVALID: MCP server "s": graceMs must be a number above 0.",
        "CONFIG_INVALID: MCP server "s": maxTools must be a number above 0.",
        "CONFIG_INVALID: MCP server "s": its command or address is not the approved one. Look at it, then approve it again.",
        "CONFIG_INVALID: MCP server "s": url must be an address such as https://example.com/mcp.",
        "CONFIG_INVALID: MCP server "s": url must be an address such as https://example.com/mcp.",
        "CONFIG_INVALID: MCP server "s": url must begin with http or https, not "ftp:".",
        "CONFIG_INVALID: MCP server "s": url must not contain a user name or password. Send a header instead.",
        "CONFIG_INVALID: MCP server "s": url must not contain a user name or password. Send a header instead.",
        "CONFIG_INVALID: MCP server "s": the header "a b" has a name or value that cannot be sent.",
        "CONFIG_INVALID: MCP server "s": the header "a" has a name or value that cannot be sent.",
        "CONFIG_INVALID: MCP server "s": the header "a" has a name or value that cannot be sent.",
        "CONFIG_INVALID: MCP server "s": auth.kind must be "client-credentials" or "provider".",
        "CONFIG_INVALID: MCP server "s": auth must name the issuer, the clientId and the clientSecret.",
        "CONFIG_INVALID: MCP server "s": The allowed host "*" must be a host, or a host and a port, such as "localhost:8080".",
        "CONFIG_INVALID: MCP server "s": the header "mcp-x" is set by the protocol.",
        "CONFIG_INVALID: MCP server "s": the header "Host" is set by the protocol.",
        "CONFIG_INVALID: MCP server "s": the header "connection" is set by the protocol.",
        "CONFIG_INVALID: MCP server "s": the header "content-type" is set by the protocol.",
        "CONFIG_INVALID: MCP server "s": the header "transfer-encoding" is set by the protocol.",
        "CONFIG_INVALID: MCP server "s": the header "accept" is set by the protocol.",
        "CONFIG_INVALID: MCP server "s": the header "last-event-id" is set by the protocol.",
        "CONFIG_INVALID: "a b" cannot name an MCP server. Use 1 to 32 letters, digits, and single "-" or "_" between them: its tools are called name__tool.",
      ]
    `);
  });
});

describe("a file of MCP servers", () => {
  it("is read in every form of the clients, and what cannot be used is named", () => {
    const entries = {
      "a b_c!": { command: "node" },
      "A-b_c": { command: "node" },
      "!": { command: "node" },
      ["x".repeat(31) + "-y"]: {
        command: "node",
        args: ["${A}", "${env:B}", "${C:-c}", "${A:-x}"],
        cwd: "${A}",
        env: { K: "${input:k}", S: "${secret:s}" },
      },
      off: { command: "node", disabled: true },
      off2: { command: "node", enabled: false },
      on: { command: "node", disabled: false, enabled: true },
      part: { type: "platform" },
      sse: { type: "sse", url: "https://x.example" },
      none: {},
      odd: 1,
      nothing: { command: "" },
      args: { command: "node", args: "x" },
      cwd: { command: "node", cwd: 1 },
      env: { command: "node", env: { A: 1 } },
      headers: { url: "https://x.example", headers: ["x"] },
      address: { url: "x" },
      number: { url: 1 },
      http: { httpUrl: "https://h.example/${A}" },
      server: { serverUrl: "https://s.example" },
      secret: { command: "node", args: ["${input:k}"] },
      missing: { command: "node", args: ["${D}"] },
      form: { command: "node", args: ["${a b}"] },
      path: { command: { path: "p", env: { A: "1" } }, env: {} },
    };
    expect(readMcpServers({ servers: entries }, { env: { A: "1", B: "2" } })).toMatchInlineSnapshot(`
      {
        "secrets": [
          "k",
          "s",
        ],
        "servers": [
          {
            "args": [],
            "command": "node",
            "name": "a-b_c",
          },
          {
            "args": [
              "1",
              "2",
              "c",
              "1",
            ],
            "command": "node",
            "cwd": "1",
            "env": {
              "K": "\${secret:k}",
              "S": "\${secret:s}",
            },
            "name": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
          },
          {
            "args": [],
            "command": "node",
            "name": "on",
          },
          {
            "name": "http",
            "url": "https://h.example/1",
          },
          {
            "name": "server",
            "url": "https://s.example",
          },
          {
            "args": [],
            "command": "p",
            "env": {
              "A": "1",
            },
            "name": "path",
          },
        ],
        "skipped": [
          {
            "isFault": true,
            "name": "A-b_c",
            "reason": "another server is already called "A-b_c"; give this one another name",
          },
          {
            "isFault": true,
            "name": "!",
            "reason": "its name has no letter or digit",
          },
          {
            "isFault": false,
            "name": "off",
            "reason": "it is switched off in the file",
          },
          {
            "isFault": false,
            "name": "off2",
            "reason": "it is switched off in the file",
          },
          {
            "isFault": false,
            "name": "part",
            "reason": "it is a part of the client itself, of type "platform"",
          },
          {
            "isFault": true,
            "name": "sse",
            "reason": "it speaks the older "sse" transport; give the address at which it speaks Streamable HTTP",
          },
          {
            "isFault": true,
            "name": "none",
            "reason": "it has neither a "command" nor a "url"",
          },
          {
            "isFault": true,
            "name": "odd",
            "reason": "it is not an object",
          },
          {
            "isFault": true,
            "name": "nothing",
            "reason": "its "command" must be the program to start, as a text",
          },
          {
            "isFault": true,
            "name": "args",
            "reason": "its "args" must be a list of texts",
          },
          {
            "isFault": true,
            "name": "cwd",
            "reason": "its "cwd" must be a folder, as a text",
          },
          {
            "isFault": true,
            "name": "env",
            "reason": "its "env" must be an object of texts",
          },
          {
            "isFault": true,
            "name": "headers",
            "reason": "its "headers" must be an object of texts",
          },
          {
            "isFault": true,
            "name": "address",
            "reason": "its "url" is not an address",
          },
          {
            "isFault": true,
            "name": "number",
            "reason": "its "url" is not an address",
          },
          {
            "isFault": true,
            "name": "secret",
            "reason": "a secret among the arguments can be seen by every user of the machine; pass it in "env": \${secret:k}",
          },
          {
            "isFault": true,
            "name": "missing",
            "reason": "the variable "D" is not set",
          },
          {
            "isFault": true,
            "name": "form",
            "reason": ""\${a b}" is not known here; use a value, "\${env:NAME}" or "\${input:name}"",
          },
        ],
      }
    `);
    const seen: unknown[] = [];
    readMcpServers(
      { mcp: { servers: { a: { command: "${A:-x}", env: { K: "${input:k}" }, cwd: "${secret:s}" } } } },
      { resolve: (one) => (seen.push(one), "v") },
    );
    expect(seen).toMatchInlineSnapshot(`
      [
        {
          "field": "env.K",
          "kind": "input",
          "name": "k",
          "server": "a",
        },
        {
          "field": "command",
          "kind": "variable",
          "name": "A",
          "server": "a",
          "standard": "x",
        },
        {
          "field": "cwd",
          "kind": "secret",
          "name": "s",
          "server": "a",
        },
      ]
    `);
    for (const place of ["mcpServers", "servers", "context_servers", "mcp_servers", "extensions"])
      expect(readMcpServers({ [place]: { a: { command: "node" } } }).servers).toEqual([{ name: "a", command: "node", args: [] }]);
    expect([1, {}, { mcp: 1 }, { mcpServers: [] }].map((file) => outcome(() => readMcpServers(file)))).toMatchInlineSnapshot(`
      [
        "CONFIG_INVALID: The file of MCP servers cannot be used: it has none of "mcpServers", "servers", "context_servers", "mcp_servers", "extensions" with an object of servers.",
        "CONFIG_INVALID: The file of MCP servers cannot be used: it has none of "mcpServers", "servers", "context_servers", "mcp_servers", "extensions" with an object of servers.",
        "CONFIG_INVALID: The file of MCP servers cannot be used: it has none of "mcpServers", "servers", "context_servers", "mcp_servers", "extensions" with an object of servers.",
        "CONFIG_INVALID: The file of MCP servers cannot be used: it has none of "mcpServers", "servers", "context_servers", "mcp_servers", "extensions" with an object of servers.",
      ]
    `);
  });
});

describe("a question of a server", () => {
  const callWith = (answer: object | Error): PendingCall & { readonly asked: unknown[]; readonly warned: unknown[] } => {
    const [asked, warned]: unknown[][] = [[], []];
    const ask = async (question: unknown) => {
      asked!.push(question);
      if (answer instanceof Error) throw answer;
      return answer;
    };
    return { asked: asked!, warned: warned!, context: { ask, log: { warn: (fact: unknown) => warned!.push(fact) } } as never };
  };

  it("is put to the person with the name of the server, and its defaults are filled in", async () => {
    const { answer } = createQuestions("shop");
    const schema = { type: "object", properties: { a: { default: 1 }, b: { default: 2 }, c: {}, d: 1 } } as never;
    const call = callWith({ action: "accept", value: { a: 5 } });
    expect(await answer({ message: "x".repeat(2_001), requestedSchema: schema }, call)).toEqual({
      action: "accept",
      content: { a: 5, b: 2 },
    });
    expect(call.asked).toEqual([{ message: `The MCP server "shop" asks: ${"x".repeat(2_000)}`, schema }]);
    for (const value of [undefined, null, [1], "x"]) {
      expect(await answer({ message: "m" } as never, callWith({ action: "accept", value }))).toEqual({ action: "accept", content: {} });
    }
    expect(
      await answer({ message: "m", requestedSchema: { properties: null } as never }, callWith({ action: "accept", value: { z: 1 } })),
    ).toEqual({ action: "accept", content: { z: 1 } });
    expect(await answer({ message: "m" } as never, callWith({ action: "decline", value: { a: 1 } }))).toEqual({ action: "decline" });
    const failing = callWith(new Error("gone"));
    expect(await answer({ message: "m" } as never, failing)).toEqual({ action: "cancel" });
    expect(failing.unanswered).toEqual(new Error("gone"));
    failing.unanswered = "first";
    await answer({ message: "m" } as never, failing);
    expect(failing.unanswered).toBe("first");
  });

  it("that came by itself goes to the call on whose stream it came, to the only one, or to none", async () => {
    const { during, outside, answerAny } = createQuestions("shop");
    const [one, two] = [callWith({ action: "accept", value: { of: 1 } }), callWith({ action: "accept", value: { of: 2 } })];
    const question = { message: "m" } as never;
    expect(await answerAny(question)).toEqual({ action: "cancel" });
    await during(one, async () => {
      expect(await outside(() => answerAny(question))).toEqual({ action: "accept", content: { of: 1 } });
      await during(two, async () => {
        expect(await answerAny(question)).toEqual({ action: "accept", content: { of: 2 } });
        expect(await outside(() => answerAny(question))).toEqual({ action: "cancel" });
      });
      expect(await answerAny(question)).toEqual({ action: "accept", content: { of: 1 } });
    });
    const fact = 'MCP server "shop" asked a question that belongs to none, or to any, of its 2 calls: unanswered.';
    expect([one.warned, two.warned]).toEqual([[fact], [fact]]);
  });
});
