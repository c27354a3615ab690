/**
 * A limit for the work on all automata of one grammar. Building a grammar is synchronous, so one counter is enough: `withWorkBudget` starts
 * a budget and `spend` counts steps. A part that finds the budget used up is left looser in the grammar.
 */
let spent = 0;
let limit: number = Infinity;

/** Steps for the patterns, formats and ranges of one grammar by default: about a second. */
export const defaultWorkBudget = 2_000_000;

export function withWorkBudget<Result>(steps: number, work: () => Result): Result {
  const outer = limit;
  limit = Math.min(outer, spent + steps);
  try {
    return work();
  } finally {
    limit = outer;
    if (outer === Infinity) spent = 0;
  }
}

/** False if the budget is used up. */
export function spend(steps: number): boolean {
  spent += steps;
  return spent <= limit;
}

export function isSpent(): boolean {
  return spent > limit;
}

/** For parts that a grammar needs, and that are known to be small. */
export function withoutLimit<Result>(work: () => Result): Result {
  const outer = limit;
  limit = Infinity;
  try {
    return work();
  } finally {
    limit = outer;
  }
}

/** How many steps `work` took, for caches: a cached result must cost the same steps, or equal grammars would differ. */
export function measureWork<Result>(work: () => Result): { readonly result: Result; readonly steps: number } {
  const before = spent;
  const result = work();
  return { result, steps: spent - before };
}
