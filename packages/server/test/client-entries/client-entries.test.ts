import { spawnSync } from "node:child_process";
import { hasPart } from "@toolrack/core/testing";
import { readMcpJson } from "@toolrack/mcp";
import { type ClientConnection, clientEntry, type ClientName, clientNames, isClientName } from "@toolrack/server/client-entries";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";

const http: ClientConnection = { kind: "http", url: "http://127.0.0.1:7333/mcp", key: "trk_0123" };
const stdio: ClientConnection = { kind: "stdio", command: "toolrack", args: ["mcp", "--agent", "support"], env: { NO_COLOR: "1" } };

const hasToml = hasPart("python3", spawnSync("python3", ["-c", "import tomllib"], { stdio: "ignore" }).status === 0);

/** The text as the client's own kind of parser reads it. */
function parse(client: ClientName, text: string): unknown {
  const { format } = clientEntry(client, http);
  if (format === "json") return JSON.parse(text);
  if (format === "yaml") return parseYaml(text);
  const read = "import json, sys, tomllib; print(json.dumps(tomllib.loads(sys.stdin.read())))";
  const { stdout, stderr } = spawnSync("python3", ["-c", read], { input: text, encoding: "utf8" });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

/** What each client's documentation shows for a server at an address. */
const httpFiles: Readonly<Record<ClientName, unknown>> = {
  "claude-desktop": {
    mcpServers: {
      toolrack: {
        command: "npx",
        args: ["--yes", "mcp-remote", "http://127.0.0.1:7333/mcp", "--header", "Authorization:${TOOLRACK_AUTHORIZATION}"],
        env: { TOOLRACK_AUTHORIZATION: "Bearer trk_0123" },
      },
    },
  },
  "claude-code": { mcpServers: { toolrack: { type: "http", ...withHeaders("url") } } },
  cursor: { mcpServers: { toolrack: withHeaders("url") } },
  vscode: { servers: { toolrack: { type: "http", ...withHeaders("url") } } },
  codex: { mcp_servers: { toolrack: { url: "http://127.0.0.1:7333/mcp", http_headers: { Authorization: "Bearer trk_0123" } } } },
  "gemini-cli": { mcpServers: { toolrack: withHeaders("httpUrl") } },
  windsurf: { mcpServers: { toolrack: withHeaders("serverUrl") } },
  zed: { context_servers: { toolrack: withHeaders("url") } },
  goose: {
    extensions: {
      toolrack: {
        enabled: true,
        name: "toolrack",
        description: "The tools of Toolrack",
        timeout: 300,
        type: "streamable_http",
        uri: "http://127.0.0.1:7333/mcp",
        headers: { Authorization: "Bearer trk_0123" },
      },
    },
  },
};

function withHeaders(address: string): object {
  return { [address]: "http://127.0.0.1:7333/mcp", headers: { Authorization: "Bearer trk_0123" } };
}

describe.each(clientNames)("the entry of %s", (client) => {
  const isReadable = clientEntry(client, http).format !== "toml" || hasToml;

  it.skipIf(!isReadable)("is read back from its text as the value at its path, for both transports and any name", () => {
    const names = ["toolrack", "no", 'a "b" ü\n\u007F.c', "__proto__"];
    for (const connection of [http, stdio]) {
      for (const name of connection === http ? names : sized(names.slice(2, 3), names)) {
        const { text, path, value } = clientEntry(client, connection, name);
        const file = parse(client, text) as Record<string, Record<string, unknown>>;
        expect(Object.keys(file)).toEqual([path[0]]);
        expect(Object.entries(file[path[0]]!)).toEqual([[name, value]]);
      }
    }
  });

  it.skipIf(!isReadable)("names the address and the key as the client's documentation does", () => {
    expect(parse(client, clientEntry(client, http).text)).toEqual(httpFiles[client]);
  });

  it("starts the command with its arguments and variables", () => {
    const { command, cmd, args, env, envs } = clientEntry(client, stdio).value;
    expect([command ?? cmd, args, env ?? envs]).toEqual(["toolrack", ["mcp", "--agent", "support"], { NO_COLOR: "1" }]);
  });

  it("holds no header where no key is needed, and says where its file is", () => {
    const { text, files } = clientEntry(client, { kind: "http", url: "http://127.0.0.1:7333/mcp" });
    expect(text).not.toMatch(/authorization|headers/i);
    for (const file of Object.values(files)) expect(file).toMatch(/^(~|%APPDATA%)\/.+\.(json|toml|yaml)$/);
  });
});

it("a program in the file of Zed is marked as custom, as Zed's documentation shows", () => {
  expect(JSON.parse(clientEntry("zed", stdio).text)).toEqual({
    context_servers: {
      toolrack: { source: "custom", command: "toolrack", args: ["mcp", "--agent", "support"], env: { NO_COLOR: "1" } },
    },
  });
});

describe("the entries of clients with JSON files", () => {
  it("are taken over by our own import, and lead to the same server", () => {
    for (const client of clientNames.filter((name) => clientEntry(name, http).format === "json" && name !== "zed")) {
      const [server] = readMcpJson(clientEntry(client, stdio).text).servers;
      expect(server).toMatchObject({ command: "toolrack", args: ["mcp", "--agent", "support"] });
    }
  });
});

it("a name that is no client's is not taken for one", () => {
  expect(["cursor", "Cursor", "constructor"].map(isClientName)).toEqual([true, false, false]);
});
