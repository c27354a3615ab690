import { createBest, type Ranking } from "./best.ts";
import type { Coverage } from "./coverage.ts";
import type { Families } from "../tables/families.ts";
import type { ClauseTerm, Query } from "../query/query.ts";
import type { Resolver } from "./resolve.ts";
import type { Passages } from "./scope.ts";
import {
  addScores,
  addTerm,
  addToScored,
  createPassageScores,
  empty,
  fit,
  foldExamples,
  keepLarger,
  mostOf,
  type PassageScores,
} from "./passage-scores.ts";

/**
 * Scores tools for a query: BM25 over weighted fields for the whole request, blended with the best that any single clause says, so that
 * a request for three things finds the tools of all three. A word adds the strongest of its relatives in a tool, never their sum. Tools
 * gain by the best of their family, and the first ones by how much of what they say is asked for.
 * Answers the first passages of the `limit` best tools, best first, and their scores from 0 to 1; `compare` orders equal ones.
 */
export type Ranker = (query: Query, passages: Passages, limit: number, compare: Compare) => Ranking;

type Compare = (a: number, b: number) => number;

export interface RankerParts {
  readonly resolve: Resolver;
  readonly coverage: Coverage;
  readonly families: Families;
}

/** Reuses its tables from query to query: allocating them again would cost more than filling them. */
export function createRanker({ resolve, coverage, families }: RankerParts): Ranker {
  const [whole, clause, folded] = [createPassageScores(), createPassageScores(), createPassageScores()];
  let bests = new Float32Array(0);
  let bestBits = new Int32Array(0);
  let familyBests = new Float32Array(0);
  let familyBits = new Int32Array(0);

  /** Adds the scores of all clauses to `whole`, and leaves in `bests` the best clause score of each passage. */
  function addClauses({ terms, clauses }: Query, passages: Passages): void {
    const sayings = resolve(terms, passages);
    const lengths = sayings.map((all) => all.reduce((sum, { count }) => sum + count, 0));
    const longest = Math.max(leastLong, passages.tools * longShare);
    // The rarest first; after them a common word finds no more tools, it only adds to those that were found.
    const addTerms = (list: readonly ClauseTerm[], scored: PassageScores): void => {
      for (const { at, weight } of list.toSorted((a, b) => lengths[a.at]! - lengths[b.at]!)) {
        if (lengths[at]! > longest && scored.count > 0) addToScored(sayings[at]!, weight, scored);
        else addTerm(sayings[at]!, weight, passages, scored);
      }
    };
    for (const { own, repeated } of clauses) {
      if (clauses.length === 1) return addTerms(own, whole);
      addTerms(own, clause);
      addScores(clause, whole);
      addTerms(repeated, clause);
      const tools = passages.hasExamples ? foldExamples(clause, passages, folded) : clause;
      keepBest(tools, bestBits);
      empty(tools);
    }
  }

  return (query, passages, limit, compare) => {
    fit(whole, passages.size);
    fit(clause, passages.size);
    fit(folded, passages.size);
    if (bests.length < passages.size) {
      bests = new Float32Array(whole.scores.length);
      bestBits = new Int32Array(bests.buffer);
    }
    addClauses(query, passages);
    const tools = passages.hasExamples ? foldExamples(whole, passages, folded) : whole;
    const { scores, bits, touched, count } = tools;
    const share = query.clauses.length < 2 ? 1 : wholeShare;
    const scale = share / mostOf(tools);
    const { byPassage } = families;
    if (familyBests.length < families.size) {
      familyBests = new Float32Array(families.size * 2);
      familyBits = new Int32Array(familyBests.buffer);
    }
    for (let index = 0; index < count; index++) {
      const passage = touched[index]!;
      scores[passage] = scale * scores[passage]! + (1 - share) * bests[passage]!;
      keepLarger(familyBits, byPassage[passage]!, bits[passage]!);
    }
    const best = createBest(Math.max(limit, covered), compare);
    for (let index = 0; index < count; index++) {
      const passage = touched[index]!;
      const score = scores[passage]! * (1 + familyShare * familyBests[byPassage[passage]!]!);
      if (score >= best.least) best.offer(passage, score);
    }
    empty(tools);
    bests.fill(0);
    familyBests.fill(0);
    return weighCovered(best.inOrder(), query, passages, limit, compare);
  };

  /** Puts the first in their last order. What comes behind them gains nothing, so it stays there. */
  function weighCovered({ items, scores }: Ranking, { terms }: Query, passages: Passages, limit: number, compare: Compare): Ranking {
    const first = items.subarray(0, covered);
    const shares = coverage(terms, passages, first);
    const best = createBest(covered, compare);
    for (let at = 0; at < first.length; at++) best.offer(first[at]!, scores[at]! * (1 + coverageShare * shares[at]!));
    const weighed = best.inOrder();
    items.set(weighed.items);
    scores.set(weighed.scores);
    for (let at = 0; at < scores.length; at++) scores[at]! /= mostGain;
    return { items: items.subarray(0, limit), scores: scores.subarray(0, limit) };
  }
}

/** How much the whole request decides beside its best clause. */
const wholeShare = 0.5;
/** How much the best of its family may add to a tool, and being asked for what it says. */
const familyShare = 0.7;
const coverageShare = 0.6;
const mostGain = (1 + familyShare) * (1 + coverageShare);
/** How many of the best are looked at more closely. */
const covered = 20;
/** Words that so many tools say, or such a part of them, are common. */
const leastLong = 400;
const longShare = 1 / 16;

/** Scales the scores so that the highest is 1, and keeps each one that is higher than the best so far. */
function keepBest(scored: PassageScores, bests: Int32Array): void {
  const { scores, bits, touched, count } = scored;
  const scale = 1 / mostOf(scored);
  for (let index = 0; index < count; index++) {
    const passage = touched[index]!;
    scores[passage]! *= scale;
    keepLarger(bests, passage, bits[passage]!);
  }
}
