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
}

/** The tools that say anything of the query, by their first passage, each with its score from 0 to 1. */
export interface Ranked {
  readonly found: Int32Array;
  score(passage: number): number;
}

/**
 * Scores tools for a query: BM25 over weighted fields for the whole request, blended with the best that any single clause says, so that
 * a request for three things finds the tools of all three. A word adds the strongest of its relatives in a tool, never their sum.
 */
export function rank(query: Query, postings: Postings, passages: Passages): Ranked {
  const sheet = createSheet(passages.size);
  const counts = new Map<number, number>();
  const countOf = (id: number): number => {
    if (passages.isAll) return postings.count(id);
    let count = counts.get(id);
    if (count === undefined) counts.set(id, (count = countOpen(id, postings, passages)));
    return count;
  };
  const resolved = new Map<string, Weighted[]>();
  const resolve = (term: QueryTerm): Weighted[] => {
    let weighted = resolved.get(term.term);
    if (weighted === undefined) resolved.set(term.term, (weighted = weigh(term, postings, countOf, passages.tools)));
    return weighted;
  };
  const run = (terms: readonly QueryTerm[], into: Float32Array): Int32Array => {
    for (const term of terms) addTerm(resolve(term), term.weight, postings, passages, sheet);
    return foldExamples(sheet, passages, into);
  };

  const whole = new Float32Array(passages.size);
  const found = run(query.terms, whole);
  scaleToOne(whole, found);
  if (query.clauses.length === 0) return { found, score: (passage) => whole[passage]! };
  const best = new Float32Array(passages.size);
  const clause = new Float32Array(passages.size);
  for (const terms of query.clauses) {
    const touched = run(terms, clause);
    scaleToOne(clause, touched);
    for (const passage of touched) {
      if (clause[passage]! > best[passage]!) best[passage] = clause[passage]!;
      clause[passage] = 0;
    }
  }
  return { found, score: (passage) => wholeShare * whole[passage]! + (1 - wholeShare) * best[passage]! };
}

/** How much the whole request decides beside its best clause. */
const wholeShare = 0.3;
const exampleShare = 0.5;
/** Rare words matter more, but not in proportion. */
const rarityPower = 0.75;

interface Weighted {
  readonly id: number;
  readonly weight: number;
}

/** What nobody who may be found says does not count: neither for rarity nor for how words are taken apart. */
function weigh(term: QueryTerm, postings: Postings, countOf: (id: number) => number, tools: number): Weighted[] {
  const weighted: Weighted[] = [];
  const said = (relative: string): number => {
    const id = postings.find(relative);
    return id === undefined ? 0 : countOf(id);
  };
  let own: number | undefined;
  for (const { term: relative, share } of relativesOf(term, (other) => said(other) > 0)) {
    const id = postings.find(relative);
    const count = said(relative);
    if (id === undefined || count === 0) continue;
    const rarity = Math.log(1 + Math.max(0.5, tools - count + 0.5) / (count + 0.5)) ** rarityPower;
    // A rare synonym does not make a common word rare.
    own ??= relative === term.term ? rarity : Infinity;
    weighted.push({ id, weight: share * Math.min(own, rarity) });
  }
  return weighted;
}

function countOpen(id: number, { entries, start, end }: Postings, { open }: Passages): number {
  let count = 0;
  for (let at = start(id); at < end(id); at++) count += open[entries[at]! >>> 8]!;
  return count;
}

/** What is being added up: a score for each passage, and which passages have one. */
interface Sheet {
  readonly scores: Float32Array;
  readonly strongest: Float32Array;
  readonly touched: Int32Array;
  count: number;
}

function createSheet(size: number): Sheet {
  return { scores: new Float32Array(size), strongest: new Float32Array(size), touched: new Int32Array(size), count: 0 };
}

function addTerm(relatives: readonly Weighted[], weight: number, postings: Postings, { open }: Passages, sheet: Sheet): void {
  const { entries } = postings;
  const { scores, strongest, touched } = sheet;
  const isAlone = relatives.length === 1;
  for (const { id, weight: rarity } of relatives) {
    const end = postings.end(id);
    const each = (weight * rarity) / 255;
    for (let at = postings.start(id); at < end; at++) {
      const passage = entries[at]! >>> 8;
      if (open[passage] === 0) continue;
      const added = each * (entries[at]! & 255);
      if (isAlone) {
        if (scores[passage] === 0) touched[sheet.count++] = passage;
        scores[passage]! += added;
      } else if (added > strongest[passage]!) {
        strongest[passage] = added;
      }
    }
  }
  if (isAlone) return;
  for (const { id } of relatives) {
    const end = postings.end(id);
    for (let at = postings.start(id); at < end; at++) {
      const passage = entries[at]! >>> 8;
      const added = strongest[passage]!;
      if (added === 0) continue;
      strongest[passage] = 0;
      if (scores[passage] === 0) touched[sheet.count++] = passage;
      scores[passage]! += added;
    }
  }
}

/** A tool has the score of what it says of itself and a share of its best example's. Empties the sheet; answers the tools. */
function foldExamples(sheet: Sheet, { owners }: Passages, into: Float32Array): Int32Array {
  const { scores, strongest, touched } = sheet;
  const tools = new Int32Array(sheet.count);
  let count = 0;
  for (let index = 0; index < sheet.count; index++) {
    const passage = touched[index]!;
    const owner = owners[passage]!;
    if (into[owner] === 0) tools[count++] = owner;
    if (owner === passage) {
      into[owner]! += scores[passage]!;
    } else if (scores[passage]! * exampleShare > strongest[owner]!) {
      into[owner]! += scores[passage]! * exampleShare - strongest[owner]!;
      strongest[owner] = scores[passage]! * exampleShare;
    }
    scores[passage] = 0;
  }
  for (let index = 0; index < count; index++) strongest[tools[index]!] = 0;
  sheet.count = 0;
  return tools.subarray(0, count);
}

function scaleToOne(scores: Float32Array, touched: Int32Array): void {
  let most = 0;
  for (const passage of touched) if (scores[passage]! > most) most = scores[passage]!;
  if (most > 0) for (const passage of touched) scores[passage]! /= most;
}
