import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { codeSource, defineTool } from "@toolrack/core";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { type Loopback, sendJson, startLoopback } from "@toolrack/testkit/loopback";
import { hasNats, startNats, type TestNats } from "@toolrack/testkit/nats";
import { petsDocument } from "@toolrack/testkit/pets-api";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands, families } from "../src/commands.ts";
import project from "../template/tools.ts";
import { type Ended, run } from "./_run.ts";

describe("the help", () => {
  it("describes every family, every command, every argument and every option", async () => {
    const { output } = await run(["--help"], { folder: temporaryFolder() });
    for (const first of new Set(commands.map(({ name }) => name.split(" ")[0]!))) {
      const line = output.split("\n").find((one) => new RegExp(`^ {2}${first}\\b.* {2}\\S`).test(one));
      expect(line, first).toBeDefined();
    }
    for (const { summary, arguments: words = [], options = [] } of commands)
      for (const text of [summary, ...[...words, ...options].map(({ description }) => description)]) expect(text).toMatch(/\w{2,}/);
    const isFamily = (first: string): boolean => commands.some(({ name }) => name.startsWith(`${first} `));
    const alone = new Set(commands.map(({ name }) => name));
    const needed = [...new Set(commands.map(({ name }) => name.split(" ")[0]!))].filter((first) => isFamily(first) && !alone.has(first));
    for (const first of needed) expect(families[first], first).toMatch(/\w{2,}/);
  });

  it("of a family says what it is about, and lists its commands", async () => {
    for (const [family, about] of Object.entries(families).filter(([first]) => commands.some(({ name }) => name.startsWith(`${first} `)))) {
      const { code, output } = await run([family, "--help"], { folder: temporaryFolder() });
      expect(code).toBe(0);
      expect(output.replaceAll(/\s+/g, " ")).toContain(about);
      for (const { name } of commands.filter((one) => one.name.startsWith(`${family} `))) expect(output).toContain(name.split(" ")[1]);
    }
  });

  it("shows the examples of a command", async () => {
    for (const { name, examples = [] } of commands) {
      const { output } = await run([...name.split(" "), "--help"], { folder: temporaryFolder() });
      for (const line of examples) expect(output).toContain(`  ${line}`);
    }
  });
});

const config = `
store: { sqlite: .toolrack/toolrack.db }
policy: { tools: { ask: [timer] } }
agents: { owner: {}, support: {}, local: {}, assistant: {}, tracker: {}, demo: { instructions: Show., model: scripted, budget: { turns: 1 } } }
hooks: { allowHosts: ["127.0.0.1"] }
tools: { modules: [./faq.mjs], packs: { programs: true } }
bundles: { research: { description: Reads, required: [echo] } }
`;

const mail = `export default {
  name: "send_mail",
  description: "Sends a mail to one person, and answers when it was accepted by the mail server.",
  inputSchema: { type: "object", properties: { to: { type: "string", description: "The address." } }, required: ["to"] },
  metadata: { usageHint: "Use it for mails to one person." },
  handler: ({ to }) => "sent to " + to,
};`;

/** Adds a type of source. */
const faq = `
const parts = {
  sources: [{
    type: "faq",
    options: { type: "object", properties: { file: { type: "string" } }, required: ["file"], additionalProperties: false },
    create: (options, { id }) => ({ id, list: () => [] }),
  }],
};
export default Object.defineProperty(parts, Symbol.for("toolrack.module"), { value: true });
`;

/** A program that is an MCP server. */
const memoryServer = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-memory/dist/index.js");

/** Tools of others, for the examples about them. */
const issues = ["github_create_issue", "delete_repository"].map((name) =>
  defineTool({
    name,
    description: `Does what ${name.replaceAll("_", " ")} says.`,
    inputSchema: { type: "object", properties: { owner: { type: "string", description: "The owner of the repository." } } },
    handler: () => "done",
  }),
);
/** What schedules, triggers and webhooks of the examples call. */
const office = ["report", "fetch_orders", "summarize", "file_issue"].map((name) =>
  defineTool({
    name,
    description: `Does what ${name.replaceAll("_", " ")} says.`,
    inputSchema: { type: "object", properties: { text: { type: "string" }, title: { type: "string" } } },
    handler: () => "done",
  }),
);
const build = defineTool({
  name: "build",
  description: "Builds a release of the project.",
  inputSchema: { type: "object", properties: {} },
  metadata: { needs: { programs: ["make"] } },
  handler: () => "built",
});

const tested = commands.filter(({ examples = [] }) => examples.length > 0);

