import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { openServer } from "@toolrack/server";
import { bundleProgram, removeProgram } from "@toolrack/testkit/child-server";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { sized } from "@toolrack/testkit/sized";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { exitCodes } from "../src/errors.ts";
import { type McpHere, mcpHere } from "./_mcp-here.ts";
import { run } from "./_run.ts";

let program: string;
beforeAll(async () => {
  program = await bundleProgram(new URL("../src/main.ts", import.meta.url));
});
afterAll(() => removeProgram(program));

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const config = `store: { sqlite: ./toolrack.db }
tools:
  modules: [./tools.mjs]
policy:
  agents:
    anna: { tools: { allow: [greet, boast] } }
    ben: { tools: { allow: [boast] } }
`;

/** A tool that greets whoever calls it, and prints to standard output, as careless tools do. */
const tools = `import { spawnSync } from "node:child_process";
const inputSchema = { type: "object", properties: {} };
export default [
  { name: "greet", description: "Greets the caller.", inputSchema, handler: (_input, { caller }) => { if (process.argv.includes("mcp")) { console.log("greeting"); process.stdout.write("more\\n"); spawnSync("echo", ["from a program"], { stdio: "inherit" }); } return \`Hello \${caller.agent}.\`; } },
  { name: "boast", description: "Tells whether the caller is the owner.", inputSchema, handler: (_input, { caller }) => String(caller.owner === true) },
];
if (process.argv.includes("mcp")) console.log("loaded");
`;

const searching = config
  .replace("modules:", "packs: { search: true }\n  modules:")
  .replace("[greet, boast]", "[greet, boast, search_tools, describe_tool, call_tool]");

function project(text = config): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "toolrack.config.yaml"), text);
  writeFileSync(join(folder, "tools.mjs"), tools);
  return folder;
}

type Server = Awaited<ReturnType<typeof openServer>>;

async function serve(folder: string, port = 0): Promise<Server> {
  const server = await openServer({ folder, port, consoleFolder: false, log });
  afterThisTest(() => server.close({ graceMs: 0 }));
  return server;
}

interface Connected {
  readonly client: Client;
  readonly errors: () => string;
}

async function connect(
  folder: string,
  agent: string,
  era: "modern" | "legacy" = "modern",
  more: Record<string, string> = {},
  words: readonly string[] = [],
  isProgram = sized(false, true),
): Promise<Connected> {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" } },
  );
  const command = ["mcp", "--agent", agent, ...words];
  const { transport, errors } = isProgram ? startedProgram(folder, command, more) : mcpHere(command, { folder, environment: more });
  await client.connect(transport);
  afterThisTest(() => client.close());
  return { client, errors };
}

function startedProgram(folder: string, words: readonly string[], environment: Readonly<Record<string, string>>): McpHere {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, ...words],
    cwd: folder,
    env: { PATH: process.env["PATH"]!, XDG_STATE_HOME: process.env["XDG_STATE_HOME"]!, ...environment },
    stderr: "pipe",
  });
  let errors = "";
  transport.stderr?.on("data", (chunk) => (errors += String(chunk)));
  return { transport, errors: () => errors };
}

const textOf = (result: unknown): unknown => (result as { content: { text: string }[] }).content[0]!.text;

