import { createRandom } from "./_random.ts";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import type { Breadcrumb, BreadcrumbDraft } from "../../record/breadcrumb.ts";
import type { Condition } from "../../query/condition.ts";
import type { SearchQuery } from "../../query/search.ts";
import type { BreadcrumbStore } from "../../store/store.ts";
import { note, written } from "./_samples.ts";
import type { OpenStore } from "./open.ts";

export function searchContract(open: OpenStore): void {
  describe("search", () => {
    it("finds by schema and by tags what a plain filter finds, page by page", async () => {
      const store = await open();
      const records = await fill(store, 150);
      const random = createRandom(3);
      const tags = ["t0", "t1", "t2", "t3", "t4", "none"];
      for (let round = 0; round < 40; round++) {
        const schemaName = random.pick(["a.v1", "b.v1", "c.v1", undefined, undefined]);
        const asked = {
          ...(schemaName !== undefined && { schema_name: schemaName }),
          allTags: random.some(tags, 0, 3),
          ...(random.pick([true, false]) && { anyTags: random.some(["t0", "t1", "t2", "none"], 1) }),
          noneTags: random.some(tags, 0, 3),
          limit: random.integer(1, 60),
        };
        const wanted = records.filter((record) => byHand(record, asked)).map(({ id }) => id);
        expect(await allPages(store, asked), JSON.stringify(asked)).toEqual(wanted);
      }
    });

    it("finds by the beginnings of words, without case and accents", async () => {
      const store = await open();
      written(await store.put(note("web", { title: "Café search", context: { description: "Looks things up on the WEB" } })));
      written(await store.put(note("read_file", { title: "Read", context: { description: "reads a file" } })));
      const found = async (text: string): Promise<string[]> => (await store.search({ text })).records.map(({ id }) => id);
      expect(await found("cafe")).toEqual(["web"]);
      expect(await found("LOOK web")).toEqual(["web"]);
      expect(await found("file")).toEqual(["read_file"]);
      expect(await found("read")).toEqual(["read_file"]);
      expect(await found("look file")).toEqual([]);
      written(await store.put(note("web", { version: 1, title: "Other", context: {} })));
      expect(await found("cafe")).toEqual([]);
      written(await store.remove("read_file"));
      expect(await found("file")).toEqual([]);
    });

    // row: H13
    it("compares fields with every operator as a plain filter does", async () => {
      const store = await open();
      const records = await fill(store, 60);
      const cases: [Condition, (record: Breadcrumb) => boolean][] = [
        [{ path: "context.size", op: "eq", value: 7 }, (record) => record.context["size"] === 7],
        [{ path: "context.size", op: "ne", value: 7 }, (record) => record.context["size"] !== 7],
        [{ path: "context.size", op: "gt", value: 40 }, (record) => (record.context["size"] as number) > 40],
        [{ path: "context.size", op: "lt", value: 3 }, (record) => (record.context["size"] as number) < 3],
        [{ path: "context.size", op: "gte", value: 58 }, (record) => (record.context["size"] as number) >= 58],
        [{ path: "context.size", op: "lte", value: 1 }, (record) => (record.context["size"] as number) <= 1],
        [{ path: "context.size", op: "in", value: [1, 2, "3"] }, (record) => [1, 2].includes(record.context["size"] as number)],
        [{ path: "context.list", op: "contains", value: 5 }, (record) => (record.context["list"] as number[]).includes(5)],
        [{ path: "title", op: "contains", value: "7" }, (record) => record.title.includes("7")],
        [{ path: "context.odd.deep", op: "exists" }, (record) => record.context["odd"] !== undefined],
        [{ path: "context.odd", op: "exists", value: false }, (record) => record.context["odd"] === undefined],
        [{ path: "tags", op: "contains", value: "t1" }, (record) => record.tags.includes("t1")],
      ];
      for (const [condition, keep] of cases) {
        expect(await allPages(store, { where: [condition], limit: 7 }), JSON.stringify(condition)).toEqual(
          records.filter(keep).map(({ id }) => id),
        );
      }
    });

    it("refuses an unknown operator, path, field and cursor instead of matching everything", async () => {
      const store = await open();
      await fill(store, 3);
      const wrong: unknown[] = [
        { where: [{ path: "context.a", op: "contains_any", value: ["x"] }] },
        { where: [{ path: "context.a", op: "constructor", value: 1 }] },
        { where: [{ path: "contxt.a", op: "eq", value: 1 }] },
        { where: [{ path: "title.length", op: "eq", value: 1 }] },
        { where: [{ path: "__proto__.a", op: "exists" }] },
        { where: [{ path: "context.a", op: "eq" }] },
        { where: [{ path: "context.a", op: "in", value: 1 }] },
        { where: { path: "context.a" } },
        { where: [null] },
        { where: [{ path: "context.a", op: "eq", value: nested(5_000) }] },
        { where: [{ path: "context.a", op: "in", value: ["\ud800", 2n] }] },
        { where: Array.from({ length: 100 }, () => ({ path: "title", op: "exists" })) },
        { any_tags: ["x"] },
        { anyTags: [] },
        { tag: "two words" },
        { limit: 0 },
        { limit: 2 ** 63 },
        { text: "  " },
        { cursor: "made-up" },
        { cursor: Buffer.from("5.0123456789abcdef").toString("base64url") },
      ];
      for (const query of wrong) {
        await expect(store.search(query as SearchQuery)).rejects.toMatchObject({ code: "QUERY_INVALID" });
      }
    });

    it("refuses the cursor of another query", async () => {
      const store = await open();
      await fill(store, 5);
      const { cursor } = await store.search({ limit: 2 });
      await expect(store.search({ limit: 2, tag: "t1", cursor: cursor! })).rejects.toMatchObject({ code: "QUERY_INVALID" });
      expect((await store.search({ limit: 3, cursor: cursor! })).records).toHaveLength(3);
    });

    it("gives contexts only when asked, and all records to clients that know no pages", async () => {
      const store = await open();
      await fill(store, 120);
      const [bare] = (await store.search({ limit: 1 })).records;
      expect(bare).not.toHaveProperty("context");
      expect((await store.search({ limit: 1, includeContext: true })).records[0]).toHaveProperty("context.size", 0);
      expect(await store.searchBreadcrumbs()).toHaveLength(120);
      expect(await store.searchBreadcrumbs({ limit: 5 })).toHaveLength(5);
      expect(await store.getBreadcrumb(bare!.id)).toMatchObject({ id: bare!.id });
    });
  });
}