/** One server and one folder for the examples of all commands, which run in the order of the help. */
describe("the examples in the help", () => {
  let folder: string;
  let server: Awaited<ReturnType<typeof openServer>>;
  /** What the examples reach instead of a server on the internet. */
  let elsewhere: Awaited<ReturnType<typeof openServer>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "toolrack-help-"));
    const files = {
      "toolrack.config.yaml": config,
      "key.txt": "sk-1\n",
      "to_fahrenheit.ts": "return input.celsius * 1.8 + 32;",
      "dice.ts": "const one = await tools.random({}); return one;",
      "dice.schema.json": "{}",
      "random_sum.json": JSON.stringify({ steps: [{ id: "one", tool: "random", input: {} }] }),
      "tools.ts": mail,
      "report.ts": "return typeof tools.echo;",
      "faq.mjs": faq,
      "toolrack.mjs": "",
      "petstore.yaml": JSON.stringify(petsDocument("https://api.example.com")),
      "programs.json": JSON.stringify({ mcpServers: { memory: { command: process.execPath, args: [memoryServer] } } }),
      "tools.json": JSON.stringify([{ name: "echo", description: "Repeats a text.", inputSchema: { type: "object" } }]),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    server = await openServer({ folder, port: 0, consoleFolder: false, logLevel: "silent", handlers: { greet: () => "Hello." } });
    documents = await startLoopback((_, response) => sendJson(response, petsDocument(documents.url)));
    await define("greet", 3);
    await server.rack.registry.addSource(codeSource("github", issues));
    await server.rack.registry.addSource(codeSource("office", office));
    await server.rack.registry.addSource(
      codeSource(
        "project",
        project.filter(({ name }) => name === "book_table"),
      ),
    );
    await server.rack.registry.addSource(codeSource("plugin:release", [build]));
    broker = hasNats ? await startNats([{ user: "all", password: "all" }]) : undefined;
    elsewhere = await openServer({ folder: temporaryFolder(), port: 0, consoleFolder: false, logLevel: "silent" });
    const { host } = new URL(elsewhere.url);
    const servers = JSON.stringify({ servers: { github: { url: `${elsewhere.url}/mcp` } } });
    for (const editor of [".cursor", ".vscode"]) {
      await mkdir(join(folder, editor));
      await writeFile(join(folder, editor, "mcp.json"), servers);
    }
    reached = [host, `--allow-host ${host}`];
    await server.rack.secrets.set("github-token", elsewhere.rack.ownerToken.text, { by: "test" });
    const { secret } = await server.rack.keys.create({ agent: "assistant", roles: [], by: "test" });
    await writeFile(join(folder, "assistant.key"), secret);
  });
  afterAll(async () => {
    await documents[Symbol.asyncDispose]();
    await broker?.stop();
    await elsewhere.close({ graceMs: 0 });
    await server.close({ graceMs: 0 });
    await rm(folder, { recursive: true, force: true });
  });

  let reached: readonly [host: string, flag: string];
  let documents: Loopback;
  let broker: TestNats | undefined;

  /** A stored definition with some revisions; the newest is a draft. */
  async function define(name: string, revisions: number): Promise<void> {
    const { store } = server.rack;
    for (let version = 1; version <= revisions; version += 1) {
      const description = `Greets somebody by name, in the words of version ${version}.`;
      const inputSchema = { type: "object", properties: {} };
      const context = { name, description, inputSchema, implementation: { kind: "local", id: "greet" } };
      const draft = { id: `tool-def-${name}`, schema_name: "tool.definition.v1", title: `Version ${version}`, context };
      const old = await store.get(draft.id);
      expect(await store.put(old === undefined ? draft : { ...old, ...draft }, { undecided: true })).toMatchObject({ ok: true });
    }
  }

  /** A call that waits for a person; gives the id of its approval. */
  async function ask(): Promise<string> {
    const before = new Set((await server.rack.approvals.list()).map(({ id }) => id));
    void server.rack.call(
      "timer",
      { seconds: 0.01 + Math.random() / 100 },
      { caller: { agent: "support", principal: `key ${Math.random()}` } },
    );
    const isNew = ({ id }: { readonly id: string }): boolean => !before.has(id);
    await until(async () => (await server.rack.approvals.list()).some(isNew));
    return (await server.rack.approvals.list()).find(isNew)!.id;
  }

  /** What stands in the examples for something that is different each time, or that a test has no network for. */
  async function standIns(line: string): Promise<string> {
    let made = line.replaceAll(/https?:\/\/(127\.0\.0\.1:7333|tools\.example\.com)/g, server.url).replace("--port 8080", "--port 0");
    made = made.replace(/^toolrack serve$/, "toolrack serve --port 0").replace(/^toolrack dev$/, "toolrack dev --port 0");
    if (made.startsWith("toolrack worker ")) made = `${made} --user all`;
    made = made.replace("env:NEW_DATABASE_URL", "copy.db");
    if (made.includes("npx -y @modelcontextprotocol/server-memory")) made = made.replace(/npx .*$/, `${process.execPath} ${memoryServer}`);
    made = made
      .replace(".cursor/mcp.json --connect", "programs.json --connect")
      .replace("--connect --allow-host 127.0.0.1:3000", reached[1]);
    made = made.replace("nats://127.0.0.1:4222", broker?.url ?? "").replace("ed25519:…", server.rack.sources.workers().publicKey);
    if (/^toolrack sources (?:add|import)/.test(made)) {
      made = made
        .replace(/https:\/\/(?:docs\.example|api\.githubcopilot)\.com/, `http://${reached[0]}`)
        .replaceAll("127.0.0.1:3000", reached[0]);
      if (!made.includes("--allow-host") && !/ -- | --type /.test(made)) made = `${made} ${reached[1]}`;
    }
    made = made.replace("https://api.example.com/openapi.json", `${documents.url}/openapi.json`);
    if (/--openapi|openapi plan http/.test(made)) made = `${made} --allow-host ${documents.host}`;
    if (made.includes("--digest 5f0c…")) made = made.replace("5f0c…", await waitingDigest());
    made = made.replace("~/", `${folder}/`);
    const approval = /approval-(?!waiting)\w{4}/.exec(made)?.[0];
    if (approval !== undefined) made = made.replace(approval, await approvalFor(made));
    made = made.replace("https://hooks.example.com", documents.url);
    if (made.includes("hooks replay desk")) made = made.replace("0mh3c8", await deadDelivery());
    if (/^toolrack jobs \w+ 0mh3/.test(made)) made = made.replace("0mh3", await jobFor(made));
    if (made.includes("program-0mh3")) made = made.replace("program-0mh3", await waitingProgram());
    if (made.startsWith("toolrack keys revoke")) made = `toolrack keys revoke ${await keyId()}`;
    if (made.includes("sha256:91a6…")) made = made.replace("sha256:91a6…", await hashOf("greet"));
    return made;
  }

  /** Of all definitions of a source that wait for a person. */
  async function waitingDigest(): Promise<string> {
    return ((await run(["approvals", "source", "mcp:github", "--json"], { folder })).json() as { digest: string }).digest;
  }

  /** The id of a job in the state that the command is for. */
  async function jobFor(line: string): Promise<string> {
    const { jobs } = server.rack;
    const caller = { agent: "owner", principal: "owner", owner: true };
    const isShown = line.includes("jobs show");
    const { job } = await jobs.add({ tool: "report", input: {}, caller, ...(!isShown && { at: Date.now() + 3_600_000 }) });
    if (line.includes("jobs replay")) await jobs.cancel(job.id);
    return job.id;
  }

  /** The id of a delivery that died: its webhook was paused by the time. */
  async function deadDelivery(): Promise<string> {
    const { endpoints } = server.rack.automation;
    await endpoints.pause("desk", "test");
    const sent = await endpoints.test("desk", "test");
    await until(async () => (await endpoints.deliveries("desk", { state: "dead" })).length === 1);
    await endpoints.resume("desk", "test");
    return sent!.delivery;
  }

  /** The id of a program that waits for a person. */
  async function waitingProgram(): Promise<string> {
    const { rack } = server;
    const isOpen = async (): Promise<string | undefined> => (await rack.programs.list()).find(({ status }) => status === "waiting")?.id;
    if ((await isOpen()) === undefined)
      void rack.call("run_code", { code: "return await tools.timer({ seconds: 0.01 });" }, { caller: { agent: "support" } });
    await until(async () => (await isOpen()) !== undefined);
    return (await isOpen())!.slice(0, 30);
  }

  /** Of a key that another command made. */
  async function keyId(): Promise<string> {
    await until(async () => (await server.rack.keys.list()).length > 0);
    return (await server.rack.keys.list())[0]!.id.slice(0, 8);
  }

  async function hashOf(tool: string): Promise<string> {
    const { definitions } = (await run(["approve", "--json"], { folder })).json() as { definitions: { name: string; hash: string }[] };
    return definitions.find(({ name }) => name === tool)!.hash;
  }

  async function approvalFor(line: string): Promise<string> {
    const id = await ask();
    if (!line.includes("approvals forget")) return id.slice(0, 20);
    await server.rack.approvals.decide(id, { approved: true, scope: "always", by: "test" });
    return id.slice(0, 20);
  }

  /** A folder with the same configuration and keys, and an empty store. */
  async function emptyCopy(): Promise<string> {
    const place = temporaryFolder();
    await cp(folder, place, { recursive: true, filter: (path) => !/\.db|\.sock/.test(path) });
    return place;
  }

  /** Runs one line as a shell would: quotes, a pipe from echo, redirections, $( ) and <( ). */
  async function runLine(line: string): Promise<Ended> {
    const inner = /[$<]\((.*)\)/.exec(line)?.[1];
    if (inner !== undefined) return runLine(inner);
    const [, piped] = /^echo '(.*?)' \| /.exec(line) ?? [];
    const [, file] = / < (\S+)$/.exec(line) ?? [];
    const input = piped ?? (file === undefined ? "typed\n" : await readFile(join(folder, file), "utf8"));
    const command = line.replace(/^echo '.*?' \| /, "").replace(/ [<>] \S+$/, "");
    const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare!);
    expect(words[0]).toBe("toolrack");
    // A second server would take over the folder of the first.
    const needsOwnFolder = / restore toolrack-\S+\.backup$|^toolrack (?:serve|dev)/.test(line);
    const needsEmptyFolder = / init\b/.test(line);
    const ending = new AbortController();
    const ended = await run(words.slice(1), {
      folder: needsEmptyFolder ? temporaryFolder() : needsOwnFolder ? await emptyCopy() : folder,
      environment: { HOME: folder, PATH: process.env["PATH"]!, TOOLRACK_BROKER_PASSWORD: "all" },
      script: join(folder, "toolrack.mjs"),
      input,
      signal: ending.signal,
      onOutput: (text) => /Ctrl-C|^Ready: worker/.test(text) && ending.abort(),
    });
    const [, written] = / > (\S+)$/.exec(line) ?? [];
    if (written !== undefined) {
      await mkdir(dirname(resolve(folder, written)), { recursive: true });
      await writeFile(resolve(folder, written), ended.output);
    }
    return ended;
  }

  /** What an example needs that the ones before it used up or made. */
  async function prepare(line: string): Promise<void> {
    if (line === "toolrack approvals source mcp:github") {
      const address = {
        url: `${elsewhere.url}/mcp`,
        allowHosts: [reached[0]],
        headers: { Authorization: "Bearer ${secret:github-token}" },
      };
      await server.rack.settings.set("sources.github", address, "test");
      const nothing = createHash("sha256").digest("base64url");
      await until(
        async () => (await run(["approvals", "source", "mcp:github"], { folder })).code === 0 && (await waitingDigest()) !== nothing,
      );
    }
    if (/^toolrack sources (?:import|add github)/.test(line)) await server.rack.settings.set("sources.github", null, "test");
    if (line === "toolrack doctor") {
      for (const name of ["weather-key", "PETS_KEY"]) await server.rack.secrets.set(name, "typed", { by: "test" });
      await server.rack.registry.removeSource("plugin:release");
      const { seen } = (await run(["approve", "--json"], { folder })).json() as { seen: { tool: string; digest: string }[] };
      for (const { tool, digest } of seen)
        expect((await run(["approve", tool, "--hash", digest, "--reason", "reviewed"], { folder })).code).toBe(0);
    }
    if (line === "toolrack sessions resume agent:demo:notes") {
      const { agents } = server.rack;
      const caller = { agent: "owner", principal: "owner", owner: true };
      const [session, from] = ["agent:demo:notes", { kind: "person" }] as const;
      const stopped = await agents.start("demo", { input: "call greet\ncall greet", session, caller, from });
      await agents.settled(stopped.session, AbortSignal.timeout(60_000));
    }
    if (line.includes("records export")) await rm(join(folder, "records"), { recursive: true, force: true });
    if (/backup toolrack-/.test(line)) await rm(join(folder, "toolrack-2026-01-31.backup"), { force: true });
    if (/restore .*toolrack-2026/.test(line) && !(await readdir(folder)).includes("toolrack-2026-01-31.backup"))
      expect((await run(["backup", "toolrack-2026-01-31.backup"], { folder })).code).toBe(0);
    if (/records import|bootstrap/.test(line) && !(await readdir(folder)).includes("records"))
      expect((await run(["records", "export", "./records"], { folder })).code).toBe(0);
  }

  it.each(tested.map(({ name, examples }) => [name, examples!] as const))("of %s work", async (_name, examples) => {
    for (const example of examples) {
      await prepare(example);
      if (example.startsWith("toolrack worker ") && broker === undefined) continue;
      const line = await standIns(example);
      const ended = await runLine(line);
      expect({ line, code: ended.code, errors: ended.code === 0 ? "" : ended.errors + ended.output }).toEqual({
        line,
        code: 0,
        errors: "",
      });
    }
  });
});
