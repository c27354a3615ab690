import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { openServer } from "@toolrack/server";
import { bundleProgram, removeProgram } from "@toolrack/testkit/child-server";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { sized } from "@toolrack/testkit/sized";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { clients } from "../src/clients/clients.ts";
import { userPlaces } from "../src/clients/places.ts";
import { exitCodes } from "../src/errors.ts";
import { mcpHere } from "./_mcp-here.ts";
import { type Ended, run } from "./_run.ts";

let program: string;
let home: Home;
let server: Awaited<ReturnType<typeof openServer>>;
beforeAll(async () => {
  program = await bundleProgram(new URL("../src/main.ts", import.meta.url));
  home = makeHome();
  server = await openServer({ folder: home.folder, port: 0, consoleFolder: false, log });
});
afterAll(async () => {
  removeProgram(program);
  await server.close({ graceMs: 0 });
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const config =
  "store: { sqlite: ./toolrack.db }\npolicy:\n  agents:\n    anna: { tools: { allow: [random] } }\n    ben: { tools: { allow: [random] } }\n";

/** Folders of all tests together. */
const folders: string[] = [];
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-connect-"));
  folders.push(folder);
  return folder;
}

interface Home {
  readonly folder: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
}

function makeHome(): Home {
  const [folder, home] = [makeFolder(), makeFolder()];
  writeFileSync(join(folder, "toolrack.config.yaml"), config);
  return { folder, home, environment: { PATH: process.env["PATH"]!, HOME: home, XDG_STATE_HOME: process.env["XDG_STATE_HOME"]! } };
}

/** The entry that it writes starts the bundled program. */
function toolrack({ folder, environment }: Home, ...words: string[]): Promise<Ended> {
  return run(words, { folder, environment, script: program });
}

/** A file as each client really keeps it, with the entries, comments and oddities of somebody else. */
const files: Readonly<Record<string, string>> = {
  "claude-desktop":
    '{\n    "globalShortcut": "",\n    "mcpServers": {\n        "files": {"command": "npx", "args": ["-y", "server-filesystem", "/data"]}\n    }\n}',
  "claude-code":
    '{\n  "mcpServers": {\n    "db": { "type": "stdio", "command": "db", "args": [], "env": { "URL": "${DB_URL:-x}" } }\n  }\n}\n',
  cursor: '{\r\n\t"mcpServers": {\r\n\t\t"web": { "url": "https://example.com/mcp" }\r\n\t}\r\n}\r\n',
  vscode:
    '{\n  // asked for once\n  "inputs": [{ "id": "key", "type": "promptString", "password": true }],\n  "servers": {\n    /* of the team */\n    "github": { "type": "http", "url": "https://api.example.com/mcp", "headers": { "X": "${input:key}" } }, // last\n  },\n}\n',
  codex:
    'model = "gpt-5" # the usual one\nnotes = """\n[mcp_servers.toolrack]\nnot a table\n"""\n\n[mcp_servers.docs]\ncommand = "docs"\nargs = [\n  "-a", # one\n]\n\n[mcp_servers.docs.env]\nA = "b"\n\n[profiles.fast]\nmodel = "mini"',
  "gemini-cli": '{ "theme": "Dracula", "mcpServers": {"git": {"command":"uvx","args":["mcp-server-git"]}} }',
  windsurf: "",
  zed: '// Zed settings\n//\n{\n  "theme": { "mode": "system", "light": "One Light", "dark": "One Dark" }, // both\n  "vim_mode": true,\n}\n',
  goose:
    "GOOSE_PROVIDER: anthropic # mine\nextensions:\n  # comes with goose\n  developer:\n    bundled: true\n    enabled: true\n    name: developer\n    timeout: 300\n    type: builtin\n  fetch:\n    args:\n    - mcp-server-fetch\n    cmd: uvx\n    enabled: true\n    envs: {}\n    type: stdio\n\n# the end\nGOOSE_MODEL: 'claude'\n",
};

const parsers = { json: (text: string) => parseJsonc(text, [], { allowTrailingComma: true }), toml: parseToml, yaml: parseYaml } as const;

function fileOf(id: string, { folder, home }: Home): string {
  const client = clients.find((one) => one.id === id)!;
  return client.isProjectFirst ? join(folder, client.projectFile!) : client.userFile(userPlaces({ HOME: home }, "linux"));
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Calls a tool as the client would, with what its file says. */
async function callWith(id: string, file: string): Promise<unknown> {
  const client = clients.find((one) => one.id === id)!;
  const text = readFileSync(file, "utf8");
  const servers = (parsers[client.format](text.trim() === "" ? "{}" : text) as Record<string, Record<string, any>>)[client.key]!;
  const { command, cmd, args, env, envs, url, httpUrl, serverUrl, uri, headers, http_headers: httpHeaders } = servers["toolrack"];
  const address = url ?? httpUrl ?? serverUrl ?? uri;
  const mcp = new Client({ name: id, version: "1" });
  afterThisTest(() => mcp.close());
  await mcp.connect(
    address === undefined
      ? programOf(client.id, [command ?? cmd, ...args], {
          PATH: process.env["PATH"]!,
          HOME: "/nowhere",
          XDG_STATE_HOME: process.env["XDG_STATE_HOME"]!,
          ...env,
          ...envs,
        })
      : new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers: headers ?? httpHeaders } }),
  );
  expect((await mcp.listTools()).tools.map(({ name }) => name)).toEqual(["random"]);
  const result = await mcp.callTool({ name: "random", arguments: { min: 4, max: 4 } });
  await mcp.close();
  return (result.content as { text: string }[])[0]!.text;
}

