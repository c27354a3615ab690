import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import type { BreadcrumbDraft } from "../../record/breadcrumb.ts";
import { note, take, written } from "./_samples.ts";
import type { OpenStore } from "./open.ts";

export function oddInputContract(open: OpenStore): void {
  describe("odd input", () => {
    it("refuses what would be lost or changed on the way, and says where", async () => {
      const store = await open();
      const circular: Record<string, unknown> = {};
      circular["self"] = circular;
      const wrong: [unknown, RegExp][] = [
        [note("a", { context: { deep: ["\ud800"] } }), /deep\.0 .*surrogate/],
        [note("a", { context: { "\udfff": 1 } }), /surrogate/],
        [note("a", { title: "half \ud800" }), /surrogate/],
        [note("a", { context: { zero: "a\u0000b" } }), /U\+0000/],
        [note("a", { context: { big: 2 ** 63 } }), /big .*2\^53/],
        [note("a", { context: { big: (2n ** 63n) as unknown } }), /bigint/],
        [note("a", { context: { none: Number.NaN } }), /NaN/],
        [note("a", { context: circular }), /circular/],
        [note("a", { context: { when: new Date() as unknown } }), /plain object/],
        [note("a", { context: { run: (() => 1) as unknown } }), /function/],
        [note("a", { context: [] as never }), /plain object/],
        [note("../etc"), /id/],
        [note("a b"), /id/],
        [note("a", { tags: ["two words"] }), /tag/],
        [note("a", { tags: ["\ud800"] }), /tag/],
        [note("a", { tags: [""] }), /tag/],
        [note("a", { tags: Array.from({ length: 300 }, (_, index) => `t${index}`) }), /256 tags/],
        [note("a", { visibility: "everyone" as never }), /visibility/],
        [note("a", { version: "v1.0.0" as never }), /semantic_version/],
        [note("a", { version: 2 ** 63 }), /version/],
        [{ ...note("a"), contxt: {} }, /contxt/],
        [{ ...note("a"), schema_name: "x'; DROP TABLE breadcrumbs" }, /schema_name/],
        [null, /object/],
      ];
      for (const [draft, message] of wrong) {
        await expect(store.put(draft as BreadcrumbDraft)).rejects.toMatchObject({
          code: "RECORD_INVALID",
          message: expect.stringMatching(message),
        });
      }
      expect(await store.sequence()).toBe(0);
    });

    it("refuses a context above its limit, and one of 10 MB before anything is written", async () => {
      const store = await open({ maxContextBytes: 10_000 });
      await expect(store.put(note("a", { context: { text: "x".repeat(10_000_000) } }))).rejects.toMatchObject({
        code: "RECORD_TOO_LARGE",
        status: 413,
      });
      written(await store.put(note("a", { context: { text: "x".repeat(9_000) } })));
      await expect(store.mergeContext("a", { more: "y".repeat(5_000) })).rejects.toMatchObject({ code: "RECORD_TOO_LARGE" });
      expect((await store.get("a"))?.version).toBe(1);
    });

    it("treats __proto__ and constructor as keys like any other", async () => {
      const store = await open();
      const context = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}}}') as Record<string, unknown>;
      written(await store.put(note("constructor", { context, tags: ["__proto__"] })));
      const read = (await store.get("constructor"))!;
      expect(JSON.stringify(read.context)).toBe(JSON.stringify(context));
      written(await store.mergeContext("constructor", JSON.parse('{"__proto__":{"more":true}}') as Record<string, unknown>));
      expect(JSON.stringify((await store.get("constructor"))!.context)).toContain('"__proto__":{"polluted":1,"more":true}');
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
      expect((await store.search({ tag: "__proto__" })).records).toHaveLength(1);
      expect(await store.get("hasOwnProperty")).toBeUndefined();
    });

    it("keeps SQL in tags, titles, texts and queries as text", async () => {
      const store = await open();
      const hostile = [
        "x';DROP/**/TABLE/**/breadcrumbs;--",
        '"',
        "'",
        "\\",
        "%",
        "_",
        "$1",
        "?",
        "a*b",
        "OR/**/1=1",
        "{}",
        "NULL",
        'x"OR"x',
      ];
      written(await store.put(note("a", { tags: hostile, title: "'; DELETE FROM breadcrumbs; --", context: { text: hostile.join(" ") } })));
      written(await store.put(note("b")));
      for (const tag of hostile) {
        expect(
          (await store.search({ tag })).records.map(({ id }) => id),
          tag,
        ).toEqual(["a"]);
        expect(
          (await store.search({ noneTags: [tag] })).records.map(({ id }) => id),
          tag,
        ).toEqual(["b"]);
      }
      for (const text of ["drop' OR 1", 'a" OR "b', "NEAR(a b)", "table* AND", "terms : x", "!a | b & c", "a:*"])
        await store.search({ text });
      expect((await store.search({ schema_name: "' OR '1'='1" })).records).toEqual([]);
      expect(await store.get("a")).toMatchObject({ tags: hostile });
    });

    it("keeps every character that is text", async () => {
      const store = await open();
      const context = { text: "ä€😀\u2028\ufeff\u007f\u0001 \\u0041 \"'", "😀 key": [null, true, 1.5, -0.25, 1e300, "", {}] };
      written(await store.put(note("a", { title: "😀 ä", tags: ["😀"], context })));
      expect((await store.get("a"))?.context).toEqual(context);
      expect((await take(store, 1))[0]?.record).toMatchObject({ context, title: "😀 ä", tags: ["😀"] });
      expect((await store.search({ tag: "😀" })).records).toHaveLength(1);
    });
  });
}
