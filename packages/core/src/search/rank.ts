import type { Pairs } from "./pairs.ts";
import type { Postings } from "./postings.ts";
import type { Query, QueryTerm } from "./query.ts";
import { relativesOf } from "./relatives.ts";

/** The passages that are searched. */
export interface Passages {
  /** How many numbers have been given out. */
  readonly size: number;
  /** The first passage of the tool that a passage belongs to. */
  readonly owners: Int32Array;
  /** 1 where a passage may be found. */
  readonly open: Uint8Array;
  /** How many tools may be found, and whether those are all that the postings count. */
  readonly tools: number;
  readonly isAll: boolean;
  /** Whether any tool has more than one passage. */
  readonly hasExamples: boolean;
}

/**
 * Scores tools for a query: BM25 over weighted fields for the whole request, blended with the best that any single clause says, so that
 * a request for three things finds the tools of all three. A word adds the strongest of its relatives in a tool, never their sum.
 * `use` is told the first passages of the tools that say anything of the query, and their scores from 0 to 1, for as long as it runs.
 */
export type Ranker = <Result>(query: Query, passages: Passages, use: (found: Int32Array, scores: Float32Array) => Result) => Result;

/** Keeps its sheets from query to query: making them anew would cost more than filling them. */
export function createRanker(postings: Postings, pairs: Pairs): Ranker {
  const sheets = { whole: createSheet(), clause: createSheet(), folded: createSheet() };
  let best = new Float32Array(0);

  return (query, passages, use) => {
    for (const sheet of Object.values(sheets)) fit(sheet, passages.size);
    if (best.length < passages.size) best = new Float32Array(sheets.whole.scores.length);
    const { whole, clause, folded } = sheets;
    const resolve = createResolver(postings, pairs, passages);
    const inWhole = new Set(query.terms);
    if (query.clauses.length === 0) for (const term of query.terms) addTerm(resolve(term), term.weight, passages, whole);
    for (const terms of query.clauses) {
      for (const term of terms) addTerm(resolve(term), term.weight, passages, clause, inWhole.has(term) ? whole : undefined);
      const tools = passages.hasExamples ? foldExamples(clause, passages, folded) : clause;
      keepBest(tools, best);
      empty(tools);
    }
    const tools = passages.hasExamples ? foldExamples(whole, passages, folded) : whole;
    const found = tools.touched.subarray(0, tools.count);
    const most = mostOf(tools);
    const share = query.clauses.length === 0 ? 1 : wholeShare;
    for (const passage of found) {
      tools.scores[passage] = (share * tools.scores[passage]!) / most + (1 - share) * best[passage]!;
      best[passage] = 0;
    }
    const result = use(found, tools.scores);
    empty(tools);
    return result;
  };
}

/** How much the whole request decides beside its best clause. */
const wholeShare = 0.5;
const exampleShare = 0.5;
/** Rare words matter more, but not in proportion. */
const rarityPower = 0.75;

interface Weighted {
  readonly entries: Uint32Array;
  readonly weight: number;
}

/** What stands for a term of the query in the index, each looked up once. */
function createResolver(postings: Postings, pairs: Pairs, passages: Passages): (term: QueryTerm) => readonly Weighted[] {
  const sayings = new Map<string, Saying>();
  const sayingOf = (term: string): Saying => {
    let saying = sayings.get(term);
    if (saying === undefined) {
      const isPair = term.includes(" ");
      const entries = (isPair ? pairs.find(term) : postings.find(term)) ?? nothing;
      const count = passages.isAll && !isPair ? postings.count(term) : countOpen(entries, passages);
      sayings.set(term, (saying = { entries, count }));
    }
    return saying;
  };
  const resolved = new Map<string, Weighted[]>();
  return (term) => {
    let weighted = resolved.get(term.term);
    if (weighted === undefined) resolved.set(term.term, (weighted = weigh(term, sayingOf, passages.tools)));
    return weighted;
  };
}

/** Who says a term, and how many of them may be found. */
interface Saying {
  readonly entries: Uint32Array;
  readonly count: number;
}

const nothing = new Uint32Array(0);

