import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Caller, createMemorySecrets, createRegistry, type Registry, type ToolResult } from "@toolrack/core";
import { lintTools } from "@toolrack/core/lint";
import { assertTool, findDrift } from "@toolrack/core/testing";
import { type BreadcrumbStore, createMemoryStore, localActor, type Role } from "@toolrack/store";
import { sendJson, startLoopback } from "@toolrack/testkit/loopback";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFolderNotes, createMemoryTools, type MemoryOptions } from "../../src/index.ts";

let folder: string;
const write = (path: string, text: string): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};

function registryWith(options: MemoryOptions = { folder }, services?: unknown): Registry {
  const registry = createRegistry({ services });
  for (const tool of createMemoryTools(options)) registry.register(tool);
  return registry;
}
const dataOf = (result: ToolResult): any => (result.ok ? result.data : expect.fail(result.error));
const search = async (registry: Registry, query: string, more: object = {}): Promise<any> =>
  dataOf(await registry.invoke("memory_search", { query, ...more }));
const get = (registry: Registry, note: string, more: object = {}): Promise<ToolResult> => registry.invoke("memory_get", { note, ...more });

const tea =
  "# Suppliers\n\nWe have several.\n\n## Tea\n\nThe tea supplier is Hillside in Assam.\nThey deliver on Mondays.\n\n## Coffee\n\nBought in town.\n";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolrack-notes-"));
  write("tea.md", tea);
  write("people/ada.md", "# Ada\n\nAda prefers green tea and mornings.\n");
  write("garden.txt", "Roses were planted in March.\nThe roof leaks above the shed.\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("memory over notes", () => {
  it("passes the test kit, and lint has nothing to warn of", async () => {
    for (const tool of createMemoryTools({ folder })) {
      await assertTool(tool);
      expect(await findDrift(tool), tool.name).toMatchObject({ ok: true });
    }
    expect(lintTools(createMemoryTools({ folder })).filter((finding) => finding.severity !== "info")).toEqual([]);
  });

  // row: J5
  it("finds a planted note, the best first, with its lines", async () => {
    const { results } = await search(registryWith(), "who is our tea supplier?");
    expect(results[0]).toMatchObject({ source: "notes", note: "tea.md", heading: "Suppliers › Tea", start_line: 5, end_line: 9 });
    expect(results[0].snippet).toContain("Hillside in Assam");
    expect(results.map((result: { score: number }) => result.score)).toEqual(
      results.map((result: { score: number }) => result.score).sort((a: number, b: number) => b - a),
    );
    expect((await search(registryWith(), "planting a rose")).results[0]).toMatchObject({ note: "garden.txt", start_line: 1 });
    expect((await search(registryWith(), "zeppelin")).results).toEqual([]);
    expect((await search(registryWith(), "tea", { max_results: 1 })).count).toBe(1);
  });

  it("reads the lines that a search named", async () => {
    const registry = registryWith();
    const [{ note, start_line, end_line }] = (await search(registry, "supplier assam")).results;
    const read = dataOf(await get(registry, note, { from: start_line, lines: end_line - start_line + 1 }));
    expect(read.text).toBe(
      tea
        .split("\n")
        .slice(start_line - 1, end_line)
        .join("\n"),
    );
    expect(read).toMatchObject({ from: 5, to: 9, total_lines: 13 });
    expect(dataOf(await get(registry, "tea.md", { from: 1_000 }))).toMatchObject({ text: "", from: 1_000, to: 999 });
    expect(dataOf(await registry.invoke("memory_get", { path: "people/ada.md" })).text).toContain("green tea");
  });

  it("sees what was written, changed and removed since", async () => {
    const registry = registryWith();
    await search(registry, "tea");
    write("new.md", "The zeppelin lands at noon.");
    expect((await search(registry, "zeppelin")).results[0]).toMatchObject({ note: "new.md" });
    write("new.md", "The balloon lands at noon, rather late.");
    expect((await search(registry, "zeppelin")).count).toBe(0);
    expect((await search(registry, "balloon")).count).toBe(1);
    unlinkSync(join(folder, "new.md"));
    expect((await search(registry, "balloon")).count).toBe(0);
    expect(await get(registry, "new.md")).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringContaining("memory_search"),
    });
  });

  it("goes on when a note vanishes while it is searched", async () => {
    const notes = createFolderNotes(folder);
    const racing = { ...notes, read: (path: string) => (path === "tea.md" ? Promise.resolve(undefined) : notes.read(path)) };
    expect(
      (await search(registryWith({ operations: { notes: racing } }), "tea")).results.map((result: { note: string }) => result.note),
    ).toEqual(["people/ada.md"]);
  });

  it("says how many notes were too large to be searched", async () => {
    write("huge.md", "zeppelin ".repeat(150_000));
    expect(await search(registryWith(), "zeppelin tea")).toMatchObject({ skipped: 1, count: expect.any(Number) });
    expect(await get(registryWith(), "huge.md")).toMatchObject({ ok: false, error: expect.stringContaining("Divide it") });
  });

  it("takes any query for words", async () => {
    const registry = registryWith();
    for (const query of [".*", "(tea", "\0", "' or 1=1", "$(reboot)", "__proto__", "constructor", "🦄", " "])
      expect((await search(registry, query)).count, query).toBeLessThanOrEqual(4);
  });

  it("ends when the caller gives up", async () => {
    const controller = new AbortController();
    controller.abort();
    expect(await registryWith().invoke("memory_search", { query: "tea" }, { signal: controller.signal })).toMatchObject({
      ok: false,
      code: "ABORTED",
    });
  });

  it("says what to hand in where there is nothing", async () => {
    expect(await registryWith({}).invoke("memory_search", { query: "tea" })).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION" });
    expect(await registryWith({ folder: join(folder, "none") }).invoke("memory_search", { query: "tea" })).toMatchObject({
      ok: false,
      code: "NEEDS_CONFIGURATION",
    });
    expect(await get(registryWith({}), "tea.md")).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION" });
  });
});

