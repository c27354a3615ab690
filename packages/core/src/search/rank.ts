import { createBest, type Scored } from "./best.ts";
import type { Query } from "./query.ts";
import type { Passages, Resolver, Sayings } from "./resolve.ts";

/**
 * Scores tools for a query: BM25 over weighted fields for the whole request, blended with the best that any single clause says, so that
 * a request for three things finds the tools of all three. A word adds the strongest of its relatives in a tool, never their sum.
 * Answers the first passages of the `limit` best tools, best first, and their scores from 0 to 1; `compare` orders equal ones.
 */
export type Ranker = (query: Query, passages: Passages, limit: number, compare: (a: number, b: number) => number) => readonly Scored[];

/** Keeps its sheets from query to query: making them anew would cost more than filling them. */
export function createRanker(resolve: Resolver): Ranker {
  const [whole, clause, folded] = [createSheet(), createSheet(), createSheet()];
  let bests = new Float32Array(0);
  let bestBits = new Int32Array(0);

  return ({ terms, clauses }, passages, limit, compare) => {
    for (const sheet of [whole, clause, folded]) fit(sheet, passages.size);
    if (bests.length < passages.size) {
      bests = new Float32Array(whole.scores.length);
      bestBits = new Int32Array(bests.buffer);
    }
    const sayings = resolve(terms, passages);
    if (clauses.length === 0) for (let at = 0; at < terms.length; at++) addTerm(sayings[at]!, terms[at]!.weight, passages, whole);
    for (const { own, repeated } of clauses) {
      for (const { at, weight } of own) addTerm(sayings[at]!, weight, passages, clause);
      addSheet(clause, whole);
      for (const { at, weight } of repeated) addTerm(sayings[at]!, weight, passages, clause);
      const tools = passages.hasExamples ? foldExamples(clause, passages, folded) : clause;
      keepBest(tools, bestBits);
      empty(tools);
    }
    const tools = passages.hasExamples ? foldExamples(whole, passages, folded) : whole;
    const { scores, touched, count } = tools;
    const share = clauses.length === 0 ? 1 : wholeShare;
    const scale = share / mostOf(tools);
    const best = createBest(limit, compare);
    for (let index = 0; index < count; index++) {
      const passage = touched[index]!;
      const score = scale * scores[passage]! + (1 - share) * bests[passage]!;
      if (score >= best.least) best.offer(passage, score);
    }
    empty(tools);
    bests.fill(0);
    return best.inOrder();
  };
}

/** How much the whole request decides beside its best clause. */
const wholeShare = 0.5;
const exampleShare = 0.5;

/** What is being added up: a score for each passage, and which passages have one. */
interface Sheet {
  scores: Float32Array;
  /** The same memory as whole numbers: a score of 0 is 0 there, every other is more. */
  bits: Int32Array;
  strongest: Float32Array;
  touched: Int32Array;
  count: number;
}

function createSheet(): Sheet {
  return { ...roomFor(0), count: 0 };
}

function fit(sheet: Sheet, size: number): void {
  if (sheet.scores.length < size) Object.assign(sheet, roomFor(Math.max(size, sheet.scores.length * 2)));
}

function roomFor(size: number): Omit<Sheet, "count"> {
  const scores = new Float32Array(size);
  return { scores, bits: new Int32Array(scores.buffer), strongest: new Float32Array(size), touched: new Int32Array(size + 1) };
}

function empty(sheet: Sheet): void {
  sheet.scores.fill(0);
  sheet.count = 0;
}

/** Adds to each passage the strongest that it says of the term. */
function addTerm(sayings: Sayings, weight: number, { open }: Passages, sheet: Sheet): void {
  const { scores, bits, strongest, touched } = sheet;
  const isAlone = sayings.length === 1;
  let { count } = sheet;
  for (const { entries, start, end, weight: rarity } of sayings) {
    const each = (weight * rarity) / 255;
    for (let at = start; at < end; at++) {
      const entry = entries[at]!;
      const passage = entry >>> 8;
      if (open[passage] === 0) continue;
      let added = each * (entry & 255);
      if (!isAlone) {
        const before = strongest[passage]!;
        if (added <= before) continue;
        strongest[passage] = added;
        added -= before;
      }
      // Noted without asking whether it is the first time: processors guess wrong too often.
      touched[count] = passage;
      count += (bits[passage]! - 1) >>> 31;
      scores[passage]! += added;
    }
  }
  if (!isAlone) strongest.fill(0);
  sheet.count = count;
}

function addSheet({ scores, touched, count }: Sheet, to: Sheet): void {
  for (let index = 0; index < count; index++) put(to, touched[index]!, scores[touched[index]!]!);
}

function put(sheet: Sheet, passage: number, added: number): void {
  sheet.touched[sheet.count] = passage;
  sheet.count += (sheet.bits[passage]! - 1) >>> 31;
  sheet.scores[passage]! += added;
}

/** What stands on a sheet, scaled so that the most is 1, where it is more than the best so far. */
function keepBest(sheet: Sheet, bests: Int32Array): void {
  const { scores, bits, touched, count } = sheet;
  const scale = 1 / mostOf(sheet);
  for (let index = 0; index < count; index++) {
    const passage = touched[index]!;
    scores[passage]! *= scale;
    // Scores are in the order of their bits. The larger of the two, again without asking.
    const ahead = bits[passage]! - bests[passage]!;
    bests[passage] = bits[passage]! - (ahead & (ahead >> 31));
  }
}

function mostOf({ scores, touched, count }: Sheet): number {
  let most = 0;
  for (let index = 0; index < count; index++) {
    const score = scores[touched[index]!]!;
    if (score > most) most = score;
  }
  return most;
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
  to.strongest.fill(0);
  return to;
}
