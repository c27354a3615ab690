import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { checksumOf } from "../../record/json.ts";
import { note, openrouterConfig, randomDefinition, written } from "./_samples.ts";
import type { OpenStore } from "./open.ts";

export function recordContract(open: OpenStore): void {
  describe("records", () => {
    it("gives the published definition out again as it came in", async () => {
      const store = await open();
      written(await store.put(randomDefinition));
      expect(await store.get("tool-def-random")).toMatchObject({ ...randomDefinition, version: 1, owner: "local", created_by: "local" });
    });

    it("keeps the text version of the published configuration as semantic_version", async () => {
      const store = await open();
      const record = written(await store.put(openrouterConfig));
      expect(record).toMatchObject({ id: "openrouter", version: 1, semantic_version: "v1.0.0", context: openrouterConfig.context });
    });

    it("makes the id of a definition and of a configuration from their names", async () => {
      const store = await open();
      const { id: _, ...withoutId } = randomDefinition;
      expect(written(await store.put(withoutId)).id).toBe("tool-def-random");
      const config = { schema_name: "tool.config.v1", context: { tool: "random", config: {} } };
      expect(written(await store.put(config)).id).toBe("tool-config-random");
    });

    it("refuses a second record that is the same tool and version, and accepts another version beside it", async () => {
      const store = await open();
      written(await store.put(randomDefinition));
      const again = { ...randomDefinition, id: "tool-def-random@1.0.0" };
      expect(await store.put(again)).toMatchObject({ ok: false, code: "taken", message: expect.stringContaining("tool-def-random") });
      const next = { ...again, id: "tool-def-random@2.0.0", context: { ...randomDefinition.context, version: "2.0.0" } };
      expect(await store.put(next)).toMatchObject({ ok: true });
    });

    it("counts a write of a record that exists as a conflict unless it names the version", async () => {
      const store = await open();
      written(await store.put(note("a")));
      expect(await store.put(note("a"))).toMatchObject({ ok: false, code: "conflict", currentVersion: 1 });
      expect(await store.put(note("a", { version: 7 }))).toMatchObject({ ok: false, code: "conflict", currentVersion: 1 });
      expect(await store.put(note("a", { version: 1, title: "Changed" }))).toMatchObject({
        ok: true,
        record: { version: 2, title: "Changed" },
      });
      expect(await store.put(note("b", { version: 1 }))).toMatchObject({ ok: false, code: "not-found" });
      expect((await store.get("a"))?.version).toBe(2);
    });

    it("takes a record back as it was read and changed, and nothing that only the store writes", async () => {
      const store = await open();
      written(await store.put(note("a", { visibility: "public", semantic_version: "1.x", grants: { bot: "read" } })));
      const record = (await store.get("a"))!;
      const changed = written(await store.put({ ...record, title: "Changed", context: { ...record.context, more: true } }));
      const { checksum: _, updated_at: __, ...kept } = record;
      expect(changed).toMatchObject({ ...kept, title: "Changed", context: { ...record.context, more: true }, version: 2 });
      expect(changed.checksum).not.toBe(record.checksum);
      expect(await store.put({ ...record, title: "Late" })).toMatchObject({ ok: false, code: "conflict", currentVersion: 2 });
      for (const field of ["owner", "checksum", "created_at", "created_by", "updated_at", "updated_by", "updated_as"]) {
        const message = expect.stringContaining(`${field} is written by the store`) as string;
        await expect(store.put({ ...changed, [field]: "another" })).rejects.toMatchObject({ code: "RECORD_INVALID", message });
      }
      const { version: ___, ...copy } = changed;
      await expect(store.put({ ...copy, id: "b" })).rejects.toMatchObject({ code: "RECORD_INVALID" });
      expect((await store.get("a"))?.version).toBe(2);
    });

    // row: H9
    it("has a checksum that does not depend on the order of keys, and changes with one byte", async () => {
      const store = await open();
      const one = written(await store.put(note("a", { title: "t", context: { x: 1, y: { b: 2, a: "z" } } })));
      const two = written(await store.put(note("b", { title: "t", context: { y: { a: "z", b: 2 }, x: 1 } })));
      const three = written(await store.put(note("c", { title: "t", context: { y: { a: "Z", b: 2 }, x: 1 } })));
      expect(two.checksum).toBe(one.checksum);
      expect(three.checksum).not.toBe(one.checksum);
      expect(one.checksum).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(checksumOf({ b: 1, "10": 2, "9": 3 })).toBe(checksumOf(JSON.parse('{"9":3,"10":2,"b":1}')));
    });

    it("keeps whole revisions, title and tags included, and compares them", async () => {
      const store = await open();
      written(await store.put(note("a", { title: "First", tags: ["x"], context: { deep: { one: 1, two: 2 } } })));
      written(await store.put(note("a", { version: 1, title: "Second", tags: ["y"], context: { deep: { one: 1, two: 3 }, new: true } })));
      const history = await store.history("a");
      expect(history.map(({ record }) => [record.version, record.title, record.tags])).toEqual([
        [2, "Second", ["y"]],
        [1, "First", ["x"]],
      ]);
      expect(await store.diff("a", 1, 2)).toEqual([
        { path: "context.deep.two", before: 2, after: 3 },
        { path: "context.new", after: true },
        { path: "tags", before: ["x"], after: ["y"] },
        { path: "title", before: "First", after: "Second" },
      ]);
      expect(await store.diff("a", 1, 9)).toBeUndefined();
      expect((await store.history("a", { before: 2 })).map(({ record }) => record.version)).toEqual([1]);
    });

    it("restores an old revision as a new one, also after a removal", async () => {
      const store = await open();
      written(await store.put(note("a", { title: "First", tags: ["x"] })));
      written(await store.put(note("a", { version: 1, title: "Second" })));
      expect(written(await store.restore("a", 1))).toMatchObject({ version: 3, title: "First", tags: ["x"] });
      written(await store.remove("a"));
      expect(await store.get("a")).toBeUndefined();
      expect(written(await store.restore("a", 2))).toMatchObject({ version: 5, title: "Second" });
      expect(await store.restore("a", 99)).toMatchObject({ ok: false, code: "not-found" });
      expect(await store.restore("a", 1, { version: 1 })).toMatchObject({ ok: false, code: "conflict" });
    });

    it("never uses a version twice, so that a late writer cannot hit a record that was made again", async () => {
      const store = await open();
      written(await store.put(note("a")));
      written(await store.remove("a", { version: 1 }));
      expect(written(await store.put(note("a"))).version).toBe(3);
      expect(await store.put(note("a", { version: 1 }))).toMatchObject({ ok: false, code: "conflict", currentVersion: 3 });
    });

    it("answers for what is not there, and throws nothing", async () => {
      const store = await open();
      expect(await store.get("nobody")).toBeUndefined();
      expect(await store.history("nobody")).toEqual([]);
      expect(await store.diff("nobody", 1, 2)).toBeUndefined();
      for (const result of [
        store.remove("nobody"),
        store.addTags("nobody", ["x"]),
        store.mergeContext("nobody", {}),
        store.restore("nobody", 1),
      ]) {
        expect(await result).toMatchObject({ ok: false, code: "not-found", message: expect.stringContaining("nobody") });
      }
    });

    // row: H8
    it("merges a context to any depth, keeps unrelated keys, removes with null, and reports what changed nothing", async () => {
      const store = await open();
      written(await store.put(note("a", { context: { keep: [1, 2], deep: { a: 1, b: { c: 2 } }, gone: "x" } })));
      const merged = written(await store.mergeContext("a", { deep: { b: { d: 3 } }, gone: null }));
      expect(merged.context).toEqual({ keep: [1, 2], deep: { a: 1, b: { c: 2, d: 3 } } });
      expect(await store.mergeContext("a", { deep: { a: 1 } })).toMatchObject({ ok: true, changed: false, record: { version: 2 } });
      expect(await store.addTags("a", [])).toMatchObject({ ok: true, changed: false });
    });

    it("does all of a transaction or none of it", async () => {
      const store = await open();
      const failing = store.transaction(async (tx) => {
        written(await tx.put(note("a")));
        expect(await tx.get("a")).toMatchObject({ version: 1 });
        expect((await tx.search({ schema_name: "note.v1" })).records).toHaveLength(1);
        throw new Error("changed my mind");
      });
      await expect(failing).rejects.toThrow("changed my mind");
      expect(await store.get("a")).toBeUndefined();
      expect(await store.sequence()).toBe(0);
      await store.transaction(async (tx) => {
        written(await tx.put(note("a")));
        written(await tx.put(note("b")));
      });
      expect(await store.sequence()).toBe(2);
    });

    it("tells who writes past a transaction that it would wait forever", async () => {
      const store = await open();
      await store.transaction(async (tx) => {
        await expect(store.put(note("a"))).rejects.toThrow(/transaction is under way/);
        await tx.transaction(async (inner) => void written(await inner.put(note("b"))));
      });
      expect(await store.get("b")).toBeDefined();
    });

    it("refuses a context that is not of the published shape, and says where", async () => {
      const store = await open();
      const wrong = { schema_name: "tool.definition.v1", title: "x", context: { name: "x", description: 5, inputSchema: {} } };
      await expect(store.put(wrong)).rejects.toMatchObject({ code: "RECORD_INVALID", message: expect.stringContaining("description") });
      await expect(store.put({ schema_name: "tool.catalog.v1", context: {} })).rejects.toMatchObject({ code: "RECORD_INVALID" });
      written(await store.put(randomDefinition));
      await expect(store.mergeContext("tool-def-random", { name: null })).rejects.toMatchObject({ code: "RECORD_INVALID" });
      expect((await store.get("tool-def-random"))?.version).toBe(1);
    });
  });
}