describe("memory and paths that lead out of the folder", () => {
  it("reads nothing outside, in whatever notation it is asked for", async () => {
    const secret = `${folder}-evil`;
    mkdirSync(secret);
    writeFileSync(join(secret, "secret.md"), "the secret treasure");
    symlinkSync(join(secret, "secret.md"), join(folder, "link.md"));
    symlinkSync(secret, join(folder, "linked"));
    const registry = registryWith();
    const name = folder.split("/").at(-1)!;
    const paths = [
      `../${name}-evil/secret.md`,
      `people/../../${name}-evil/secret.md`,
      join(secret, "secret.md"),
      "/etc/passwd.md",
      "link.md",
      "linked/secret.md",
      `..%2f${name}-evil%2fsecret.md`,
      `%2e%2e/${name}-evil/secret.md`,
      "tea.md\0.txt",
      "..\\secret.md",
      "tea.md:stream.md",
      "a/".repeat(400) + "x.md",
    ];
    for (const path of paths) {
      const result = await get(registry, path);
      expect(result.ok, path).toBe(false);
      expect(JSON.stringify(result), path).not.toContain("treasure");
    }
    expect((await search(registry, "treasure")).results).toEqual([]);
    rmSync(secret, { recursive: true });
  });

  it("reads only notes, no hidden files and no others beside them", async () => {
    write(".env.md", "hidden treasure");
    write(".git/note.md", "hidden treasure");
    write("key.pem", "hidden treasure");
    mkdirSync(join(folder, "folder.md"));
    linkSync(join(folder, "key.pem"), join(folder, "key.json"));
    const registry = registryWith();
    for (const path of [".env.md", ".git/note.md", "key.pem", "key.json", "folder.md", "./.env.md"])
      expect((await get(registry, path)).ok, path).toBe(false);
    expect((await search(registry, "treasure")).results).toEqual([]);
  });
});

