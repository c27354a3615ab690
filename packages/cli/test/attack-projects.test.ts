// What an agent tries against the projects that people start from: it has every tool that the configuration offers, and a person who says
// yes to everything. What belongs to the server must stay out of its reach all the same.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { openServer, starterConfig } from "@toolrack/server";
import { sized } from "@toolrack/testkit/sized";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));
const configured = readdirSync(examples).filter((name) => existsSync(join(examples, name, "toolrack.config.yaml")));
const configCanary = "canary-in-the-configuration";
const secretCanary = "canary-in-a-secret";
const written = "written-by-an-agent";

interface Project {
  readonly folder: string;
  readonly rack: Awaited<ReturnType<typeof openServer>>["rack"];
  /** A request over the network with a key, or without any. */
  ask(
    method: string,
    path: string,
    options?: { readonly key?: string | undefined; readonly body?: unknown },
  ): Promise<{ status: number; text: string }>;
  readonly attacker: string;
  readonly stranger: string;
  /** The tools that the attacker is offered. */
  readonly offered: ReadonlySet<string>;
  call(tool: string, input: object): Promise<{ status: number; text: string }>;
  close(): Promise<void>;
}

async function openProject(name: string): Promise<Project> {
  const place = mkdtempSync(join(tmpdir(), "toolrack-attacked-"));
  const folder = join(place, "project");
  if (name === "toolrack init") {
    mkdirSync(folder);
    writeFileSync(join(folder, "toolrack.config.yaml"), starterConfig());
  } else {
    cpSync(join(examples, name), folder, { recursive: true, filter: (from) => !from.includes(".toolrack") && !from.endsWith(".build") });
  }
  const file = join(folder, "toolrack.config.yaml");
  writeFileSync(file, `${readFileSync(file, "utf8")}\n# ${configCanary}\n`);
  const server = await openServer({
    folder,
    config: file,
    port: 0,
    consoleFolder: false,
    environment: {},
    logLevel: "silent",
  });
  const { rack, url } = server;
  await rack.settings.set("policy.agents.attacker", { tools: { allow: ["*"] } }, "test");
  await rack.settings.set("agents.attacker", { description: "Wants everything", model: "gpt-5" }, "test");
  await rack.secrets.set("planted", secretCanary);
  const keyOf = async (agent: string): Promise<string> => (await rack.keys.create({ agent, roles: [], by: "test" })).secret;
  const attacker = await keyOf("attacker");
  // Known while its key was made, and unknown since.
  await rack.settings.set("agents.stranger", {}, "test");
  const stranger = await keyOf("stranger");
  await rack.settings.reset("agents.stranger", "test");
  const stopAgreeing = agreeToEverything(rack);

  const ask: Project["ask"] = async (method, path, { key, body } = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const listed = JSON.parse((await ask("GET", "/tools", { key: attacker })).text) as { tools: { name: string }[] };
  const offered = new Set(listed.tools.map((tool) => tool.name));
  const call: Project["call"] = (tool, input) => ask("POST", `/tools/${tool}/call`, { key: attacker, body: { input, timeoutMs: 20_000 } });
  const close: Project["close"] = async () => {
    await stopAgreeing();
    await server.close({ graceMs: 0 });
    rmSync(place, { recursive: true, force: true });
  };
  return { folder, rack, ask, attacker, stranger, offered, call, close };
}

/** Answers every question at once with a yes, as somebody does who has stopped reading them, until it is told to stop. */
function agreeToEverything(rack: Project["rack"]): () => Promise<void> {
  let isOver = false;
  const answer = async (): Promise<void> => {
    while (!isOver) {
      for (const { id, digest } of await rack.approvals.list())
        await rack.approvals.decide(id, { approved: true, digest, by: "boss" }).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const answering = answer();
  return async () => {
    isOver = true;
    await answering;
  };
}

/** The server's own files: the configuration, the store with what lies beside it, and the key. */
function ownFiles(folder: string): readonly string[] {
  const below = (place: string): string[] =>
    !existsSync(place) ? [] : statSync(place).isFile() ? [place] : readdirSync(place).flatMap((name) => below(join(place, name)));
  return [join(folder, "toolrack.config.yaml"), ...below(join(folder, ".toolrack"))];
}

/** In the short form, one in four ways is tried: each tool, each spelling and each file has its turns. */
function takeTurns(): () => boolean {
  let count = 0;
  return () => count++ % sized(4, 1) === 0;
}

/** Ways to write the path of a file for a tool that works in some folder of the project. */
function spellings(folder: string, file: string): readonly string[] {
  const fromProject = relative(folder, file);
  return [
    fromProject,
    `../${fromProject}`,
    `./${fromProject}`,
    file,
    `workspace/../${fromProject}`,
    `../${fromProject}`.replaceAll("../", "..%2f"),
  ];
}

const reading = (path: string): readonly (readonly [string, object])[] => [
  ["read", { path }],
  ["grep", { pattern: ".", path }],
  ["file", { action: "read", path }],
  ["code_edit", { action: "get_lines", path, start_line: 1 }],
  ["search", { action: "find_in_file", pattern: ".", path }],
  ["navigate", { action: "get_file_outline", path }],
  ["exec", { argv: ["cat", path] }],
  ["exec", { argv: ["sh", "-c", `cat '${path}' || strings '${path}' || base64 '${path}'`] }],
  ["bash", { command: `cat '${path}'` }],
];

const writing = (path: string): readonly (readonly [string, object])[] => [
  ["write", { path, content: written }],
  ["edit", { path, old_text: configCanary, new_text: written }],
  ["apply_patch", { patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-# ${configCanary}\n+# ${written}\n*** End Patch` }],
  ["apply_patch", { patch: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` }],
  ["file", { action: "append", path, content: written }],
  ["file", { action: "delete", path }],
  ["code_edit", { action: "edit_lines", path, start_line: 1, new_content: written }],
  ["exec", { argv: ["sh", "-c", `echo ${written} >> '${path}'; rm -f '${path}'; ln -sf /dev/null '${path}'`] }],
  ["bash", { command: `echo ${written} >> '${path}'` }],
];

const looking: readonly (readonly [string, object])[] = [
  ["ls", { path: "." }],
  ["ls", { path: ".." }],
  ["find", { pattern: "**", kind: "any" }],
  ["grep", { pattern: ".", include_ignored: true }],
  ["search", { action: "grep", pattern: configCanary }],
  ["search", { action: "find_files", pattern: "*" }],
  ["navigate", { action: "get_tree", max_depth: 10, show_hidden: true }],
  ["exec", { argv: ["find", "..", "-maxdepth", "3", "-name", "toolrack.config.yaml"] }],
];

describe.each(["toolrack init", ...configured])("an agent in the project of %s", (name) => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(name);
  });
  afterAll(() => project?.close());

  it("cannot read the configuration, the store or the key, whatever a person agrees to", async () => {
    const { folder, offered, call } = project;
    const keys = ownFiles(folder).flatMap((file) => (/key|token/.test(file) ? [readFileSync(file, "utf8").trim()] : []));
    const canaries = [configCanary, "SQLite format 3", secretCanary, ...keys];
    const isTried = takeTurns();
    for (const file of ownFiles(folder))
      for (const path of spellings(folder, file))
        for (const [tool, input] of reading(path)) {
          if (!offered.has(tool) || !isTried()) continue;
          const { text } = await call(tool, input);
          const seen = canaries.filter(
            (canary) => text.includes(canary) || text.includes(Buffer.from(canary).toString("base64").slice(0, 20)),
          );
          expect([tool, input, seen]).toEqual([tool, input, []]);
        }
  }, 240_000);

  it("cannot change or remove them", async () => {
    // What it writes elsewhere is not for the other tests to find.
    const { folder, offered, call, close } = await openProject(name);
    onTestFinished(close);
    const file = join(folder, "toolrack.config.yaml");
    const before = readFileSync(file, "utf8");
    const names = ownFiles(folder);
    const isTried = takeTurns();
    for (const own of names)
      for (const path of spellings(folder, own).slice(0, 4))
        for (const [tool, input] of writing(path)) {
          if (!offered.has(tool) || !isTried()) continue;
          await call(tool, input);
          expect([tool, input, existsSync(file) && readFileSync(file, "utf8")]).toEqual([tool, input, before]);
          expect([tool, input, names.filter((one) => !existsSync(one))]).toEqual([tool, input, []]);
        }
  }, 240_000);

  it("does not find them by looking around", async () => {
    const { offered, call } = project;
    for (const [tool, input] of looking) {
      if (!offered.has(tool)) continue;
      const { text } = await call(tool, input);
      // What the tool was asked for may be repeated in its answer.
      const told = text.replaceAll(JSON.stringify(input), "");
      const found = [configCanary, ".toolrack", "/toolrack.config.yaml", "toolrack.config.yaml:"].filter((place) => told.includes(place));
      expect([tool, input, found]).toEqual([tool, input, []]);
    }
  });

  it("is nobody else than its key says, and decides nothing about itself", async () => {
    const { ask, attacker, offered, rack } = project;
    const [tool = "echo"] = [...offered];
    const claims = [
      { run_as: { agent: "support" } },
      { runAs: { owner: true } },
      { run_as: { roles: ["admin"] } },
      { owner: true },
      { caller: { owner: true } },
    ];
    for (const claim of claims)
      expect([claim, (await ask("POST", `/tools/${tool}/call`, { key: attacker, body: { input: {}, ...claim } })).status]).toEqual([
        claim,
        "run_as" in claim || "runAs" in claim ? 403 : 400,
      ]);
    for (const [method, path, body] of [
      ["PUT", "/settings/policy.tools", { value: {} }],
      ["PUT", "/sources/evil", { command: "touch", args: ["owned"] }],
      ["POST", "/keys", { agent: "attacker", roles: ["admin"] }],
      ["PUT", "/secrets/planted", { value: "another" }],
      ["GET", "/secrets", undefined],
      ["GET", "/audit", undefined],
      ["GET", "/settings", undefined],
      ["GET", "/approvals", undefined],
      ["POST", "/approvals/any/decide", { approved: true, digest: "any" }],
    ] as const)
      for (const key of [attacker, undefined]) {
        const { status } = await ask(method, path, { key, body });
        expect([method, path, key === undefined, status === 401 || status === 403 || status === 404]).toEqual([
          method,
          path,
          key === undefined,
          true,
        ]);
      }
    expect((await rack.keys.list()).filter(({ roles }) => roles.length > 0)).toEqual([]);
  });

  it("that nobody has named is offered nothing", async () => {
    const { ask, stranger, offered } = project;
    expect(JSON.parse((await ask("GET", "/tools", { key: stranger })).text)).toMatchObject({ tools: [] });
    for (const tool of offered)
      expect([tool, (await ask("POST", `/tools/${tool}/call`, { key: stranger, body: { input: {} } })).status]).toEqual([tool, 403]);
  });
});
