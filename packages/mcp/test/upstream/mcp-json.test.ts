import { describe, expect, it } from "vitest";
import { readMcpJson } from "@toolrack/mcp";

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

  it("that is none is a coded error", () => {
    for (const text of ["", "[]", "{", '{"mcpServers": []}', "null", '"x"', `{"a": "${'\\"'.repeat(10_000)}`, "/*".repeat(50_000)]) {
      expect(() => readMcpJson(text)).toThrow("The file of MCP servers cannot be used");
    }
  });
});
