import { createTopItems, type Ranking } from "./top-items.ts";
import type { Coverage } from "./coverage.ts";
import type { Families } from "../tables/families.ts";
import type { ClauseTerm, Query } from "../query/query.ts";
import type { TermMatcher } from "./match-terms.ts";
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
 * Scores tools for a query: BM25 over weighted fields for the whole request, blended with the best score of any single clause, so that
 * a request for three things finds the tools of all three. A word adds its strongest match in a tool (itself or a synonym), never the sum. Tools
 * gain by the best tool of their family, and the top ones by their coverage.
 * Returns the first passages of the `limit` best tools, best first, and their scores from 0 to 1; `compare` orders tools of equal score.
 */
export type Ranker = (query: Query, passages: Passages, limit: number, compare: Compare) => Ranking;

type Compare = (a: number, b: number) => number;

export interface RankerParts {
  readonly resolve: TermMatcher;
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
    const matches = resolve(terms, passages);
    const lengths = matches.map((all) => all.reduce((sum, { count }) => sum + count, 0));
    const longest = Math.max(leastLong, passages.tools * longShare);
    // The rarest term first; after it, common terms add no tools, only scores.
    const addTerms = (list: readonly ClauseTerm[], scored: PassageScores): void => {
      for (const { at, weight } of list.toSorted((a, b) => lengths[a.at]! - lengths[b.at]!)) {
        if (lengths[at]! > longest && scored.count > 0) addToScored(matches[at]!, weight, scored);
        else addTerm(matches[at]!, weight, passages, scored);
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
    const best = createTopItems(Math.max(limit, covered), compare);
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

  /** Reorders the top items by coverage. The others gain nothing, so they stay behind. */
  function weighCovered({ items, scores }: Ranking, { terms }: Query, passages: Passages, limit: number, compare: Compare): Ranking {
    const first = items.subarray(0, covered);
    const shares = coverage(terms, passages, first);
    const best = createTopItems(covered, compare);
    for (let at = 0; at < first.length; at++) best.offer(first[at]!, scores[at]! * (1 + coverageShare * shares[at]!));
    const weighed = best.inOrder();
    items.set(weighed.items);
    scores.set(weighed.scores);
    for (let at = 0; at < scores.length; at++) scores[at]! /= mostGain;
    return { items: items.subarray(0, limit), scores: scores.subarray(0, limit) };
  }
}

/** The weight of the whole request against its best clause. */
const wholeShare = 0.5;
/** How much the best tool of its family may add to a tool, and how much coverage may add. */
const familyShare = 0.7;
const coverageShare = 0.6;
const mostGain = (1 + familyShare) * (1 + coverageShare);
/** How many top items are reordered by coverage. */
const covered = 20;
/** A word is common if this many tools contain it, or this share of them. */
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
