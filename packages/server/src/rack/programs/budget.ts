import type { OpenProgram } from "@toolrack/code";

/** The memory that all programs of a server share, so that many programs cannot take what one may not. */
export interface Budget {
  /** Notes what a program holds now. False: all together hold too much, and this one is not small. */
  holds(program: object, memory: Pick<OpenProgram, "memoryBytes" | "measureMemory">): boolean;
  /** It is no longer in memory. */
  releases(program: object): void;
}

export function createBudget(maxBytes: number = allPrograms): Budget {
  const held = new Map<object, number>();
  let sum = 0;
  const note = (program: object, bytes: number): boolean => {
    sum += bytes - (held.get(program) ?? 0);
    held.set(program, bytes);
    return sum <= maxBytes || bytes <= small;
  };
  return {
    holds: (program, memory) => note(program, memory.memoryBytes) || note(program, memory.measureMemory()),
    releases(program) {
      sum -= held.get(program) ?? 0;
      held.delete(program);
    },
  };
}

/** Sixteen programs of the largest size. */
const allPrograms = 512 * 1_024 * 1_024;
/** A program of this size is not the one that takes the memory of others. */
const small = 256 * 1_024;
