import { createTopItems, type Ranking } from "./top-items.ts";
import type { Coverage } from "./coverage.ts";
import { orderFreshFirst } from "./fresh-first.ts";
import { weights } from "../weights.ts";
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
 * a request for three things finds the tools of all three. A word adds its strongest match in a tool (itself, a synonym or a related word),
 * never the sum. Tools gain by the best tool of their family; the top ones by their coverage, by actions that are asked for, and by answering
 * what no better tool answers.
 * Returns the first passages of the `limit` best tools, best first, and their scores from 0 to 1; `compare` orders tools of equal score.
 */
export type Ranker = (query: Query, passages: Passages, limit: number, compare: Compare) => Ranked;

export interface Ranked extends Ranking {
  /** What raised the score of the tool at this place. Valid also after the next query. */
  gainsAt(at: number): Gains;
}

/** Each as a share of the score before it, 0 for nothing. */
export interface Gains {
  /** By a better tool of its family. */
  readonly family: number;
  readonly coverage: number;
  readonly fresh: number;
  readonly action: number;
}

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
    const share = query.clauses.length < 2 ? 1 : weights.whole;
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
    const familyAdds = (passage: number): number => weights.family * familyBests[byPassage[passage]!]!;
    const best = createTopItems(Math.max(limit, covered), compare);
    for (let index = 0; index < count; index++) {
      const passage = touched[index]!;
      const score = scores[passage]! * (1 + familyAdds(passage));
      if (score >= best.least) best.offer(passage, score);
    }
    const ranking = best.inOrder();
    // What a tool adds to itself is no gain over others.
    const fromFamily = Float64Array.from(ranking.items, (passage) =>
      familyBests[byPassage[passage]!]! > scores[passage]! ? familyAdds(passage) : 0,
    );
    empty(tools);
    bests.fill(0);
    familyBests.fill(0);
    return weighFits(ranking, fromFamily, query, passages, limit, compare);
  };

  /** Reorders the top items by how they fit the request. The others gain nothing, so they stay behind. */
  function weighFits(
    { items, scores }: Ranking,
    adds: Float64Array,
    query: Query,
    passages: Passages,
    limit: number,
    compare: Compare,
  ): Ranked {
    const first = items.subarray(0, covered);
    const fits = coverage(query.terms, passages, first);
    const before = Int32Array.from(first);
    const raised = fits.map((fit, at) => ({
      item: before[at]!,
      score: scores[at]! * (1 + weights.coverage * fit.share) * (1 + (fit.isAsked ? weights.action : 0)),
      fit,
    }));
    const chosen = orderFreshFirst(raised, weights.fresh, compare);
    const addsBefore = new Map(Array.from(before, (item, at) => [item, adds[at]!]));
    for (const [at, { item, score }] of chosen.entries()) {
      items[at] = item;
      scores[at] = score;
      adds[at] = addsBefore.get(item)!;
    }
    for (let at = 0; at < scores.length; at++) scores[at]! /= mostGain();
    return {
      items: items.subarray(0, limit),
      scores: scores.subarray(0, limit),
      gainsAt(at) {
        const { fit, fresh = 0 } = chosen[at] ?? {};
        const action = fit?.isAsked === true ? weights.action : 0;
        return { family: adds[at]!, coverage: weights.coverage * (fit?.share ?? 0), fresh: weights.fresh * fresh, action };
      },
    };
  }
}

function mostGain(): number {
  return (1 + weights.family) * (1 + weights.coverage) * (1 + weights.action) * (1 + weights.fresh);
}

/** How many top items are compared with the request in detail. */
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