/** In the short form only one client of each format starts the program; the command of the others runs in this process. */
function programOf(id: string, [command, ...args]: readonly string[], env: Readonly<Record<string, string>>): Transport {
  if (sized(["claude-desktop", "codex", "goose"].includes(id), true))
    return new StdioClientTransport({ command: command!, args, cwd: temporaryFolder(), env, stderr: "ignore" });
  expect([command, args[0]]).toEqual([process.execPath, program]);
  return mcpHere(args.slice(1), { folder: temporaryFolder(), environment: env }).transport;
}

describe.each(clients.map(({ id }) => id))("toolrack connect %s", (id) => {
  it("adds an entry that works to a file with entries of others, and takes it out again", async () => {
    const file = fileOf(id, home);
    const original = files[id]!;
    write(file, original);
    const before = parsers[clients.find((one) => one.id === id)!.format](original.trim() === "" ? "{}" : original);

    const shown = await toolrack(home, "connect", id, "--agent", "anna");
    expect(shown).toMatchObject({ code: 0, output: expect.stringContaining("Nothing was written"), errors: "" });
    expect(shown.output).toContain("1 tool of agent anna");
    expect(readFileSync(file, "utf8")).toBe(original);

    const written = await toolrack(home, "connect", id, "--agent", "anna", "--write");
    expect(written).toMatchObject({ code: 0, output: expect.stringContaining(`Undo with: toolrack connect ${id} --undo`) });
    expect(readFileSync(`${file}.toolrack-backup-1`, "utf8")).toBe(original);
    const client = clients.find((one) => one.id === id)!;
    const text = readFileSync(file, "utf8");
    const { [client.key]: servers, ...others } = parsers[client.format](text) as Record<string, Record<string, unknown>>;
    const { [client.key]: oldServers = {}, ...oldOthers } = (before ?? {}) as Record<string, Record<string, unknown>>;
    const { toolrack: _, ...foreign } = servers!;
    expect([foreign, others]).toEqual([oldServers, oldOthers]);
    // Nothing was reformatted: every line is still there, but for a comma.
    for (const line of original.trim().split(/\r?\n/))
      if (!line.endsWith("}") || line.includes("//")) expect(text).toContain(line.trimEnd());
    expect(await callWith(id, file)).toContain("4");

    const again = await toolrack(home, "connect", id, "--agent", "ben", "--write");
    expect(again.code).toBe(0);
    expect(readFileSync(file, "utf8")).toContain("ben");
    expect(readFileSync(file, "utf8")).not.toContain("anna");
    expect((await toolrack(home, "connect", id, "--agent", "anna", "--write")).code).toBe(0);

    const undone = await toolrack(home, "connect", id, "--undo");
    expect(readdirSync(dirname(file)).filter((one) => one.includes("backup"))).toEqual([]);
    expect(undone).toMatchObject({ code: 0, output: expect.stringContaining('The entry "toolrack" was removed') });
    expect(readFileSync(file, "utf8")).toBe(original);
    expect(await toolrack(home, "connect", id, "--undo")).toMatchObject({
      code: exitCodes.notFound.code,
      errors: expect.stringContaining("nothing to undo"),
    });
  });

  it("adds an address with a key of its own, which the undo revokes", async () => {
    const file = fileOf(id, home);
    rmSync(file, { force: true });
    if (id === "claude-desktop") {
      const refused = await toolrack(home, "connect", id, "--agent", "anna", "--http", "--write");
      return expect(refused).toMatchObject({ code: exitCodes.usage.code, errors: expect.stringContaining("it starts programs") });
    }
    const preview = await toolrack(home, "connect", id, "--agent", "anna", "--http");
    expect(preview).toMatchObject({ code: 0, output: expect.stringContaining("Bearer <a new key of anna>") });
    expect(await server.rack.keys.list()).toEqual([]);
    const isFirst = !server.rack.keys.wereMade();
    const written = await toolrack(home, "connect", id, "--agent", "anna", "--http", "--write");
    expect([written.code, written.errors.includes("first API key")]).toEqual([0, isFirst]);
    expect(written.output + written.errors + preview.output).not.toMatch(/trk_/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await server.rack.keys.list()).toMatchObject([{ agent: "anna", roles: [], description: `toolrack connect ${id}` }]);
    expect(await callWith(id, file)).toContain("4");
    // Without a file before, there is none after.
    expect(await toolrack(home, "connect", id, "--undo")).toMatchObject({
      code: 0,
      output: expect.stringContaining("Its key was revoked."),
    });
    expect(existsSync(file)).toBe(false);
    expect(await server.rack.keys.list()).toEqual([]);
  });
});

