import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createRegistry, defineTool } from "@toolrack/core";
import { afterAll, describe, expect, it } from "vitest";
import { listAudit } from "../../src/audit/audit.ts";
import { stateOf } from "../../src/catalog/state.ts";
import { exportRecords, importRecords } from "../../src/files/transfer.ts";
import { approveDefinition, archiveDefinition, deprecateDefinition, validateDefinition } from "../../src/lifecycle/lifecycle.ts";
import { definitionHash } from "../../src/record/decision.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { createSqliteStore } from "../../src/store/sqlite.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";
import { publishTool } from "../../src/tools/publish.ts";
import { recordSource } from "../../src/tools/record-source.ts";
import { definition, written } from "../../src/testing/contract/_samples.ts";
import { approveAsSeen } from "./approve.ts";

const folder = mkdtempSync(join(tmpdir(), "toolrack-decisions-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const id = "tool-def-t";
const emitterOf = (store: BreadcrumbStore): BreadcrumbStore => store.as({ owner: "local", agent: "bot", roles: ["emitter"] });
const state = async (store: BreadcrumbStore, of = id): Promise<string> => stateOf((await store.get(of))!);

async function approved(): Promise<{ store: BreadcrumbStore; emitter: BreadcrumbStore }> {
  const store = createMemoryStore();
  const emitter = emitterOf(store);
  written(await emitter.put(definition("t")));
  await validateDefinition(emitter, id);
  await approveAsSeen(store, id, { reason: "Read." });
  return { store, emitter };
}

describe("the decision about a definition", () => {
  it("SD5: an unrelated edit by a curator approves nothing that an emitter wrote", async () => {
    const store = createMemoryStore();
    const emitter = emitterOf(store);
    written(await emitter.put(definition("t")));
    written(await emitter.put(definition("u", { state: "approved" })));
    for (const of of [id, "tool-def-u"]) {
      written(await store.addTags(of, ["reviewed-later"]));
      expect(await state(store, of)).toBe("draft");
      written(await store.mergeContext(of, { category: "web" }));
      written(await store.put({ ...(await store.get(of))!, title: "A better title" }));
      written(await store.restore(of, 1));
      expect(await state(store, of)).toBe("draft");
    }
    expect((await store.get("tool-catalog"))?.context["totalTools"] ?? 0).toBe(0);
  });

  it("SD5: what an author writes of itself is no decision, and the store's own field cannot be written", async () => {
    const store = createMemoryStore();
    const emitter = emitterOf(store);
    const forged = { decision: "approved", hash: definitionHash(definition("t")), by: "local", at: new Date().toISOString(), reason: "x" };
    written(await emitter.put(definition("t", { state: "approved", approved: true, review: forged, decision: forged })));
    expect(await state(store)).toBe("draft");
    await expect(emitter.put({ ...definition("v"), decision: forged } as never)).rejects.toMatchObject({ code: "RECORD_INVALID" });
    const read = (await emitter.get(id))!;
    await expect(emitter.put({ ...read, decision: forged } as never)).rejects.toMatchObject({ code: "RECORD_INVALID" });
  });

  it("SD5: counts for exactly the content that it was made about, whoever changes it", async () => {
    const { store, emitter } = await approved();
    const { decision, title, context } = (await store.get(id))!;
    expect(decision).toMatchObject({ decision: "approved", by: "local", reason: "Read.", hash: definitionHash({ title, context }) });
    written(await store.addTags(id, ["more"]));
    expect(await state(store)).toBe("approved");
    written(await store.mergeContext(id, { description: "Other" }));
    expect(await state(store)).toBe("draft");
    written(await emitter.mergeContext(id, { description: "Does t" }));
    expect(await state(store)).toBe("approved");
    written(await emitter.put({ ...(await emitter.get(id))!, title: "Run this first" }));
    expect(await state(store)).toBe("draft");
    expect((await listAudit(store))[0]).toMatchObject({ kind: "approved", subject: id, body: { hash: decision!.hash } });
  });

  it("SD5: is refused where the content is no longer the one that was looked at", async () => {
    const { store, emitter } = await approved();
    const looked = definitionHash((await store.get(id))!);
    written(await emitter.mergeContext(id, { implementation: { kind: "http", endpoint: "https://evil.example/" } }));
    await validateDefinition(emitter, id);
    await expect(approveDefinition(store, id, { reason: "Read.", hash: looked })).rejects.toThrow(
      /changed since version \d+, which was looked at: implementation\. .*Look at it again/,
    );
    await expect(approveDefinition(store, id, { reason: "Read.", hash: "0".repeat(64) })).rejects.toThrow(/changed since/);
    expect(await state(store)).not.toBe("approved");
  });

  it("SD5: names the content that was looked at, or is refused", async () => {
    const store = createMemoryStore();
    const emitter = emitterOf(store);
    written(await emitter.put(definition("t")));
    await validateDefinition(emitter, id);
    await expect(approveDefinition(store, id, { reason: "Read." } as never)).rejects.toMatchObject({
      code: "STATE_INVALID",
      message: expect.stringContaining("hash"),
    });
    expect(await state(store)).toBe("validated");
  });

  it("SD5: goes with a definition that was removed", async () => {
    const { store, emitter } = await approved();
    const before = (await store.get(id))!;
    written(await store.remove(id));
    written(await emitter.put({ schema_name: before.schema_name, title: before.title, tags: before.tags, context: before.context }));
    expect(await state(store)).toBe("draft");
  });

  it("SD5: an author cannot take an archived one back, nor name the successor of a deprecated one", async () => {
    const { store, emitter } = await approved();
    await deprecateDefinition(store, id, { reason: "Slow.", successor: "better" });
    written(await emitter.mergeContext(id, { deprecated: { successor: "evil" } }));
    const registry = createRegistry();
    await registry.addSource(recordSource(store, { handlers: { t: () => "x" } }));
    expect(registry.get("t")?.metadata?.deprecated).toMatchObject({ successor: "better" });
    await registry.close();
    await archiveDefinition(store, id, { reason: "Unused." });
    written(await emitter.mergeContext(id, { state: "approved" }));
    expect(await state(store)).toBe("archived");
  });

  it("SD5: export and import approve nothing; a curator decides anew where that is wanted", async () => {
    const { store } = await approved();
    const emitter = emitterOf(store);
    written(await emitter.put(definition("sneaky", { state: "approved" })));
    const { records } = await exportRecords(store);
    const values = records.map((value) => ({ place: value.id, value: JSON.parse(JSON.stringify(value)) as unknown }));
    expect(records.find((record) => record.id === id)?.decision).toMatchObject({ decision: "approved" });

    const plain = createMemoryStore();
    await importRecords(plain, values);
    expect([await state(plain), await state(plain, "tool-def-sneaky")]).toEqual(["draft", "draft"]);
    expect((await plain.get(id))?.decision).toBeUndefined();

    const trusting = createMemoryStore();
    await importRecords(trusting, values, { approve: { reason: "Moved to another machine." } });
    expect([await state(trusting), await state(trusting, "tool-def-sneaky")]).toEqual(["approved", "draft"]);
    expect((await trusting.get(id))?.decision).toMatchObject({ by: "local", reason: "Imported: Moved to another machine." });
    expect((await listAudit(trusting))[0]).toMatchObject({ kind: "approved", subject: id });

    const changed = values.map(({ place, value }) => ({ place, value: { ...(value as object), title: "Changed on the way" } }));
    const careful = createMemoryStore();
    await importRecords(careful, changed, { approve: { reason: "Moved." } });
    expect(await state(careful)).toBe("draft");
  });

  it("SD5: is recorded when a curator creates or publishes a definition, and not for what an emitter publishes", async () => {
    const store = createMemoryStore();
    const tool = (description: string) => defineTool({ name: "t", description, inputSchema: { type: "object" }, handler: () => "" });
    await publishTool(store, tool("One"));
    expect((await store.get(id))?.decision).toMatchObject({ decision: "approved", by: "local" });
    await publishTool(store, tool("Two"));
    expect(await state(store)).toBe("approved");
    expect((await store.history(id)).map(({ record }) => stateOf(record))).toEqual(["approved", "approved"]);
    const other = { ...(await store.get(id))!, title: "Mine" };
    await expect(emitterOf(store).put(other, { approve: { reason: "I like it." } })).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect((await listAudit(store))[0]).toMatchObject({ kind: "approved", body: { reason: "Published by the owner." } });
    written(await store.put(definition("later"), { undecided: true }));
    expect(await state(store, "tool-def-later")).toBe("draft");
    const emitter = emitterOf(store);
    await publishTool(emitter, defineTool({ name: "e", description: "E", inputSchema: { type: "object" }, handler: () => "" }));
    expect(await state(store, "tool-def-e")).toBe("draft");
  });

  it("SD5: a store from before decisions were recorded keeps what was approved, and nothing else", async () => {
    const path = join(folder, "before.db");
    writeFileSync(path, gunzipSync(readFileSync(new URL("../fixtures/before-decisions.db.gz", import.meta.url))));
    const store = await createSqliteStore({ path });
    const states: Record<string, string> = {};
    for (const name of ["plain", "reviewed", "old", "gone", "sneaky", "pending", "unready"])
      states[name] = await state(store, `tool-def-${name}`);
    expect(states).toEqual({
      plain: "approved",
      reviewed: "approved",
      old: "deprecated",
      gone: "archived",
      sneaky: "draft",
      pending: "draft",
      unready: "draft",
    });
    const tools = (await store.get("tool-catalog"))!.context["tools"] as { readonly name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(["old", "plain", "reviewed"]);
    written(await store.addTags("tool-def-sneaky", ["x"]));
    expect(await state(store, "tool-def-sneaky")).toBe("draft");
    written(await store.mergeContext("tool-def-plain", { description: "Other" }));
    expect(await state(store, "tool-def-plain")).toBe("draft");
    const registry = createRegistry();
    await registry.addSource(recordSource(store, { handlers: { reviewed: () => "ran", old: () => "ran" } }));
    expect(await registry.invoke("reviewed", {})).toMatchObject({ ok: true, content: "ran" });
    expect(await registry.invoke("old", {})).toMatchObject({ ok: true, meta: { warnings: [expect.stringContaining('"plain"')] } });
    await registry.close();
    await store.close();
  });
});