describe("memory over records", () => {
  let store: BreadcrumbStore;
  beforeEach(async () => {
    store = await createMemoryStore();
    await store.put({
      id: "gate",
      schema_name: "note.v1",
      title: "Delivery",
      tags: ["warehouse"],
      context: { text: "The gate code is changed every Friday" },
    });
    await store.put({ id: "mine", schema_name: "note.v1", title: "Diary", context: { text: "A private gate" }, visibility: "private" });
  });
  afterEach(() => store.close());
  const openFor = ({ caller }: { caller: Caller }) =>
    store.as({ owner: caller.tenant ?? localActor.owner, agent: caller.agent ?? "guest", roles: (caller.roles ?? []) as readonly Role[] });

  it("finds and reads them beside notes, with their lines", async () => {
    const registry = registryWith({ folder }, { breadcrumbs: store });
    write("gate.md", "The garden gate squeaks.");
    const { results } = await search(registry, "gate code friday");
    expect(results[0]).toMatchObject({ source: "records", note: "record:gate", heading: "Delivery", start_line: 1 });
    expect(results.map((result: { source: string }) => result.source)).toContain("notes");
    expect((await search(registry, "gate", { source: "notes" })).results).toMatchObject([{ note: "gate.md" }]);
    const read = dataOf(await get(registry, "record:gate"));
    expect(read.text).toContain("changed every Friday");
    expect(await get(registry, "record:none")).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(await get(registry, "record:' or 1=1")).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });

  it("sees them with the eyes of the caller", async () => {
    const registry = registryWith({ breadcrumbs: openFor });
    const ask = async (caller: Caller): Promise<string[]> =>
      dataOf(await registry.invoke("memory_search", { query: "gate" }, { caller })).results.map((result: { note: string }) => result.note);
    expect(await ask({ agent: "reader", roles: ["emitter"] })).toEqual(["record:gate"]);
    expect(await ask({ agent: "chief", roles: ["curator"] })).toEqual(expect.arrayContaining(["record:gate", "record:mine"]));
    expect(await ask({ agent: "chief", roles: ["curator"], tenant: "other" })).toEqual([]);
    expect(await registry.invoke("memory_get", { note: "record:mine" }, { caller: { agent: "reader", roles: ["emitter"] } })).toMatchObject(
      { ok: false },
    );
  });
});

describe("memory by meaning", () => {
  /** Words that mean the same share a place; the service knows no others. */
  const concepts = [
    ["car", "automobile", "vehicle"],
    ["doctor", "physician"],
    ["roof", "ceiling"],
    ["broken", "leaks"],
  ];
  const vectorOf = (text: string): number[] => concepts.map((words) => words.filter((word) => text.toLowerCase().includes(word)).length);

  // row: J5
  it("finds a note that uses other words, by the vectors of a service", async () => {
    await using server = await startLoopback((request, response) => {
      if (request.headers.authorization !== "Bearer embed-key-1") return sendJson(response, { error: { message: "no" } }, 401);
      const { input } = JSON.parse(request.body) as { input: string[] };
      sendJson(response, { data: input.map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) })).reverse() });
    });
    write("trip.md", "# Trip\n\nThe automobile was left at the harbour.");
    const tools = createMemoryTools({ folder, embeddings: { baseUrl: `${server.url}/v1`, model: "tiny", secret: "embed-key" } });
    const registry = createRegistry({ secrets: createMemorySecrets({ "embed-key": "embed-key-1" }) });
    for (const tool of tools) registry.register(tool);
    expect((await search(registryWith(), "where is my car")).results).toEqual([]);
    expect((await search(registry, "where is my car")).results[0]).toMatchObject({ note: "trip.md" });
    expect((await search(registry, "tea supplier")).results[0]).toMatchObject({ note: "tea.md" });
    const sent = server.seen.map((request) => (JSON.parse(request.body) as { input: string[] }).input.length);
    expect(sent[0]).toBeGreaterThan(1);
    expect(sent[1]).toBe(1);
    expect(server.seen[0]).toMatchObject({ path: "/v1/embeddings", method: "POST" });
  });

  it("says so when the service answers with something else", async () => {
    await using server = await startLoopback((_request, response) => sendJson(response, { data: [{ index: 0, embedding: ["x"] }] }));
    expect(() => createMemoryTools({ folder, embeddings: { baseUrl: "nowhere", model: "tiny" } })).toThrow(/embeddings.baseUrl/);
    const registry = registryWith({ folder, embeddings: { baseUrl: server.url, model: "tiny" } });
    expect(await registry.invoke("memory_search", { query: "tea" })).toMatchObject({
      ok: false,
      code: "TOOL_FAILED",
      error: expect.stringContaining("vector"),
    });
  });
});
