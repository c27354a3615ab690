import { sql } from "kysely";
import type { SqlParts, WordTerm } from "./parts.ts";
import { type Sql, table } from "./tables.ts";

/** What a search for words needs: positions above `after` of records that have all the terms, `need()` of them at this moment. */
export interface WordSearch {
  readonly terms: readonly WordTerm[];
  readonly after: number;
  need(): number;
}

/**
 * The positions of records that have all of the words, in their order, in lots: an index finds those of beginnings of words in no order, and
 * only all at once. Common words are found by scanning the records, rare ones by the index; a sample of records decides which are common.
 */
export async function* positionsByWords(db: Sql, parts: SqlParts, { need }: WordSearch, look: Look): AsyncGenerator<number[]> {
  const { terms } = look;
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
      const found = await walk(db, parts, terms, { after: from, want, most });
      from = found.at(-1) ?? from;
      held = [...held, ...found];
      if (found.length < want) return from;
      yield held;
      held = [];
    }
  }

  const from = look.found.length >= fewest ? yield* walkFrom(look.last, longestWalk) : look.last;
  const found = await lookUp(db, parts, terms, look.indexed, from);
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
  /** The rarest first, since most records then fail at once. */
  readonly terms: readonly WordTerm[];
  /** Words that many records have. */
  readonly common: ReadonlySet<WordTerm>;
  /** The words to look up in the index: for the others it would have to collect too many records. */
  readonly indexed: readonly WordTerm[];
}

/** Reads the next records whatever they hold, and counts. */
export async function lookAround(db: Sql, parts: SqlParts, { terms, after }: WordSearch): Promise<Look> {
  const size = Math.max(200, Math.min(1_000, Math.floor(3_000 / (terms.length + 1))));
  const counts = terms.map((term, index) => sql`count(*) filter (where ${parts.rowHasWords([term])}) as ${sql.id(`c${index}`)}`);
  const { rows } = await sql<Counts>`
    select count(*) as rows, max(words.position) as last, ${sql.join(counts)},
      string_agg(cast(words.position as text), ',' order by words.position) filter (where ${parts.rowHasWords(terms)}) as found
    from (select position, terms from ${table("words")} where position > ${after} order by position limit ${size}) as words`.execute(db);
  const { rows: seen, last, found, ...had } = rows[0]!;
  const counted = terms.map((term, index) => ({ term, count: had[`c${index}`]! })).sort((a, b) => a.count - b.count);
  const termsWith = (isWanted: (count: number) => boolean) => counted.flatMap(({ term, count }) => (isWanted(count) ? term : []));
  return {
    found: found === null ? [] : found.split(",").map(Number),
    last: last ?? after,
    isEnd: seen < size,
    terms: counted.map(({ term }) => term),
    common: new Set(termsWith((count) => count > seen / 10)),
    indexed: termsWith((count) => count <= Math.max(seen / 10, counted[0]!.count * 2)),
  };
}

type Counts = { rows: number; last: number | null; found: string | null; [count: `c${number}`]: number };

async function walk(
  db: Sql,
  parts: SqlParts,
  terms: readonly WordTerm[],
  { after, want, most }: { readonly after: number; readonly want: number; readonly most: number },
): Promise<number[]> {
  const { rows } = await sql<{ position: number }>`
    select position from (select position, terms from ${table("words")} where position > ${after} order by position limit ${most}) as words
    where ${parts.rowHasWords(terms)} order by position limit ${want}`.execute(db);
  return rows.map(({ position }) => position);
}

/** All from the index, sorted; undefined where they are too many. */
async function lookUp(
  db: Sql,
  parts: SqlParts,
  terms: readonly WordTerm[],
  indexed: readonly WordTerm[],
  after: number,
): Promise<number[] | undefined> {
  const { rows } = await sql<{ position: number }>`
    select position from (${parts.indexedWords(indexed, after)}) as words where ${parts.rowHasWords(terms)}
    limit ${mostFromIndex + 1}`.execute(db);
  return rows.length > mostFromIndex ? undefined : rows.map(({ position }) => position).sort((a, b) => a - b);
}
