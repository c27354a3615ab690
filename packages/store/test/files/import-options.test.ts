import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { StoreError } from "../../src/errors.ts";
import { exportPage, exportRecords, importFromFolder, type ImportOptions, importRecords } from "../../src/files/transfer.ts";
import { definitionHash } from "../../src/record/decision.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";
import { definition, note, written } from "../../src/testing/contract/_samples.ts";

function open(): BreadcrumbStore {
  const store = createMemoryStore();
  afterThisTest(() => store.close());
  return store;
}
const placed = (...values: unknown[]) => values.map((value, index) => ({ place: `p${index}`, value }));
const bring = (store: BreadcrumbStore, values: unknown[], options?: ImportOptions) => importRecords(store, placed(...values), options);
const report = { created: 0, updated: 0, unchanged: 0, problems: [] };

describe("an export in pages", () => {
  it("has every record once, in the order of creation, and counts what it withholds", async () => {
    const store = open();
    for (const id of ["b", "a", "c"]) written(await store.put(note(id)));
    written(await store.put(note("hidden", { sensitivity: "secret" })));
    const first = await exportPage(store, { limit: 2 });
    expect(first.records.map(({ id }) => id)).toEqual(["b", "a"]);
    const second = await exportPage(store, { limit: 2, cursor: first.cursor! });
    expect([second.records.map(({ id }) => id), second.withheld, second.cursor]).toEqual([["c"], 1, undefined]);
    expect(first.withheld).toBe(0);
    expect(await exportRecords(store)).toEqual({ records: [...first.records, ...second.records], withheld: 1 });
  });

  it("is for curators, as an import is", async () => {
    const reader = open().as({ owner: "local", agent: "bot", roles: ["emitter"] });
    const folder = mkdtempSync(join(tmpdir(), "toolrack-files-"));
    afterThisTest(() => rmSync(folder, { recursive: true }));
    for (const work of [exportPage(reader, { limit: 1 }), exportRecords(reader), bring(reader, []), importFromFolder(reader, folder)])
      await expect(work).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});

describe("an import", () => {
  it("replaces what differs, or keeps it, as it is told", async () => {
    const store = open();
    written(await store.put(note("a")));
    written(await store.put(note("b")));
    const values = [note("a"), note("b", { title: "New" }), note("c")];
    expect(await bring(store, values, { existing: "keep" })).toEqual({ ...report, created: 1, unchanged: 1, kept: 1 });
    expect((await store.get("b"))?.version).toBe(1);
    expect(await bring(store, values, { existing: "replace" })).toEqual({ ...report, updated: 1, unchanged: 2 });
    expect(await store.get("b")).toMatchObject({ version: 2, title: "New" });
  });

  it("adds up the files of a folder, kept ones and problems included", async () => {
    const store = open();
    written(await store.put(note("a")));
    const folder = mkdtempSync(join(tmpdir(), "toolrack-files-"));
    afterThisTest(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "1.json"), JSON.stringify([note("a", { title: "New" }), note("b"), { no: "record" }]));
    writeFileSync(join(folder, "2.json"), JSON.stringify([note("a", { title: "Newer" }), note("c"), note("a")]));
    const { problems, ...counts } = await importFromFolder(store, folder, { existing: "keep" });
    expect(counts).toEqual({ created: 2, updated: 0, unchanged: 1, kept: 2 });
    expect(problems).toEqual([expect.stringContaining("A record is an object with a schema_name.")]);
  });

  it("asks whether each may be imported, by its schema and by that of what has its id", async () => {
    const store = open();
    written(await store.put(note("a", { schema_name: "guarded.v1" })));
    written(await store.remove("a"));
    const asked: string[] = [];
    const demand = (schema: string): void => {
      asked.push(schema);
      if (schema === "guarded.v1") throw new StoreError("FORBIDDEN", "Not this one.");
    };
    expect(await bring(store, [note("a"), note("b")], { demand })).toEqual({ ...report, created: 1, problems: ["p0: Not this one."] });
    expect(asked).toEqual(["note.v1", "guarded.v1", "note.v1"]);
    const checked: unknown[] = [];
    const check = async (content: { readonly title: string }): Promise<void> => {
      checked.push(content.title);
      if (content.title === "Note d") throw new Error("Bad content.");
    };
    expect(await bring(store, [note("c"), note("d")], { check })).toEqual({ ...report, created: 1, problems: ["p1: Bad content."] });
    expect(checked).toEqual(["Note c", "Note d"]);
  });

  it("ends at once where the store is away, and leaves nothing out", async () => {
    const store = open();
    const check = (): void => {
      throw new StoreError("STORE_UNAVAILABLE", "Away.");
    };
    await expect(bring(store, [note("a")], { check })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  it("leaves out what the store refuses, and ignores the derived catalog", async () => {
    const store = open();
    written(await store.put(definition("t")));
    const second = definition("t", {}, { id: "another" });
    const { problems, ...counts } = await bring(store, [second, { schema_name: "tool.catalog.v1", context: {} }]);
    expect(counts).toEqual({ created: 0, updated: 0, unchanged: 0 });
    expect(problems).toEqual([expect.stringMatching(/^p0: The record "tool-def-t" already is/)]);
  });
});

describe("an import that decides", () => {
  const decided = (draft: ReturnType<typeof definition>, decision: string) => {
    const { title = "", context } = draft;
    return {
      ...draft,
      decision: { decision, hash: definitionHash({ title, context }), by: "x", at: "2026-01-01T00:00:00.000Z", reason: "r" },
    };
  };
  const stateOf = async (store: BreadcrumbStore, name: string) => (await store.get(`tool-def-${name}`))?.decision;

  it("approves what its file shows as approved, in the importer's name, and nothing else", async () => {
    const store = open();
    const values = [
      decided(definition("yes"), "approved"),
      decided(definition("old", { state: "deprecated", deprecated: { since: "2026-01-01", successor: "yes" } }), "deprecated"),
      decided(definition("no"), "rejected"),
      decided(definition("draft", { state: "draft" }), "approved"),
      definition("open"),
      note("n"),
    ];
    const approve = { reason: "Ours." };
    expect(await bring(store, values, { approve })).toEqual({ ...report, created: 6 });
    expect(await stateOf(store, "yes")).toMatchObject({ decision: "approved", by: store.actor.agent, reason: "Imported: Ours." });
    expect(await stateOf(store, "old")).toMatchObject({ decision: "deprecated", deprecated: { since: "2026-01-01", successor: "yes" } });
    for (const name of ["no", "draft", "open"]) expect(await stateOf(store, name)).toBeUndefined();
    expect(await bring(store, values, { approve })).toEqual({ ...report, unchanged: 6 });
    expect(await bring(store, values, { approve: { ...approve, which: "all" } })).toMatchObject({ updated: 1, unchanged: 5 });
    expect(await stateOf(store, "open")).toMatchObject({ decision: "approved" });
  });

  it("decides nothing without being told to, nor without a reason", async () => {
    const store = open();
    expect(await bring(store, [decided(definition("yes"), "approved")])).toEqual({ ...report, created: 1 });
    expect(await stateOf(store, "yes")).toBeUndefined();
    await expect(bring(store, [], { approve: { reason: " " } })).rejects.toMatchObject({
      code: "STATE_INVALID",
      message: "A reason is needed to approve what is imported.",
    });
  });
});
