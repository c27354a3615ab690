import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool, type Logger } from "@toolrack/core";
import { listAudit } from "@toolrack/store";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { openTestServer, serverOver, type TestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const withHandler = { rack: { handlers: { echo: (input: unknown) => input } } };
const note = (id: string, text: string, more: object = {}): object => ({
  id,
  schema_name: "note.v1",
  title: id,
  tags: ["note"],
  context: { text },
  ...more,
});
const definition = (name: string): object => ({
  schema_name: "tool.definition.v1",
  title: name,
  context: {
    name,
    description: "Adds one.",
    implementation: { kind: "local", id: "echo" },
    inputSchema: { type: "object", properties: { x: { type: "integer" } } },
  },
});

async function exported(server: TestServer, limit = 1_000): Promise<{ records: any[]; withheld: number }> {
  const all = { records: [] as any[], withheld: 0 };
  for (let cursor = ""; ;) {
    const { status, body } = await server.ask("GET", `/records/export?limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    expect(status).toBe(200);
    all.records.push(...body.records);
    all.withheld += body.withheld;
    if (body.cursor === undefined) return all;
    cursor = body.cursor;
  }
}

async function checksums(server: TestServer): Promise<Record<string, string>> {
  const { records } = (await server.ask("GET", "/breadcrumbs?limit=1000")).body;
  // What each server writes about its own tools is not part of an export.
  const written = records.filter(({ created_by }: { created_by: string }) => created_by !== "toolrack-server");
  return Object.fromEntries(written.map(({ id, checksum }: { id: string; checksum: string }) => [id, checksum]));
}

describe("H25: export and import over HTTP", () => {
  // row: H25
  it("give an empty store the same records, with the same checksums, page by page", async () => {
    await using first = await openTestServer(withHandler);
    const notes = Array.from({ length: 7 }, (_, index) => note(`n${index}`, `text ${index}`));
    expect((await first.ask("POST", "/records/import", { records: [...notes, definition("adder")] })).body).toMatchObject({
      created: 8,
      updated: 0,
      unchanged: 0,
      kept: 0,
      problems: [],
    });
    await first.ask("POST", "/breadcrumbs", note("hidden", "s3cret-body", { sensitivity: "secret" }));
    const { records, withheld } = await exported(first, 3);
    expect([records.length, withheld]).toEqual([8, 1]);
    expect(JSON.stringify(records)).not.toContain("s3cret-body");

    await using second = await openTestServer(withHandler);
    expect((await second.ask("POST", "/records/import", { records })).body).toMatchObject({ created: 8, problems: [] });
    const { hidden: _, ...before } = await checksums(first);
    expect(await checksums(second)).toMatchObject(Object.fromEntries(Object.entries(before).filter(([id]) => !id.includes("catalog"))));
    expect((await second.ask("POST", "/records/import", { records })).body).toMatchObject({ created: 0, updated: 0, unchanged: 8 });
  });

  it("decide nothing unless a reason is given, and then in the name of the owner", async () => {
    await using server = await openTestServer(withHandler);
    const records = [definition("adder")];
    await server.ask("POST", "/records/import", { records });
    expect((await server.ask("GET", "/lifecycle")).body.definitions).toMatchObject([{ name: "adder", state: "draft" }]);
    const approve = { reason: "Written by us", which: "all" };
    expect((await server.ask("POST", "/records/import", { records, approve })).body).toMatchObject({ updated: 1, problems: [] });
    expect((await server.ask("GET", "/lifecycle")).body.definitions).toMatchObject([{ name: "adder", state: "approved" }]);
  });

  it("refuse each wrong record alone, with its place, and secrets always", async () => {
    await using server = await openTestServer(withHandler);
    const secret = { schema_name: "tool.secret.v1", context: { name: "x" } };
    const { status, body } = await server.ask("POST", "/records/import", { records: [note("a", "good"), { context: {} }, 7, secret] });
    expect([status, body.created]).toEqual([200, 1]);
    expect(body.problems).toMatchObject([
      { record: 1, problem: expect.stringContaining("schema_name") },
      { record: 2, problem: expect.stringContaining("schema_name") },
      { record: 3, problem: expect.stringContaining("secret") },
    ]);
    await server.rack.secrets.set("smtp", "a value");
    const over = await server.ask("POST", "/records/import", { records: [note("secret-smtp", "mine now")] });
    expect(over.body).toMatchObject({ created: 0, updated: 0, problems: [{ record: 0, problem: expect.stringContaining("secret") }] });
    expect((await server.ask("POST", "/records/import", { records: "all" })).status).toBe(400);
    expect((await server.ask("POST", "/records/import", { records: Array(1_001).fill(note("a", "b")) })).status).toBe(400);
    expect((await server.ask("POST", "/records/import", { records: [], approve: { reason: " " } })).status).toBe(400);
    expect((await server.ask("GET", "/records/export?cursor=nonsense")).status).toBe(400);
  });
});

const model = defineTool({
  name: "ask_model",
  description: "Asks a model.",
  inputSchema: { type: "object", properties: {} },
  metadata: { configSchema: { type: "object", properties: { temperature: { type: "number", maximum: 2 } } } },
  handler: () => "ok",
});
const settings = (temperature: unknown): object => ({
  schema_name: "tool.config.v1",
  title: "ask_model",
  context: { tool: "ask_model", config: { temperature } },
});

it.each(["/records/import", "/records/bootstrap"])("POST %s refuses settings that the tool itself would not take", async (path) => {
  await using server = await openTestServer({ tools: [model] });
  const { status, body } = await server.ask("POST", path, { records: [settings(3), note("a", "good")] });
  expect([status, body]).toMatchObject([
    200,
    { created: 1, problems: [{ record: 0, problem: expect.stringMatching(/settings of "ask_model" are wrong: .*temperature/) }] },
  ]);
  expect((await server.ask("GET", "/configs/ask_model")).body.values).toEqual({});
  expect((await server.ask("POST", path, { records: [settings(1)] })).body).toMatchObject({ created: 1, problems: [] });
  expect((await server.ask("GET", "/configs/ask_model")).body.values).toEqual({ temperature: 1 });
});

describe("H24: bootstrap over HTTP", () => {
  // row: H24
  it("creates and approves what is missing, keeps what was changed here, and changes nothing the second time", async () => {
    await using server = await openTestServer(withHandler);
    const records = [note("a", "first"), note("b", "first"), definition("adder")];
    expect((await server.ask("POST", "/records/bootstrap", { records })).body).toMatchObject({ created: 3, kept: 0, problems: [] });
    expect((await server.ask("GET", "/lifecycle")).body.definitions).toMatchObject([{ name: "adder", state: "approved" }]);
    await server.ask("PATCH", "/breadcrumbs/a", { context: { text: "changed here" } });
    const position = (await server.rack.store.searchBreadcrumbs({})).map(({ id, version }) => [id, version]);
    const again = (await server.ask("POST", "/records/bootstrap", { records })).body;
    expect(again).toEqual({ created: 0, updated: 0, unchanged: 2, kept: 1, problems: [] });
    expect((await server.rack.store.searchBreadcrumbs({})).map(({ id, version }) => [id, version])).toEqual(position);
    expect((await server.ask("GET", "/breadcrumbs/a")).body.context.text).toBe("changed here");
  });

  it("does not approve again what a curator decided against", async () => {
    await using server = await openTestServer(withHandler);
    const records = [definition("adder")];
    await server.ask("POST", "/records/bootstrap", { records });
    const archived = await server.ask("POST", "/lifecycle/tool-def-adder/archive", { reason: "Not used" });
    expect(archived.status).toBeLessThan(300);
    await server.ask("POST", "/records/bootstrap", { records });
    expect((await server.ask("GET", "/lifecycle")).body.definitions).toMatchObject([{ name: "adder", state: "archived" }]);
  });
});

describe("export, import, bootstrap and rewrap", () => {
  it("are for the owner only, and written to the audit log", async () => {
    await using server = await openTestServer(withHandler);
    const admin = await server.as("ada", "admin");
    const curator = await server.as("cora", "curator");
    for (const ask of [admin, curator]) {
      expect((await ask("GET", "/records/export")).status).toBe(403);
      for (const path of ["/records/import", "/records/bootstrap"])
        expect((await ask("POST", path, { records: [note("a", "b")] })).status).toBe(403);
      expect((await ask("POST", "/master-key/rewrap", {})).status).toBe(403);
    }
    await server.ask("POST", "/records/import", { records: [note("a", "b")] });
    await server.ask("POST", "/records/bootstrap", { records: [note("c", "d")] });
    await exported(server);
    const lines = await listAudit(server.rack.store, { kinds: ["records-imported", "records-bootstrapped", "records-exported"] });
    expect(lines.map(({ kind, agent }) => [kind, agent]).sort()).toEqual([
      ["records-bootstrapped", "owner"],
      ["records-exported", "owner"],
      ["records-imported", "owner"],
    ]);
  });
});

describe("H17: a rotation of the master key over HTTP", () => {
  // row: H17
  it("leaves old secrets readable and the old key useless, and no key in an answer, a log line or a file", async () => {
    const [one, two] = [1, 2].map((seed) => Buffer.alloc(32, 64 + seed)) as [Buffer, Buffer];
    const [before, after] = [one.toString("base64"), two.toString("base64")];
    const folder = temporaryFolder();
    const config = { store: { sqlite: join(folder, "data", "toolrack.db") } };
    const lines: string[] = [];
    const add = (text: string, fields?: object): void => void lines.push(`${text} ${JSON.stringify(fields ?? {})}`);
    const log: Logger = { debug: add, info: add, warn: add, error: add };
    const start = (environment: Record<string, string>) => openTestRack({ folder, config, log, environment });

    const first = await start({ TOOLRACK_MASTER_KEY: before });
    await first.secrets.set("api-key", "the value");
    await first.close();
    const second = await start({ TOOLRACK_MASTER_KEY: after, TOOLRACK_PREVIOUS_KEYS: before });
    const answer = await serverOver(second).request("POST", "/api/v1/master-key/rewrap", { body: {} });
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)]).toMatchObject([200, { secrets: 1, needsPreviousKeys: false }]);
    await second.close();

    const third = await start({ TOOLRACK_MASTER_KEY: after });
    expect(await third.secrets.get({ name: "api-key", tool: "t", callId: "c", caller: {} })).toBe("the value");
    await third.close();
    const old = await start({ TOOLRACK_MASTER_KEY: before });
    await expect((async () => old.secrets.get({ name: "api-key", tool: "t", callId: "c", caller: {} }))()).rejects.toMatchObject({
      code: "SECRET_UNREADABLE",
    });
    await old.close();

    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(0);
    const contents = [
      Buffer.from(text),
      Buffer.from(lines.join("\n")),
      ...files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))),
    ];
    for (const key of [one, two])
      for (const form of [
        key,
        Buffer.from(key.toString("base64")),
        Buffer.from(key.toString("base64url")),
        Buffer.from(key.toString("hex")),
      ])
        for (const content of contents) expect(content.includes(form)).toBe(false);
  });
});
