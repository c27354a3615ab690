import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { createConfigs } from "../../src/config/configs.ts";
import { createLeases } from "../../src/leases/leases.ts";
import { checkWrite } from "../../src/presence/check-write.ts";
import { createPresence } from "../../src/presence/presence.ts";
import { meetsSearch, type SearchQuery } from "../../src/query/search.ts";
import { seenTag } from "../../src/record/seen.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";
import { definition, note, written } from "../../src/testing/contract/_samples.ts";

function open(): BreadcrumbStore {
  const store = createMemoryStore();
  afterThisTest(() => store.close());
  return store;
}

const badId = /^The id .* must be 1 to 256 of the characters/;
const badVersion = /^version .* must be the whole number/;
const badName = /^The name .* must be 1 to 128 of the characters/;

describe("what a store refuses before it reads or writes anything", () => {
  it.each<[string, (store: BreadcrumbStore) => Promise<unknown>, RegExp]>([
    ["get of a wrong id", (store) => store.get("a b"), badId],
    ["history of a wrong id", (store) => store.history(" "), badId],
    ["history before a wrong version", (store) => store.history("a", { before: 0 }), badVersion],
    ["history of 0", (store) => store.history("a", { limit: 0 }), /^limit must be a whole number from 1 to 1,000\.$/],
    ["history of 1,001", (store) => store.history("a", { limit: 1_001 }), /^limit must be/],
    ["history of 1.5", (store) => store.history("a", { limit: 1.5 }), /^limit must be/],
    ["diff of a wrong id", (store) => store.diff("", 1, 2), badId],
    ["diff from a wrong version", (store) => store.diff("a", 0, 1), badVersion],
    ["diff to a wrong version", (store) => store.diff("a", 1, 1.5), badVersion],
    ["restore of a wrong id", (store) => store.restore("", 1), badId],
    ["restore of a wrong version", (store) => store.restore("a", 0), badVersion],
    ["restore over a wrong version", (store) => store.restore("a", 1, { version: 0 }), badVersion],
    ["remove of a wrong id", (store) => store.remove(""), badId],
    ["remove of a wrong version", (store) => store.remove("a", { version: -1 }), badVersion],
    ["put over a wrong version", (store) => store.put({ ...note("a"), version: 0 }), badVersion],
    ["put with a wrong id", (store) => store.put(note("a b")), badId],
    ["tags of a wrong id", (store) => store.addTags("", ["x"]), badId],
    ["removal of tags of a wrong id", (store) => store.removeTags("", ["x"]), badId],
    ["merge with a wrong id", (store) => store.mergeContext("", {}), badId],
    ["search for a wrong number", (store) => store.search({ limit: 0 }), /^limit must be/],
    ["search for a wrong text", (store) => store.search({ text: "x".repeat(1_001) }), /^text must be a text of at most 1,000/],
    ["search for no word", (store) => store.search({ text: "…" }), /^text holds no letter and no digit/],
    ["search with a wrong flag", (store) => store.search({ includeContext: 1 as never }), /^includeContext must be true or false/],
    ["a check with a wrong name", (store) => checkWrite(store, "a b"), badName],
    ["a report with a wrong name", (store) => createPresence(store).report("a b"), badName],
    [
      "a report that is too long",
      (store) => createPresence(store).report("a", { x: "y".repeat(8_192) }),
      /has 8200 bytes; the limit is 8192/,
    ],
    ["a lease with a wrong name", (store) => createLeases(store).acquire("a b", "h", 1), /^The name of a lease/],
    ["a lease with a wrong holder", (store) => createLeases(store).acquire("a", "h h", 1), /^The holder of a lease/],
    [
      "a lease of no time",
      (store) => createLeases(store).acquire("a", "h", 0),
      /^A lease lasts a whole number of milliseconds, at least 1; 0 is none\.$/,
    ],
    ["a lease prolonged by a part", (store) => createLeases(store).renew({ name: "a", token: 1 }, 1.5), /^A lease lasts/],
  ])("%s", async (_, act, message) => {
    const store = open();
    written(await store.put(note("a")));
    written(await store.put({ ...note("a"), title: "Second", version: 1 }));
    await expect(act(store)).rejects.toThrow(message);
    expect(await store.sequence()).toBe(2);
  });

  it("takes the highest and the lowest that is allowed", async () => {
    const store = open();
    for (const title of ["One", "Two", "Three"]) written(await store.put({ ...note("a"), title }, { replace: true }));
    const versions = (changes: Awaited<ReturnType<BreadcrumbStore["history"]>>) => changes.map(({ record }) => record.version);
    expect(versions(await store.history("a", { limit: 1 }))).toEqual([3]);
    expect(versions(await store.history("a", { limit: 1_000 }))).toEqual([3, 2, 1]);
    expect(versions(await store.history("a", { before: 3 }))).toEqual([2, 1]);
    expect(await store.history("nobody")).toEqual([]);
    expect(await store.diff("a", 1, 9)).toBeUndefined();
    expect(await store.diff("a", 9, 1)).toBeUndefined();
    expect(await store.diff("nobody", 1, 1)).toBeUndefined();
    expect((await store.diff("a", 1, 2))?.length).toBeGreaterThan(0);
    await createPresence(store).report("s", { x: "y".repeat(4_088) });
  });
});

