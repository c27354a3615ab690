import { describe, expect, it } from "vitest";
import { readMcpJson, readMcpServers } from "@toolrack/mcp";

describe("an mcp.json", () => {
  it("of a desktop application gives one upstream for each server", () => {
    const text = JSON.stringify({
      mcpServers: {
        filesystem: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/data"], env: { LEVEL: "debug" } },
        "GitHub (work)": { url: "https://api.example.com/mcp", headers: { Authorization: "Bearer ${TOKEN}" } },
      },
    });
    expect(readMcpJson(text, { env: { TOKEN: "t0k3n" } })).toEqual({
      servers: [
        { name: "filesystem", command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/data"], env: { LEVEL: "debug" } },
        { name: "GitHub-work", url: "https://api.example.com/mcp", headers: { Authorization: "Bearer t0k3n" } },
      ],
      skipped: [],
      secrets: [],
    });
  });

  it("of an editor may hold comments, trailing commas and inputs, which become secrets", () => {
    const text = `{
      // my servers
      "inputs": [{ "id": "key", "type": "promptString", "password": true }],
      "servers": {
        "search": { "type": "http", "url": "https://example.com/mcp", "headers": { "X-Key": "\${input:key}" } }, /* one */
        "local": { "type": "stdio", "command": "node", "args": ["// not a comment", "a,]"], "cwd": "\${env:HOME}/x", },
      },
    }`;
    expect(readMcpJson(text, { env: { HOME: "/home/ada" } })).toEqual({
      servers: [
        { name: "search", url: "https://example.com/mcp", headers: { "X-Key": "${secret:key}" } },
        { name: "local", command: "node", args: ["// not a comment", "a,]"], cwd: "/home/ada/x" },
      ],
      skipped: [],
      secrets: ["key"],
    });
  });

  it("of other clients may spell the fields in their way", () => {
    const servers = {
      program: { command: { path: "node", args: ["a.mjs"], env: { A: "1" } }, env: { B: "2" } },
      bare: { command: { path: "node" } },
      goose: { cmd: "uvx", args: ["x"], envs: { A: "1" }, env_keys: ["TOKEN"] },
      streamed: { type: "streamable_http", uri: "https://example.com/mcp", headers: { A: "1" } },
      codex: {
        url: "https://example.com/mcp",
        http_headers: { B: "2" },
        env_http_headers: { "X-Key": "KEY" },
        bearer_token_env_var: "TOKEN",
      },
      builtin: { type: "builtin" },
    };
    expect(readMcpJson(JSON.stringify({ mcpServers: servers }), { env: { KEY: "k", TOKEN: "t0k3n" } })).toEqual({
      servers: [
        { name: "program", command: "node", args: ["a.mjs"], env: { A: "1", B: "2" } },
        { name: "bare", command: "node", args: [] },
        { name: "goose", command: "uvx", args: ["x"], env: { A: "1", TOKEN: "${secret:TOKEN}" } },
        { name: "streamed", url: "https://example.com/mcp", headers: { A: "1" } },
        { name: "codex", url: "https://example.com/mcp", headers: { B: "2", "X-Key": "k", Authorization: "Bearer t0k3n" } },
      ],
      skipped: [{ name: "builtin", reason: 'it is a part of the client itself, of type "builtin"', isFault: false }],
      secrets: ["TOKEN"],
    });
  });

  it("leaves each gap to whoever wants to fill it", () => {
    const asked: unknown[] = [];
    const resolve = (gap: object) => (asked.push(gap), `<${asked.length}>`);
    const servers = {
      web: { url: "https://example.com/mcp", headers: { A: "${input:key}", B: "${secret:other}", C: "${NAME:-x}", D: "${env:PLAIN}" } },
    };
    const { servers: read, secrets } = readMcpJson(JSON.stringify({ mcpServers: servers }), { resolve });
    expect(read).toEqual([{ name: "web", url: "https://example.com/mcp", headers: { A: "<1>", B: "<2>", C: "<3>", D: "<4>" } }]);
    expect(secrets).toEqual([]);
    expect(asked).toEqual([
      { server: "web", field: "headers.A", kind: "input", name: "key" },
      { server: "web", field: "headers.B", kind: "secret", name: "other" },
      { server: "web", field: "headers.C", kind: "variable", name: "NAME", standard: "x" },
      { server: "web", field: "headers.D", kind: "variable", name: "PLAIN" },
    ]);
  });

  it("with a server that cannot be used passes over that one, and says why", () => {
    const servers = {
      off: { command: "x", disabled: true },
      old: { type: "sse", url: "https://example.com/sse" },
      empty: {},
      list: [],
      args: { command: "x", args: "a b" },
      env: { command: "x", env: { A: 1 } },
      unset: { command: "x", args: ["${NOWHERE}"] },
      proto: { command: "x", args: ["${__proto__}"] },
      folder: { command: "x", args: ["${workspaceFolder}/a.b"] },
      key: { command: "x", args: ["--key", "${input:key}"] },
      url: { url: "not an address" },
      "!!!": { command: "x" },
      fine: { command: "x", args: ["${NOWHERE:-there}"] },
      Fine: { command: "y" },
    };
    const { servers: read, skipped } = readMcpJson(JSON.stringify({ mcpServers: servers }));
    expect(read).toEqual([{ name: "fine", command: "x", args: ["there"] }]);
    expect(Object.fromEntries(skipped.map(({ name, reason }) => [name, reason]))).toEqual({
      off: expect.stringContaining("switched off"),
      old: expect.stringContaining("Streamable HTTP"),
      empty: expect.stringContaining("neither"),
      list: expect.stringContaining("not an object"),
      args: expect.stringContaining('"args"'),
      env: expect.stringContaining('"env"'),
      unset: expect.stringContaining('"NOWHERE" is not set'),
      proto: expect.stringContaining("is not set"),
      folder: expect.stringContaining("is not set"),
      key: expect.stringContaining('pass it in "env"'),
      url: expect.stringContaining("not an address"),
      "!!!": expect.stringContaining("no letter"),
      Fine: expect.stringContaining("already called"),
    });
  });

  it.each<[entry: unknown, reason: string]>([
    [{ command: "x", enabled: false }, "it is switched off in the file"],
    [{ command: "" }, 'its "command" must be the program to start, as a text'],
    [{ command: 5 }, 'its "command" must be the program to start, as a text'],
    [{ command: "x", args: ["a", 5] }, 'its "args" must be a list of texts'],
    [{ command: "x", cwd: 5 }, 'its "cwd" must be a folder, as a text'],
    [{ command: "x", env: [] }, 'its "env" must be an object of texts'],
    [{ command: "${input:key}" }, 'pass it in "env": ${secret:key}'],
    [{ url: 5 }, 'its "url" is not an address'],
    [{ url: "https://example.com", headers: { A: 1 } }, 'its "headers" must be an object of texts'],
    [{ url: "https://example.com", headers: { A: "${input:a b}" } }, '"${input:a b}" is not known here'],
    [null, "it is not an object"],
  ])("says what is wrong with a server: %j", (entry, reason) => {
    const { servers, skipped } = readMcpJson(JSON.stringify({ servers: { one: entry } }));
    expect([servers, skipped]).toEqual([
      [],
      [{ name: "one", reason: expect.stringContaining(reason), isFault: !reason.includes("switched off") }],
    ]);
  });

  it("may call the address and the list of servers by other names, and switch a server on", () => {
    const url = "https://example.com/mcp";
    for (const name of ["url", "httpUrl", "serverUrl"])
      expect(readMcpJson(JSON.stringify({ mcp: { servers: { a: { [name]: url, disabled: false, enabled: true } } } })).servers).toEqual([
        { name: "a", url },
      ]);
    const both = { mcpServers: { a: { url } }, servers: { b: { url } } };
    expect(readMcpJson(`\uFEFF${JSON.stringify(both)}`).servers).toEqual([{ name: "a", url }]);
    expect(() => readMcpJson('{"mcp": 5}')).toThrow('it has none of "mcpServers", "servers"');
  });

  it("gives each server a name that can begin the names of tools", () => {
    const named = (...keys: string[]) =>
      readMcpJson(JSON.stringify({ servers: Object.fromEntries(keys.map((key) => [key, { command: "x" }])) })).servers.map(
        ({ name }) => name,
      );
    expect(named("my_server", "a__b", "-x-", "_y_", "é z")).toEqual(["my_server", "a-b", "x", "y", "z"]);
    expect(named("n".repeat(40))).toEqual(["n".repeat(32)]);
    expect(named(`${"n".repeat(31)}-${"m".repeat(5)}`)).toEqual(["n".repeat(31)]);
  });

  it("takes values from the variables that it is given, and names every secret once", () => {
    const args = ["${A}", "${env:A}", "${A:-x}", "${B:-}", "${env:B:-y}", "$A", "${}"];
    const env = { ONE: "${input:k}", TWO: "${secret:k}-${input:l.m-n}" };
    const { servers, secrets } = readMcpJson(JSON.stringify({ servers: { a: { command: "${A}", args, env, cwd: "${A}" } } }), {
      env: { A: "1", B: undefined },
    });
    expect(servers).toEqual([
      {
        name: "a",
        command: "1",
        args: ["1", "1", "1", "", "y", "$A", "${}"],
        env: { ONE: "${secret:k}", TWO: "${secret:k}-${secret:l.m-n}" },
        cwd: "1",
      },
    ]);
    expect(secrets).toEqual(["k", "l.m-n"]);
  });

  it.each(["builtin", "platform", "frontend", "inline_python"])("passes over what is a part of a client: %s", (type) => {
    expect(readMcpServers({ extensions: { one: { type, cmd: "x" } } })).toEqual({
      servers: [],
      skipped: [{ name: "one", reason: `it is a part of the client itself, of type "${type}"`, isFault: false }],
      secrets: [],
    });
  });

  it.each(["mcpServers", "servers", "context_servers", "mcp_servers", "extensions"])("may keep its servers in %s", (place) => {
    expect(readMcpServers({ [place]: { a: { command: "x" } }, mcp: { servers: { b: { command: "y" } } } }).servers).toEqual([
      { name: "a", command: "x", args: [] },
    ]);
  });

  it("names all places where servers may be, where there are none", () => {
    for (const file of [undefined, [], {}, { mcp: {} }, { mcpServers: null }])
      expect(() => readMcpServers(file)).toThrow(
        expect.objectContaining({
          code: "CONFIG_INVALID",
          message:
            'The file of MCP servers cannot be used: it has none of "mcpServers", "servers", "context_servers", "mcp_servers", "extensions" with an object of servers.',
        }),
      );
  });

  it("of several spellings of a field takes all, the later ones first", () => {
    const read = (entry: object): unknown => readMcpServers({ servers: { a: entry } }, { env: { T: "t" } }).servers[0];
    expect(
      read({ command: { path: "p", env: { A: "1", B: "1", C: "1" } }, env: { B: "2", C: "2" }, envs: { C: "3" }, args: ["x"] }),
    ).toEqual({
      name: "a",
      command: "p",
      args: [],
      env: { A: "1", B: "2", C: "3" },
    });
    expect(read({ command: "p", cmd: "q", envs: {} })).toEqual({ name: "a", command: "q", args: [] });
    const url = "https://example.com/1";
    expect(read({ url: "https://example.com/2", uri: url, headers: { Authorization: "a", X: "1" }, bearer_token_env_var: "T" })).toEqual({
      name: "a",
      url,
      headers: { Authorization: "Bearer t", X: "1" },
    });
    expect(read({ url, httpUrl: "https://example.com/2", serverUrl: "https://example.com/3" })).toEqual({ name: "a", url });
    expect(read({ httpUrl: url, serverUrl: "https://example.com/3" })).toEqual({ name: "a", url });
  });

  it.each([
    [{ command: "x", env: { A: "1" }, envs: "none" }, 'its "env" must be an object of texts'],
    [{ url: "https://example.com", http_headers: "none", headers: { A: "1" } }, 'its "headers" must be an object of texts'],
    [{ type: "sse", command: "x" }, 'it speaks the older "sse" transport; give the address at which it speaks Streamable HTTP'],
    [{ command: null }, 'its "command" must be the program to start, as a text'],
    [
      { command: "x", args: ["${secret:key}"] },
      'a secret among the arguments can be seen by every user of the machine; pass it in "env": ${secret:key}',
    ],
    [{ command: "x", args: ["${a b}"] }, '"${a b}" is not known here; use a value, "${env:NAME}" or "${input:name}"'],
    [{ command: "x", args: ["${NOWHERE}"] }, 'the variable "NOWHERE" is not set'],
  ])("says in full what is wrong with %j", (entry, reason) => {
    expect(readMcpServers({ servers: { one: entry } }).skipped).toEqual([{ name: "one", reason, isFault: true }]);
  });

  it("may be filled by somebody who refuses", () => {
    const resolve = (): never => {
      throw new Error("not here");
    };
    expect(readMcpServers({ servers: { one: { command: "x", args: ["${A}"] } } }, { resolve }).skipped).toEqual([
      { name: "one", reason: "not here", isFault: true },
    ]);
  });

  it("keeps comments, commas and quotes inside of texts, and none outside", () => {
    const text = String.raw`{"servers": {"a": {"command": "x // y", "args": ["/* z */", "a\",]", "b\\"] /* ] */, }, }, // }
    }`;
    expect(readMcpJson(text).servers).toEqual([{ name: "a", command: "x // y", args: ["/* z */", 'a",]', "b\\"] }]);
  });

  it("that is none is a coded error", () => {
    for (const text of ["", "[]", "{", '{"mcpServers": []}', "null", '"x"', `{"a": "${'\\"'.repeat(10_000)}`, "/*".repeat(50_000)]) {
      expect(() => readMcpJson(text)).toThrow(
        expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining("The file of MCP servers cannot be used") }),
      );
    }
  });
});
