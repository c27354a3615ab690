import { sql } from "kysely";
import type { SqlParts, WordTerm } from "./parts.ts";
import type { Sql } from "./tables.ts";

type RowCheck = NonNullable<SqlParts["rowHasWords"]>;

/** What a search for words asks for: positions above `after` of records that have all the terms, `need()` of them at this moment. */
export interface WordSearch {
  readonly terms: readonly WordTerm[];
  readonly after: number;
  need(): number;
}

/**
 * The positions of records that have all of the words, in their order, in lots: for an engine whose index finds them in no order, and only
 * all at once. Common words are met by walking along the records, rare ones by the index; a look at some records told which they are.
 */
export async function* positionsByWords(db: Sql, parts: SqlParts, { terms, need }: WordSearch, look: Look): AsyncGenerator<number[]> {
  const rowHasWords = parts.rowHasWords!;
  // Few of them wait for those that come next: every lot is a query of its own.
  let held = look.found;
  if (look.isEnd || held.length >= need()) {
    yield held;
    if (look.isEnd) return;
    held = [];
  }

  /** Goes on until the records end or `most` of them in a row were passed; answers where it stopped. */
  async function* walkFrom(start: number, most: number): AsyncGenerator<number[], number> {
    let from = start;
    for (let times = 1; ; times *= 2) {
      const want = Math.max(1, need() - held.length) * times;
      const found = await walk(db, rowHasWords, terms, { after: from, want, most });
      from = found.at(-1) ?? from;
      held = [...held, ...found];
      if (found.length < want) return from;
      yield held;
      held = [];
    }
  }

  const from = look.found.length >= fewest ? yield* walkFrom(look.last, longestWalk) : look.last;
  const found = await lookUp(db, parts, terms, look.common, from);
  if (found === undefined) yield* walkFrom(from, Number.MAX_SAFE_INTEGER);
  yield [...held, ...(found ?? [])];
}

/** So many hits in the first look make it likely that walking fills a page soon. */
const fewest = 5;
const longestWalk = 20_000;
const mostFromIndex = 20_000;

export interface Look {
  readonly found: number[];
  readonly last: number;
  /** Nothing comes after what was looked at. */
  readonly isEnd: boolean;
  /** Words that many records have; the index would have to collect all of those. */
  readonly common: ReadonlySet<WordTerm>;
}

/** Reads the next records whatever they hold, and counts. */
export async function lookAround(db: Sql, rowHasWords: RowCheck, { terms, after }: WordSearch): Promise<Look> {
  const size = Math.max(200, Math.min(1_000, Math.floor(3_000 / (terms.length + 1))));
  const counts = terms.map((term) => sql`count(*) filter (where ${rowHasWords([term])})`);
  const { rows } = await sql<{ rows: number; last: number | null; found: string[] | null; counts: string[] }>`
    select count(*) as rows, max(words.position) as last,
      array_agg(words.position order by words.position) filter (where ${rowHasWords(terms)}) as found,
      array[${sql.join(counts)}] as counts
    from (select position, terms from words where position > ${after} order by position limit ${size}) as words`.execute(db);
  const { rows: seen, last, found, counts: had } = rows[0]!;
  return {
    found: (found ?? []).map(Number),
    last: last ?? after,
    isEnd: seen < size,
    common: new Set(terms.filter((_, index) => Number(had[index]) > seen / 10)),
  };
}

async function walk(
  db: Sql,
  rowHasWords: RowCheck,
  terms: readonly WordTerm[],
  { after, want, most }: { readonly after: number; readonly want: number; readonly most: number },
): Promise<number[]> {
  const { rows } = await sql<{ position: number }>`
    select position from (select position, terms from words where position > ${after} order by position limit ${most}) as words
    where ${rowHasWords(terms)} order by position limit ${want}`.execute(db);
  return rows.map(({ position }) => position);
}

/** All from the index, sorted; undefined where they are too many. */
async function lookUp(
  db: Sql,
  parts: SqlParts,
  terms: readonly WordTerm[],
  common: ReadonlySet<WordTerm>,
  after: number,
): Promise<number[] | undefined> {
  const rare = terms.filter((term) => !common.has(term));
  const byIndex = rare.length === 0 ? terms : rare;
  const { rows } = await sql<{ position: number }>`
    select position from words where ${parts.hasWords(byIndex)} and ${parts.rowHasWords!(terms)} and position > ${after}
    limit ${mostFromIndex + 1}`.execute(db);
  return rows.length > mostFromIndex ? undefined : rows.map(({ position }) => position).sort((a, b) => a - b);
}
