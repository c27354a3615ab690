import type { Fit } from "./coverage.ts";

/** One of the best tools, with its score before this gain. */
export interface Candidate {
  readonly item: number;
  readonly score: number;
  readonly fit: Fit;
}

/** The same, with the score after it, and the share of its answered terms that no tool before it answers, from 0 to 1. */
export interface Chosen extends Candidate {
  readonly fresh: number;
}

/**
 * Orders tools one by one: each gains up to `most` by what it answers and no tool before it does, so that a request for several things
 * is not answered with five tools for the first of them. `compare` orders equal scores.
 */
export function orderFreshFirst(candidates: readonly Candidate[], most: number, compare: (a: number, b: number) => number): Chosen[] {
  const left = [...candidates];
  const answered = new Set<number>();
  const chosen: Chosen[] = [];
  while (left.length > 0) {
    let best = 0;
    let bestScore = -1;
    let bestFresh = 0;
    for (const [at, { item, score, fit }] of left.entries()) {
      const fresh = freshShare(fit, answered);
      const raised = score * (1 + most * fresh);
      if (raised < bestScore || (raised === bestScore && compare(left[best]!.item, item) < 0)) continue;
      [best, bestScore, bestFresh] = [at, raised, fresh];
    }
    const [next] = left.splice(best, 1);
    for (const term of next!.fit.answered.keys()) answered.add(term);
    chosen.push({ ...next!, score: bestScore, fresh: bestFresh });
  }
  return chosen;
}

/** A tool whose leading terms answer nothing repeats nothing, either. */
function freshShare({ answered }: Fit, before: ReadonlySet<number>): number {
  let all = 0;
  let fresh = 0;
  for (const [term, weight] of answered) {
    all += weight;
    if (!before.has(term)) fresh += weight;
  }
  return all === 0 ? 1 : fresh / all;
}
