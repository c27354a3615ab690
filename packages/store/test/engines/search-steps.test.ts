import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "../../src/access.ts";
import type { Head, PagePlan } from "../../src/engine/engine.ts";
import { createQueryMeter } from "../../src/engine/stats.ts";
import { migrate } from "../../src/engines/_sql/migrate.ts";
import { createSqlWrites } from "../../src/engines/_sql/writes.ts";
import { createQueries } from "../../src/engines/sqlite/dialect.ts";
import { loadSqlite } from "../../src/engines/sqlite/load.ts";
import { sqliteParts } from "../../src/engines/sqlite/parts.ts";
import type { Breadcrumb } from "../../src/record/breadcrumb.ts";

const meter = createQueryMeter();
const database = (await loadSqlite()).open(":memory:", 1_000);
const queries = createQueries(database, meter);
const tx = createSqlWrites(queries, sqliteParts);
const size = 2_500;

/** Every record has "all", each tenth "tenth", two of the last hundred "rare"; the last 500 have the tag "late", two of them "few". */
function headAt(position: number): Head {
  const words = ["all", ...(position % 10 === 0 ? ["tenth"] : []), ...(position === 2_410 || position === 2_450 ? ["rare"] : [])];
  const tags = ["any", ...(position > 2_000 ? ["late"] : []), ...(position > 2_000 && position % 200 === 0 ? ["few"] : [])];
  const record = {
    owner: "o",
    id: `r${position}`,
    schema_name: position === 2_500 ? "last.v1" : "note.v1",
    title: words.join(" "),
    tags,
    context: {},
    version: 1,
    visibility: "team",
    created_by: "a",
  };
  return { record: record as unknown as Breadcrumb, position, deleted: false, expiresAt: undefined, readsLeft: undefined };
}

beforeAll(async () => {
  await migrate(queries, sqliteParts);
  database.exec("begin");
  await tx.addHeads(Array.from({ length: size }, (_, index) => headAt(index + 1)));
  database.exec("commit");
});
afterAll(() => database.close());

const curator: Actor = { owner: "o", agent: "me", roles: ["curator"] };

async function search(more: Partial<PagePlan>): Promise<{ positions: number[]; statements: number }> {
  const plan = {
    actor: curator,
    schemaName: undefined,
    allTags: [],
    anyTags: [],
    noneTags: [],
    terms: [],
    after: 0,
    limit: 10,
    now: 0,
    ...more,
  };
  const before = meter.stats().count;
  const positions = (await tx.page(plan)).map(({ position }) => position);
  return { positions, statements: meter.stats().count - before };
}

/** The positions with this, as a plain filter finds them. */
function filtered(isWanted: (head: Head) => boolean, after = 0, limit = 10): number[] {
  const all = Array.from({ length: size - after }, (_, index) => headAt(after + index + 1));
  return all
    .filter(isWanted)
    .slice(0, limit)
    .map(({ position }) => position);
}
const has = (word: string) => (head: Head) => head.record.title.split(" ").includes(word);

describe("the steps of a search in SQLite", () => {
  it.each<[string, Partial<PagePlan>, wanted: number[], statements: number]>([
    ["of a common word: a look, and the records", { terms: ["all"] }, filtered(has("all")), 2],
    ["of its beginning", { terms: ["al"] }, filtered(has("all")), 2],
    ["near the end: a look that sees the rest", { terms: ["all"], after: 2_450 }, filtered(has("all"), 2_450), 2],
    ["near the end, of what is not there", { terms: ["none"], after: 2_450 }, [], 1],
    ["of a rare word: a look, the index, and the records", { terms: ["rare"] }, [2_410, 2_450], 3],
    ["of a rare word with a common one", { terms: ["all", "rare"] }, [2_410, 2_450], 3],
    ["of a word that is nowhere: a look, and the index", { terms: ["nowhere"] }, [], 2],
    ["that a look does not fill: a walk for what is missing", { terms: ["tenth"], limit: 150 }, filtered(has("tenth"), 0, 150), 3],
    [
      "of more than there are: a look, a walk, the index, and the records",
      { terms: ["tenth"], limit: 300 },
      filtered(has("tenth"), 0, 300),
      4,
    ],
    [
      "of fourteen words, in a smaller look",
      { terms: ["all", ..."abcdefghijklm".split("").map(() => "tenth")], after: 2_301 },
      filtered(has("tenth"), 2_301),
      2,
    ],
  ])("%s", async (_, plan, positions, statements) => {
    expect(await search(plan)).toEqual({ positions, statements });
  });

  it.each<[string, Partial<PagePlan>, wanted: number[], statements: number]>([
    ["one tag", { allTags: ["few"] }, [2_200, 2_400], 1],
    ["two tags, the rarer of which leads", { allTags: ["any", "few"] }, [2_200, 2_400], 2],
    ["a word and a tag of few records, along which it is read", { terms: ["al"], allTags: ["few"] }, [2_200, 2_400], 3],
    ["a word and a tag that nearly all have", { terms: ["tenth"], allTags: ["any"] }, filtered(has("tenth")), 2],
  ])("with %s", async (_, plan, positions, statements) => {
    const found = await search(plan);
    expect({ ...found, positions: found.positions.slice(0, positions.length) }).toEqual({ positions, statements });
  });

  it("looks at ever more where others of its conditions leave nearly all out", async () => {
    const { positions, statements } = await search({ terms: ["all"], schemaName: "last.v1" });
    expect(positions).toEqual([2_500]);
    // A look; its 1000 hits in lots of 10, 40, 160, 640 and the rest; walks for 10, 20, 40 … 1280 hits, in such lots; and the index.
    expect(statements).toBe(1 + 5 + 8 + (1 + 2 + 2 + 3 + 3 + 4 + 4) + 1 + 4);
  });

  it("goes on by words where its rarest tag is of many records", async () => {
    const { positions, statements } = await search({ terms: ["rare"], allTags: ["late"] });
    expect(positions).toEqual([2_410, 2_450]);
    expect(statements).toBe(4); // a look, the count of the tag, the index, and the records
  });
});
