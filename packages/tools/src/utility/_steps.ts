import { ToolInputError } from "@toolrack/core";

/** The synchronous work of one call, counted: what cannot be interrupted has to end by itself. */
export interface Steps {
  /** Throws when there were too many. */
  take(count?: number): void;
}

/** `advice` is what to do about it: "Filter the data first." */
export function createSteps(most: number, advice: string): Steps {
  let left = most;
  return {
    take(count = 1) {
      left -= count;
      if (left < 0) throw new ToolInputError(`This takes more than ${most.toLocaleString("en")} steps. ${advice}`);
    },
  };
}