describe("the history of a record", () => {
  it("is as private as the record is now, and as each revision was", async () => {
    const store = open();
    written(await store.put(note("a", { visibility: "team" })));
    written(await store.put({ ...note("a", { visibility: "private" }), title: "Second", version: 1 }));
    written(await store.put(note("b", { visibility: "private" })));
    written(await store.put({ ...note("b", { visibility: "team" }), title: "Second", version: 1 }));
    const reader = store.as({ owner: "local", agent: "bot", roles: ["subscriber"] });
    expect(await reader.history("a")).toEqual([]);
    expect(await reader.diff("a", 1, 1)).toBeUndefined();
    expect((await reader.history("b")).map(({ record }) => record.version)).toEqual([2]);
    expect(await reader.diff("b", 2, 2)).toEqual([]);
    expect(await reader.diff("b", 1, 2)).toBeUndefined();
    expect(await reader.diff("b", 2, 1)).toBeUndefined();
  });

  it("gives an earlier revision back, at the expected version alone", async () => {
    const store = open();
    written(await store.put(note("a", { title: "One" })));
    written(await store.put({ ...note("a", { title: "Two" }), version: 1 }));
    expect(await store.restore("a", 1, { version: 1 })).toEqual({
      ok: false,
      code: "conflict",
      message: 'The record "a" has version 2, and version 1 was to be changed. Read it again, and try with its version.',
      currentVersion: 2,
    });
    expect(written(await store.restore("a", 1, { version: 2 }))).toMatchObject({ title: "One", version: 3 });
    expect(await store.restore("a", 9)).toEqual({ ok: false, code: "not-found", message: 'There is no record "a".' });
    expect(await store.restore("nobody", 1)).toEqual({ ok: false, code: "not-found", message: 'There is no record "nobody".' });
    written(await store.remove("a"));
    expect(await store.put({ ...note("a"), version: 1 })).toEqual({ ok: false, code: "not-found", message: 'There is no record "a".' });
    expect(written(await store.restore("a", 2))).toMatchObject({ title: "Two", version: 5 });
    const reader = store.as({ owner: "local", agent: "bot", roles: ["emitter"] });
    written(await store.put(note("secret", { visibility: "private" })));
    expect(await reader.restore("secret", 1)).toMatchObject({ code: "not-found" });
    expect(await reader.put({ ...note("secret"), version: 1 })).toMatchObject({ code: "not-found" });
  });
});

