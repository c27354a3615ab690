/**
 * How much work the machines of one grammar may take together. Building a grammar is synchronous, so one counter serves: `withEffort` begins
 * a budget, `spend` counts, and what finds the budget spent gives up its own part, which the grammar then leaves looser.
 */
let spent = 0;
let limit: number = Infinity;

/** What patterns, formats and ranges of one grammar may take where nothing else is said: about a second. */
export const defaultEffort = 2_000_000;

export function withEffort<Result>(steps: number, work: () => Result): Result {
  const outer = limit;
  limit = Math.min(outer, spent + steps);
  try {
    return work();
  } finally {
    limit = outer;
    if (outer === Infinity) spent = 0;
  }
}

/** False where the budget is spent. */
export function spend(steps: number): boolean {
  spent += steps;
  return spent <= limit;
}

export function isSpent(): boolean {
  return spent > limit;
}

/** For what a grammar cannot do without, and what is known to be small. */
export function withoutLimit<Result>(work: () => Result): Result {
  const outer = limit;
  limit = Infinity;
  try {
    return work();
  } finally {
    limit = outer;
  }
}

/** How many steps `work` took, for whoever keeps its outcome: taking it from there has to cost the same, or grammars would differ. */
export function measureEffort<Result>(work: () => Result): { readonly result: Result; readonly steps: number } {
  const before = spent;
  const result = work();
  return { result, steps: spent - before };
}