describe("a client's file", () => {
  it("that others can read is closed to them when it gets a key, and that is said", async () => {
    const file = fileOf("cursor", home);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "{}", { mode: 0o644 });
    chmodSync(file, 0o644);
    const program = await toolrack(home, "connect", "cursor", "--agent", "anna", "--write");
    expect([program.code, statSync(file).mode & 0o777]).toEqual([0, 0o644]); // no key, so the mode stays
    await toolrack(home, "connect", "cursor", "--undo");
    const written = await toolrack(home, "connect", "cursor", "--agent", "anna", "--http", "--write");
    expect(written).toMatchObject({ code: 0, errors: expect.stringContaining("only you can read it from now on") });
    expect(written.errors).toContain("do not commit it");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await toolrack(home, "connect", "cursor", "--undo");
    rmSync(file, { force: true });
    const own = await toolrack(home, "connect", "cursor", "--user", "--agent", "anna", "--http", "--write");
    expect(own.errors).not.toContain("do not commit it");
    await toolrack(home, "connect", "cursor", "--user", "--undo");
  });

  it.each([
    ["cursor", '{ "mcpServers": { '],
    ["cursor", '{ "mcpServers": [] }'],
    ["cursor", "[]"],
    ["cursor", '{ "mcpServers": {}, "mcpServers": { "a": {} } }'],
    ["codex", "[mcp_servers\n"],
    ["codex", 'mcp_servers = { docs = { command = "x" } }\n'],
    ["goose", "extensions: [\n"],
    ["goose", "extensions: text\n"],
  ])("of %s that cannot be changed safely stays as it is: %s", async (id, text) => {
    const file = fileOf(id, home);
    write(file, text);
    afterThisTest(() => rmSync(file));
    const refused = await toolrack(home, "connect", id, "--agent", "anna", "--write");
    expect(refused).toMatchObject({ code: exitCodes.failed.code, errors: expect.stringContaining(`${file} was not changed`) });
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(readdirSync(dirname(file)).filter((name) => name.includes("toolrack-"))).toEqual([]);
  });

  it("that is a link stays one, and what it leads to is changed", async () => {
    const target = join(home.home, "dotfiles.json");
    const file = fileOf("cursor", home);
    afterThisTest(() => rmSync(dirname(file), { recursive: true }));
    write(target, files["cursor"]!);
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(target, file);
    expect((await toolrack(home, "connect", "cursor", "--agent", "anna", "--write")).code).toBe(0);
    expect(readlinkSync(file)).toBe(target);
    expect(readFileSync(target, "utf8")).toContain("anna");
    // The copy has what the target has, which need not be meant for this folder.
    expect(readdirSync(dirname(file))).toEqual(["mcp.json"]);
    expect(readFileSync(`${target}.toolrack-backup-1`, "utf8")).toBe(files["cursor"]);
    expect((await toolrack(home, "connect", "cursor", "--undo")).code).toBe(0);
    expect(readFileSync(target, "utf8")).toBe(files["cursor"]);
  });

  it.skipIf(process.getuid?.() === 0)("that may not be written is answered, and nothing is left behind", async () => {
    const file = fileOf("cursor", home);
    afterThisTest(() => rmSync(dirname(file), { recursive: true }));
    write(file, files["cursor"]!);
    chmodSync(file, 0o400);
    const refused = await toolrack(home, "connect", "cursor", "--agent", "anna", "--write");
    expect(refused).toMatchObject({ code: exitCodes.failed.code, errors: expect.stringContaining("you may not change it") });
    expect(readdirSync(dirname(file))).toEqual(["mcp.json"]);
  });

  it("with an entry of this name that somebody else wrote is not changed", async () => {
    const file = fileOf("cursor", home);
    afterThisTest(() => rmSync(dirname(file), { recursive: true }));
    const text = '{ "mcpServers": { "toolrack": { "command": "mine" } } }';
    write(file, text);
    for (const words of [["--write"], ["--undo"]])
      expect(await toolrack(home, "connect", "cursor", "--agent", "anna", ...words)).toMatchObject({
        code: exitCodes.refused.code,
        errors: expect.stringContaining("--name"),
      });
    expect(readFileSync(file, "utf8")).toBe(text);
    expect((await toolrack(home, "connect", "cursor", "--agent", "anna", "--name", "rack", "--write")).code).toBe(0);
    expect((await toolrack(home, "connect", "cursor", "--name", "rack", "--undo")).code).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("that changed since loses our entry, and nothing else", async () => {
    const file = fileOf("cursor", home);
    afterThisTest(() => rmSync(dirname(file), { recursive: true }));
    write(file, files["cursor"]!);
    await toolrack(home, "connect", "cursor", "--agent", "anna", "--write");
    writeFileSync(file, readFileSync(file, "utf8").replace("https://example.com/mcp", "https://example.com/new"));
    expect((await toolrack(home, "connect", "cursor", "--undo")).code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ mcpServers: { web: { url: "https://example.com/new" } } });
  });
});