describe("ids and marks that are not for everybody", () => {
  const emitterOf = (store: BreadcrumbStore): BreadcrumbStore => store.as({ owner: "local", agent: "bot", roles: ["emitter"] });
  it.each([
    ["tool-config-x", note("tool-config-x"), /"bot" may not take the id "tool-config-x": ids that begin with "tool-config-" are reserved/],
    ["secret-x", note("secret-x"), /reserved/],
    ["tool-bundle-x", note("tool-bundle-x"), /reserved/],
    ["registry-x", note("registry-x"), /reserved/],
    ["tool-def-x", note("tool-def-x"), /reserved/],
    ["tool-catalog", note("tool-catalog"), /The catalog is derived from the definitions and cannot be written/],
    ["tag", definition("x", {}, { tags: [seenTag] }), /^The tag ".*" marks what the server writes about the tools that it serves/],
  ])("%s", async (_, draft, message) => {
    const store = open();
    await expect(emitterOf(store).put(draft)).rejects.toMatchObject({ code: "FORBIDDEN", message: expect.stringMatching(message) });
    expect(await store.sequence()).toBe(0);
  });

  it("are free for definitions of their name, and for curators", async () => {
    const store = open();
    expect(await emitterOf(store).put(definition("x"))).toMatchObject({ ok: true, record: { id: "tool-def-x" } });
    expect(await store.put(note("registry-x"))).toMatchObject({ ok: true });
  });

  it("are written once in one go, and nothing is written for nothing", async () => {
    const store = open();
    expect(await store.putAll([])).toEqual([]);
    await expect(store.putAll([{ draft: note("a") }, { draft: note("b") }, { draft: note("a") }])).rejects.toMatchObject({
      code: "QUERY_INVALID",
      message: 'The record "a" is given twice. Write it once.',
    });
    const results = await store.putAll([{ draft: note("a") }, { draft: { ...note("b"), version: 1 } }, { draft: note("c") }]);
    expect(results.map((result) => (result.ok ? result.record.id : result.code))).toEqual(["a", "not-found", "c"]);
    expect(await store.sequence()).toBe(2);
  });
});

describe("a search for a record at hand", () => {
  it.each<[SearchQuery, boolean]>([
    [{}, true],
    [{ schema_name: "note.v1" }, true],
    [{ schema_name: "other.v1" }, false],
    [{ text: "text" }, true],
    [{ text: "tex note" }, true],
    [{ text: "text missing" }, false],
    [{ text: "ext" }, false],
    [{ allTags: ["x"] }, true],
    [{ allTags: ["y"], text: "text" }, false],
    [{ cursor: "whatever" }, true],
  ])("with %j: %s", async (query, found) => {
    const record = written(await open().put(note("a", { tags: ["x"] })));
    expect(meetsSearch(record, query)).toBe(found);
  });
});

describe("the configuration of a tool", () => {
  const configSchema = { type: "object", properties: { url: { type: "string" } } } as const;

  it("is saved, replaced and removed as a whole record", async () => {
    const store = open();
    const configs = await createConfigs(store);
    afterThisTest(() => configs.close());
    expect(await configs.remove("t")).toEqual({ ok: false, code: "not-found", message: 'There is no record "tool-config-t".' });
    written(await configs.save("t", { url: "a" }));
    expect(await store.get("tool-config-t")).toMatchObject({
      schema_name: "tool.config.v1",
      title: "Configuration of t",
      tags: ["tool:config", "tool:config:t"],
      visibility: "private",
      context: { tool: "t", config: { url: "a" } },
    });
    expect(await configs.get("t")).toEqual({ url: "a" });
    written(await configs.save("t", { url: "b" }));
    expect(await configs.save("t", { url: "c" }, { version: 1 })).toMatchObject({ ok: false, code: "conflict", currentVersion: 2 });
    expect(await configs.get("t")).toEqual({ url: "b" });
    expect(await configs.remove("t")).toMatchObject({ ok: true });
    expect(await configs.get("t")).toBeUndefined();
  });

  it("fits the schema that is given, or that of the newest stored definition", async () => {
    const store = open();
    const configs = await createConfigs(store);
    afterThisTest(() => configs.close());
    const wrong = { code: "CONFIG_INVALID", message: expect.stringMatching(/^The configuration of "t" is wrong: /) };
    await expect(configs.save("t", { url: 5 }, { configSchema })).rejects.toMatchObject(wrong);
    written(await store.put(definition("t", { version: "1.0.0" }, { id: "one" })));
    written(await configs.save("t", { url: 5 }));
    written(await store.put(definition("t", { version: "2.0.0", configSchema }, { id: "two" })));
    await expect(configs.save("t", { url: 5 })).rejects.toMatchObject(wrong);
    written(await store.put(definition("u", { configSchema })));
    await expect(configs.save("u", { url: 5 })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    written(await configs.save("u", {}));
  });
});