describe.each(["joining the server of the folder", "opening the project"])("toolrack mcp, %s", (way) => {
  const isJoining = way.startsWith("joining");

  it.each(["modern", "legacy"] as const)("gives the official client, in the %s era, exactly the tools of its agent", async (era) => {
    const folder = project();
    if (isJoining) await serve(folder);
    const { client, errors } = await connect(folder, "anna", era, { TOOLRACK_KEY: "tro_of-no-use-here" }, [], era === "modern");
    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual(["boast", "greet"]);
    expect(textOf(await client.callTool({ name: "greet", arguments: {} }))).toBe("Hello anna.");
    expect(textOf(await client.callTool({ name: "boast", arguments: {} }))).toBe("false");
    expect(errors()).toContain(isJoining ? "from http://127.0.0.1:" : "from this project");
    // What another agent gets does not depend on the era.
    if (era === "legacy") return;
    const { client: other } = await connect(folder, "ben", era);
    expect((await other.listTools()).tools.map(({ name }) => name)).toEqual(["boast"]);
    expect(await other.callTool({ name: "greet", arguments: {} })).toMatchObject({ isError: true });
  });

  it("lists with --search the tools that find and call the others, and calls them for its agent", async () => {
    const folder = project(searching);
    if (isJoining) await serve(folder);
    const { client } = await connect(folder, "anna", "modern", {}, ["--search"]);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["search_tools", "describe_tool", "call_tool"]);
    expect(textOf(await client.callTool({ name: "call_tool", arguments: { name: "greet", input: {} } }))).toBe("Hello anna.");
  });

  it("lists with --bundle the tools of that bundle, and with --code the one that runs programs", async () => {
    const bundled = `${config}bundles: { polite: { description: Greets, required: [greet] } }\n`;
    const folder = project(
      bundled.replace("modules:", "packs: { programs: true }\n  modules:").replace("[greet, boast]", "[greet, boast, run_code]"),
    );
    if (isJoining) await serve(folder);
    const { client } = await connect(folder, "anna", "modern", {}, ["--bundle", "polite"]);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["greet"]);
    const { client: programmer } = await connect(folder, "anna", "modern", {}, ["--code"]);
    expect((await programmer.listTools()).tools.map(({ name }) => name)).toEqual(["run_code"]);
  });

  it("refuses a log level that is none, and two lists at once", async () => {
    const folder = project();
    if (isJoining) await serve(folder);
    for (const [words, errors] of [
      [["--log-level", "loud"], '"loud" is not a log level. Use one of debug, info, warn, error, silent.\n'],
      [["--code", "--search"], "Choose one list: --code for programs, --search for the search tools, or --bundle for its tools.\n"],
      [
        ["--search", "--bundle", "polite"],
        "Choose one list: --code for programs, --search for the search tools, or --bundle for its tools.\n",
      ],
    ] as const)
      expect(await run(["mcp", "--agent", "anna", ...words], { folder })).toMatchObject({ code: exitCodes.usage.code, output: "", errors });
  });

  it("refuses the owner, the names of the server, and agents that the configuration does not list", async () => {
    const folder = project();
    if (isJoining) await serve(folder);
    for (const agent of ["owner", "OWNER", " local ", "anonymous", "server"])
      expect(await run(["mcp", "--agent", agent], { folder })).toMatchObject({
        code: exitCodes.refused.code,
        output: "",
        errors: expect.stringMatching(/No client can be/),
      });
    const unlisted = await run(["mcp", "--agent", "ana"], { folder });
    expect(unlisted).toMatchObject({ output: "", errors: expect.stringContaining('Did you mean "anna"?') });
    expect(unlisted.code).not.toBe(0);
    expect(await run(["mcp"], { folder })).toMatchObject({ code: exitCodes.usage.code, errors: expect.stringContaining("--agent <id>") });
  });

  it("prints nothing but messages, and ends when its input ends", async () => {
    const folder = project();
    if (isJoining) await serve(folder);
    const child = spawn(process.execPath, [program, "mcp", "--agent", "anna"], {
      cwd: folder,
      env: { PATH: process.env["PATH"], XDG_STATE_HOME: process.env["XDG_STATE_HOME"] },
      stdio: ["pipe", "pipe", "ignore"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => (output += String(chunk)));
    const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "greet", arguments: {}, _meta: meta } };
    child.stdin.write(`${JSON.stringify(call)}\n`);
    await vi.waitFor(() => expect(output).toContain("Hello anna."), { timeout: 60_000 });
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
    for (const line of output.trim().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });
});

describe("toolrack mcp with a server", () => {
  it("does not make others sign in, leaves no key, and nothing that runs", async () => {
    const folder = project();
    const server = await serve(folder);
    const { client } = await connect(folder, "anna");
    await client.listTools();
    expect(server.requiresSignIn()).toBe(false);
    expect(await server.rack.keys.list()).toEqual([]);
    await client.close();
    await vi.waitFor(() => expect(server.rack.running.list()).toEqual([]), { timeout: 60_000 });
  });

  it.each(["modern", "legacy"] as const)("goes on in the %s era when the server comes back at another address", async (era) => {
    const folder = project();
    const server = await serve(folder);
    const { client } = await connect(folder, "anna", era);
    await client.callTool({ name: "greet", arguments: {} });
    await server.close({ graceMs: 0 });
    await expect(client.callTool({ name: "greet", arguments: {} })).rejects.toThrow("toolrack serve");
    await serve(folder);
    expect(textOf(await client.callTool({ name: "greet", arguments: {} }))).toBe("Hello anna.");
  });

  it("takes a key from a file or the environment for a server elsewhere, if it is a key of that agent alone", async () => {
    const folder = project();
    const server = await serve(folder);
    const elsewhere = temporaryFolder();
    const keyOf = async (agent: string, ...roles: string[]): Promise<string> =>
      (await server.rack.keys.create({ agent, roles, by: "test" })).secret;
    const state = temporaryFolder();
    const away = { TOOLRACK_URL: server.url, XDG_STATE_HOME: state };
    const { client } = await connect(elsewhere, "anna", "modern", { ...away, TOOLRACK_KEY: await keyOf("anna") });
    expect(textOf(await client.callTool({ name: "greet", arguments: {} }))).toBe("Hello anna.");
    const refusedWith = async (key: string): Promise<string> => {
      writeFileSync(join(elsewhere, "key"), key);
      const { code, errors } = await run(["mcp", "--agent", "anna", "--key-file", "key"], { folder: elsewhere, environment: away });
      expect(code).toBe(exitCodes.refused.code);
      return errors;
    };
    expect(await refusedWith(await keyOf("ben"))).toContain('not one of agent "anna", but of "ben"');
    expect(await refusedWith(await keyOf("anna", "owner"))).toContain("has the roles owner");
    expect(await refusedWith(readFileSync(join(folder, "owner.token"), "utf8").trim())).toContain('but of "owner"');
    const without = await run(["mcp", "--agent", "anna"], { folder: elsewhere, environment: away });
    expect(without).toMatchObject({ code: exitCodes.refused.code, errors: expect.stringContaining("toolrack keys create anna") });
  });
});
