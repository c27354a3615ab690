import { LimitReached } from "./errors.ts";
import type { Machine } from "./machine.ts";

/** The program logged and returned too much. */
export function outputLimit(m: Machine): never {
  throw new LimitReached(
    "output",
    `The program logged and returned more than ${Math.round(m.limits.outputBytes / 1024)} kB. Return only what is needed: the first items, counts, chosen fields.`,
  );
}