describe("a client's file that changes while the command runs", () => {
  it.each([["--write"], ["--http", "--write"]])("is not overwritten, and no key is left: %s", async (...words) => {
    const file = fileOf("cursor", home);
    afterThisTest(() => rmSync(dirname(file), { recursive: true }));
    write(file, files["cursor"]!);
    const changed = '{ "mcpServers": { "other": { "command": "new" } } }';
    const refused = await run(["connect", "cursor", "--agent", "anna", ...words], {
      ...home,
      script: program,
      onOutput: () => writeFileSync(file, changed),
    });
    expect(refused).toMatchObject({ code: exitCodes.failed.code, errors: expect.stringContaining("changed while this command ran") });
    expect(readFileSync(file, "utf8")).toBe(changed);
    expect(readdirSync(dirname(file))).toEqual(["mcp.json"]);
    expect(await server.rack.keys.list()).toEqual([]);
  });
});

describe("the key of an entry", () => {
  const owner = { agent: "owner", principal: "owner" };
  const addressEntry = (url: string, key: string): string =>
    JSON.stringify({ mcpServers: { toolrack: { url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } } } });

  it("is revoked only if the server accepts the whole key, so that no file ends the key of another", async () => {
    const file = join(makeFolder(), "mcp.json");
    const { id } = await server.rack.keys.create({ agent: "ben", roles: [], by: owner });
    afterThisTest(() => server.rack.keys.revoke(id, owner));
    const short = addressEntry(server.url, `trk_${id}_x`);
    write(file, short);
    expect(await toolrack(home, "connect", "cursor", "--file", file, "--undo")).toMatchObject({ code: exitCodes.refused.code });
    expect(readFileSync(file, "utf8")).toBe(short);
    for (const words of [["--undo"], ["--agent", "anna", "--write"]]) {
      write(file, addressEntry(server.url, `trk_${id}_${"x".repeat(43)}`));
      expect(await toolrack(home, "connect", "cursor", "--file", file, ...words)).toMatchObject({
        code: 0,
        errors: expect.stringContaining(`The key ${id} was left alone`),
      });
    }
    expect(await server.rack.keys.list()).toMatchObject([{ id }]);
  });

  it("is revoked at the server that the entry names, from any folder, and no store is made there", async () => {
    const file = join(makeFolder(), "mcp.json");
    expect((await toolrack(home, "connect", "cursor", "--agent", "anna", "--http", "--file", file, "--write")).code).toBe(0);
    const elsewhere = { ...home, folder: makeFolder() };
    expect(await toolrack(elsewhere, "connect", "cursor", "--file", file, "--undo")).toMatchObject({
      code: 0,
      output: expect.stringContaining("Its key was revoked."),
    });
    expect(await server.rack.keys.list()).toEqual([]);
    expect(readdirSync(elsewhere.folder)).toEqual([]);
  });

  it("that cannot be revoked is named, with the command that does it, and the exit code says so", async () => {
    const file = join(makeFolder(), "mcp.json");
    const elsewhere = { ...home, folder: makeFolder() };
    const key = `trk_${"0".repeat(16)}_${"x".repeat(43)}`;
    write(file, addressEntry("http://127.0.0.1:1", key));
    const undone = await toolrack(elsewhere, "connect", "cursor", "--file", file, "--undo");
    expect(undone).toMatchObject({
      code: exitCodes.failed.code,
      errors: expect.stringContaining(`toolrack --url http://127.0.0.1:1 keys revoke ${"0".repeat(16)}`),
    });
    expect(undone.output + undone.errors).not.toContain(key);
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(elsewhere.folder)).toEqual([]);
  });

  it("is revoked with a key of the environment only at the server of --url, so that no file chooses who gets that key", async () => {
    const file = join(makeFolder(), "mcp.json");
    const { id, secret } = await server.rack.keys.create({ agent: "ben", roles: [], by: owner });
    const admin = await server.rack.keys.create({ agent: "anna", roles: ["admin"], by: owner });
    afterThisTest(() => server.rack.keys.revoke(id, owner));
    afterThisTest(() => server.rack.keys.revoke(admin.id, owner));
    // Without the state folder, the server is not known as this user's own.
    const stranger = { ...home, environment: { ...home.environment, XDG_STATE_HOME: makeFolder(), TOOLRACK_KEY: admin.secret } };
    write(file, addressEntry(server.url, secret));
    const undone = await toolrack(stranger, "connect", "cursor", "--file", file, "--undo");
    expect(undone).toMatchObject({ code: exitCodes.failed.code, errors: expect.stringContaining(`keys revoke ${id}`) });
    expect((await server.rack.keys.list()).map((key) => key.id)).toContain(id);
    write(file, addressEntry(server.url, secret));
    expect(await toolrack(stranger, "--url", server.url, "connect", "cursor", "--file", file, "--undo")).toMatchObject({
      code: 0,
      errors: "",
    });
    expect((await server.rack.keys.list()).map((key) => key.id)).not.toContain(id);
  });
});

