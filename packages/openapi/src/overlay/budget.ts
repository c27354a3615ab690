/** How many steps a selection may still take. */
export interface Budget {
  /** Throws if there are not as many steps left. */
  spend(steps: number): void;
}

export function createBudget(steps: number, fault: (fact: string) => Error): Budget {
  let left = steps;
  return {
    spend(count) {
      left -= count;
      if (left < 0) throw fault(`takes more than ${steps.toLocaleString("en")} steps`);
    },
  };
}
