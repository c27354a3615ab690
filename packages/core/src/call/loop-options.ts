import { ToolError } from "../errors.ts";
import { requireCount } from "./require-number.ts";

export interface LoopDetectionOptions {
  /** Number of equal results after which the same call gets a warning. @default 10 */
  warnAt?: number;
  /** Number of equal results after which the same call is refused. @default 20 */
  blockAt?: number;
  /** How many calls of a run are remembered. @default 30, and at least `blockAt` */
  history?: number;
  /** How many runs are remembered; the least recently used are dropped. @default 1_000 */
  maxRuns?: number;
}

/** With the defaults; throws CONFIG_INVALID for numbers that cannot be. */
export function readLoopOptions(options: LoopDetectionOptions): Required<LoopDetectionOptions> {
  const warnAt = requireCount("warnAt", options.warnAt ?? 10);
  const blockAt = requireCount("blockAt", options.blockAt ?? 20);
  const history = Math.max(requireCount("history", options.history ?? 30), blockAt);
  if (warnAt > blockAt) throw new ToolError("CONFIG_INVALID", `warnAt must not be above blockAt, but ${warnAt} is above ${blockAt}.`);
  return { warnAt, blockAt, history, maxRuns: requireCount("maxRuns", options.maxRuns ?? 1_000, 2) };
}
