import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import type { BreadcrumbStore } from "../../store/store.ts";
import { definition, note, written } from "./_samples.ts";
import type { OpenStore } from "./open.ts";

export function wordsContract(open: OpenStore): void {
  describe("words", () => {
    it("find, common, rare and unevenly spread, with and without tags, what a plain filter finds, page by page, and what was written last", async () => {
      const store = await open();
      await fill(store);
      const other = store.as({ owner: "other", agent: "x", roles: ["curator"] });
      written(await other.put(note("theirs", { title: "everywhere early lately" })));
      const queries: [text: string, ...tags: string[]][] = [
        ["everywhere"],
        ["ever even"],
        ["even odd"],
        ["early"],
        ["early odd", "two:1"],
        ["late", "all"],
        ["number12 even"],
        ["even", "two:1"],
        ["everywhere", "rare:7"],
        ["early", "rare:7", "all"],
        ["number496 late"],
        ["verywhere"],
        ["nowhere"],
      ];
      for (const [text, ...allTags] of queries) {
        const wanted = Array.from({ length: size }, (_, index) => index).filter(
          (index) =>
            text.split(" ").every((start) => wordsOf(index).some((word) => word.startsWith(start))) &&
            allTags.every((tag) => tagsOf(index).includes(tag)),
        );
        expect([text, allTags, await idsOf(store, text, allTags)]).toEqual([text, allTags, wanted.map((index) => `r${index}`)]);
      }
      written(await store.put(note("r3", { version: 1, title: "renamed", tags: ["all"], context: {} })));
      written(await store.remove("r497"));
      expect(await idsOf(store, "number3 odd", [])).not.toContain("r3");
      expect(await idsOf(store, "renamed", ["all"])).toEqual(["r3"]);
      expect(await idsOf(store, "number0", [])).toEqual(["r0", "r994", "r1491"]);
    }, 120_000);

    it("find the catalog, with its tags and without", async () => {
      const store = await open();
      written(await store.put(definition("hammer")));
      for (const tags of [[], ["tool:catalog"], ["workspace:tools"]]) expect(await idsOf(store, "catalog", tags)).toEqual(["tool-catalog"]);
    });

    it("go with the tags of a record, and come back with them", async () => {
      const store = await open();
      const found = async (tag: string) => (await store.search({ text: "hammer", tag })).records.map(({ id }) => id);
      written(await store.put(note("a", { title: "hammer", tags: ["x", "y"] })));
      written(await store.put(note("a", { version: 1, title: "hammer", tags: ["y", "z"] })));
      expect(await Promise.all(["x", "y", "z"].map(found))).toEqual([[], ["a"], ["a"]]);
      written(await store.remove("a"));
      expect(await Promise.all(["x", "y", "z"].map(found))).toEqual([[], [], []]);
      written(await store.restore("a", 1));
      written(await store.addTags("a", ["z"]));
      written(await store.removeTags("a", ["y"]));
      expect(await Promise.all(["x", "y", "z"].map(found))).toEqual([["a"], [], ["a"]]);
    });

    it("may be of any alphabet, also of one that is younger than the database", async () => {
      const store = await open();
      const titles = ["größe", "日本語 検索", "\u{10570}\u{10571}", "كتاب", "ǅ ﬁnd", "٣٤", "x".repeat(100)];
      for (const [index, title] of titles.entries()) written(await store.put(note(`t${index}`, { title, context: {} })));
      for (const [index, title] of titles.entries()) expect(await idsOf(store, title, []), title).toEqual([`t${index}`]);
      expect(await idsOf(store, "\u{10570}", [])).toEqual(["t2"]);
    });
  });
}

const size = 1_500;

function wordsOf(index: number): string[] {
  return [
    "everywhere",
    index % 2 === 0 ? "even" : "odd",
    ...(index < 400 ? ["early"] : []),
    ...(index >= size - 100 ? ["lately"] : []),
    `number${index % 497}`,
  ];
}

function tagsOf(index: number): string[] {
  return ["all", `two:${index % 2}`, `rare:${index % 500}`];
}

async function fill(store: BreadcrumbStore): Promise<void> {
  await store.transaction(async (tx) => {
    for (let index = 0; index < size; index++)
      written(await tx.put(note(`r${index}`, { title: wordsOf(index).join(" "), tags: tagsOf(index), context: {} })));
  });
}

async function idsOf(store: BreadcrumbStore, text: string, allTags: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.search({ text, allTags, limit: 300, ...(cursor !== undefined && { cursor }) });
    found.push(...page.records.map(({ id }) => id));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}