async function fill(store: BreadcrumbStore, count: number): Promise<Breadcrumb[]> {
  return store.transaction(async (tx) => {
    const records: Breadcrumb[] = [];
    for (let index = 0; index < count; index++) {
      const tags = Array.from({ length: 5 }, (_, tag) => tag).filter((tag) => ((index * 7) >> tag) % 2 === 1);
      const context = { size: index, list: [index % 10, index % 7], ...(index % 2 === 1 && { odd: { deep: true } }) };
      const draft: BreadcrumbDraft = {
        id: `r${index}`,
        schema_name: index % 3 === 0 ? "a.v1" : "b.v1",
        title: `Record ${index}`,
        tags: tags.map((tag) => `t${tag}`),
        context,
      };
      records.push(written(await tx.put(draft)));
    }
    return records;
  });
}

/** [[[…]]] */
function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

function byHand(record: Breadcrumb, { schema_name, allTags = [], anyTags, noneTags = [] }: SearchQuery): boolean {
  return (
    (schema_name === undefined || record.schema_name === schema_name) &&
    allTags.every((tag) => record.tags.includes(tag)) &&
    (anyTags === undefined || anyTags.some((tag) => record.tags.includes(tag))) &&
    !noneTags.some((tag) => record.tags.includes(tag))
  );
}

async function allPages(store: BreadcrumbStore, query: SearchQuery): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await store.search({ ...query, ...(cursor !== undefined && { cursor }) });
    ids.push(...page.records.map(({ id }) => id));
    cursor = page.cursor;
    if (cursor === undefined) return ids;
  }
}