/** What nobody who may be found says does not count: neither for rarity nor for how words are taken apart. */
function weigh(term: QueryTerm, sayingOf: (term: string) => Saying, tools: number): Weighted[] {
  const weighted: Weighted[] = [];
  let own: number | undefined;
  for (const { term: relative, share } of relativesOf(term, (other) => sayingOf(other).count > 0)) {
    const { entries, count } = sayingOf(relative);
    if (count === 0) continue;
    const rarity = Math.log(1 + Math.max(0.5, tools - count + 0.5) / (count + 0.5)) ** rarityPower;
    // A rare synonym does not make a common word rare.
    own ??= relative === term.term ? rarity : Infinity;
    weighted.push({ entries, weight: share * Math.min(own, rarity) });
  }
  return weighted;
}

function countOpen(entries: Uint32Array, { open }: Passages): number {
  let count = 0;
  for (const entry of entries) count += open[entry >>> 8]!;
  return count;
}

/** What is being added up: a score for each passage, and which passages have one. */
interface Sheet {
  scores: Float32Array;
  strongest: Float32Array;
  touched: Int32Array;
  count: number;
}

function createSheet(): Sheet {
  return { scores: new Float32Array(0), strongest: new Float32Array(0), touched: new Int32Array(0), count: 0 };
}

function fit(sheet: Sheet, size: number): void {
  if (sheet.scores.length >= size) return;
  const wider = Math.max(size, sheet.scores.length * 2);
  sheet.scores = new Float32Array(wider);
  sheet.strongest = new Float32Array(wider);
  sheet.touched = new Int32Array(wider);
}

function put(sheet: Sheet, passage: number, added: number): void {
  if (sheet.scores[passage] === 0) sheet.touched[sheet.count++] = passage;
  sheet.scores[passage]! += added;
}

function empty(sheet: Sheet): void {
  for (let index = 0; index < sheet.count; index++) sheet.scores[sheet.touched[index]!] = 0;
  sheet.count = 0;
}

/** What stands on a sheet, scaled so that the most is 1, where it is more than the best so far. */
function keepBest(sheet: Sheet, best: Float32Array): void {
  const { scores, touched, count } = sheet;
  const scale = 1 / mostOf(sheet);
  for (let index = 0; index < count; index++) {
    const passage = touched[index]!;
    const score = scores[passage]! * scale;
    if (score > best[passage]!) best[passage] = score;
  }
}

function mostOf({ scores, touched, count }: Sheet): number {
  let most = 0;
  for (let index = 0; index < count; index++) most = Math.max(most, scores[touched[index]!]!);
  return most;
}

function addTerm(relatives: readonly Weighted[], weight: number, { open }: Passages, sheet: Sheet, also?: Sheet): void {
  const { strongest } = sheet;
  const isAlone = relatives.length === 1;
  for (const { entries, weight: rarity } of relatives) {
    const each = (weight * rarity) / 255;
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at]!;
      const passage = entry >>> 8;
      if (open[passage] === 0) continue;
      const added = each * (entry & 255);
      if (isAlone) {
        put(sheet, passage, added);
        if (also !== undefined) put(also, passage, added);
      } else if (added > strongest[passage]!) {
        strongest[passage] = added;
      }
    }
  }
  if (isAlone) return;
  for (const { entries } of relatives) {
    for (let at = 0; at < entries.length; at++) {
      const passage = entries[at]! >>> 8;
      const added = strongest[passage]!;
      if (added === 0) continue;
      strongest[passage] = 0;
      put(sheet, passage, added);
      if (also !== undefined) put(also, passage, added);
    }
  }
}

/** A tool has the score of what it says of itself and a share of its best example's. Empties the first sheet into the second. */
function foldExamples(from: Sheet, { owners }: Passages, to: Sheet): Sheet {
  for (let index = 0; index < from.count; index++) {
    const passage = from.touched[index]!;
    const owner = owners[passage]!;
    const score = from.scores[passage]!;
    if (owner === passage) {
      put(to, owner, score);
    } else if (score * exampleShare > to.strongest[owner]!) {
      put(to, owner, score * exampleShare - to.strongest[owner]!);
      to.strongest[owner] = score * exampleShare;
    }
  }
  empty(from);
  for (let index = 0; index < to.count; index++) to.strongest[to.touched[index]!] = 0;
  return to;
}
