import type { Chain } from "./chain.ts";
import { checkChain } from "./check.ts";
import { chainToProgram } from "./program.ts";
import { readChain } from "./read.ts";

/** The order of a chain, and where each step stands in the program that it is made to. */
export interface ChainPlan {
  /** Ids of steps: those of one level run at the same time. */
  readonly levels: readonly (readonly string[])[];
  /** Which step waits for which: [the earlier one, the later one]. */
  readonly edges: readonly (readonly [from: string, to: string])[];
  readonly steps: readonly { readonly id: string; readonly tool: string; readonly line: number }[];
  /** The step whose result counts. */
  readonly returned: string;
}

/** Throws a TypeError as `chainToProgram` does. */
export function planOfChain(chain: Chain): ChainPlan {
  // Quotes in texts are escaped, so that this stands in the line of the step alone.
  const lines = chainToProgram(chain).split("\n");
  const lineOf = (id: string): number => lines.findIndex((line) => line.includes(`run(${JSON.stringify(id)}, `)) + 1;
  const { levels, edges } = checkChain(chain);
  const { steps, returnStep } = readChain(chain).chain!;
  return { levels, edges, steps: steps.map(({ id, tool }) => ({ id, tool, line: lineOf(id) })), returned: returnStep };
}