describe("the undo in a TOML file", () => {
  it.each([
    [
      "above the next table",
      '[mcp_servers.toolrack]\ncommand = "c"\nargs = ["mcp", "--agent", "a"]\n\n# about docs\n\n# more\n[mcp_servers.docs]\ncommand = "d"\n',
      '# about docs\n\n# more\n[mcp_servers.docs]\ncommand = "d"\n',
    ],
    [
      "directly below the entry",
      'model = "m"\n\n[mcp_servers.toolrack]\ncommand = "c"\nargs = ["mcp", "--agent", "a"]\n# about docs\n[mcp_servers.docs]\ncommand = "d"\n',
      'model = "m"\n\n# about docs\n[mcp_servers.docs]\ncommand = "d"\n',
    ],
    [
      "at the end",
      'model = "m"\n\n[mcp_servers.toolrack]\ncommand = "c"\nargs = ["mcp", "--agent", "a"]\n\n# the end\n',
      'model = "m"\n\n# the end\n',
    ],
  ])("keeps the comments of others: %s", async (_, before, after) => {
    const file = join(makeFolder(), "config.toml");
    write(file, before);
    expect((await toolrack(home, "connect", "codex", "--file", file, "--undo")).code).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(after);
  });
});

describe("toolrack connect", () => {
  it("lists every client, its file, and whether it has an entry, also without a server", async () => {
    const home = makeHome();
    await toolrack(home, "connect", "cursor", "--agent", "anna", "--write");
    write(fileOf("zed", home), "{");
    const { output, code } = await toolrack(home, "connect");
    expect(code).toBe(0);
    expect(output).toMatch(/^cursor +program, agent anna +\S+\.cursor\/mcp\.json$/m);
    expect(output).toMatch(/^zed +the file cannot be read +/m);
    for (const { id } of clients) expect(output).toContain(id);
  });

  it("needs an agent that the configuration lists, and never takes the owner", async () => {
    expect(await toolrack(home, "connect", "cursor")).toMatchObject({
      code: exitCodes.usage.code,
      errors: expect.stringContaining("--agent: anna, ben"),
    });
    for (const agent of ["owner", "nobody"])
      expect(await toolrack(home, "connect", "cursor", "--agent", agent, "--write")).toMatchObject({ code: exitCodes.refused.code });
    expect(await toolrack(home, "connect", "cursr")).toMatchObject({
      code: exitCodes.usage.code,
      errors: expect.stringContaining("Known are claude-desktop"),
    });
    expect(existsSync(fileOf("cursor", home))).toBe(false);
  });

  it("says that the client does not have the database that a variable of this terminal chooses", async () => {
    const withDatabase = { ...home, environment: { ...home.environment, DATABASE_URL: "postgres://db.invalid/toolrack" } };
    const errors = async (at: Home, ...words: string[]): Promise<string> =>
      (await toolrack(at, ...words, "connect", "cursor", "--agent", "anna")).errors;
    expect(await errors(withDatabase)).toMatch(/DATABASE_URL is set here.*Keep the server running, or use --http/);
    expect(await errors(home)).not.toContain("DATABASE_URL");
    expect(await errors(withDatabase, "--url", server.url)).not.toContain("DATABASE_URL");
  });

  it("knows the files of every platform", () => {
    const on = (platform: NodeJS.Platform, environment: Record<string, string>): Record<string, string> => {
      const places = userPlaces(environment, platform);
      return Object.fromEntries(clients.map((client) => [client.id, client.userFile(places).replaceAll("\\", "/")]));
    };
    expect(on("darwin", { HOME: "/Users/a" })).toMatchObject({
      "claude-desktop": "/Users/a/Library/Application Support/Claude/claude_desktop_config.json",
      vscode: "/Users/a/Library/Application Support/Code/User/mcp.json",
      zed: "/Users/a/.config/zed/settings.json",
      goose: "/Users/a/.config/goose/config.yaml",
    });
    expect(on("win32", { USERPROFILE: "C:/Users/a", APPDATA: "C:/Users/a/AppData/Roaming" })).toMatchObject({
      "claude-desktop": "C:/Users/a/AppData/Roaming/Claude/claude_desktop_config.json",
      windsurf: "C:/Users/a/.codeium/windsurf/mcp_config.json",
      zed: "C:/Users/a/AppData/Roaming/Zed/settings.json",
      goose: "C:/Users/a/AppData/Roaming/Block/goose/config/config.yaml",
    });
    expect(on("linux", { HOME: "/home/a", XDG_CONFIG_HOME: "/home/a/xdg", CODEX_HOME: "/home/a/cx" })).toMatchObject({
      "claude-desktop": "/home/a/xdg/Claude/claude_desktop_config.json",
      codex: "/home/a/cx/config.toml",
      "gemini-cli": "/home/a/.gemini/settings.json",
      "claude-code": "/home/a/.claude.json",
      cursor: "/home/a/.cursor/mcp.json",
    });
  });
});
