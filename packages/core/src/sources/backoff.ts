import { ToolError } from "../errors.ts";

const firstMs = 1_000;
const longestMs = 60_000;

/**
 * How long to wait before a source is read again that failed so often in a row: twice as long after each failure, up to a minute, and at
 * random up to a quarter less, so that what failed together is not asked together. A wrong configuration waits the longest at once.
 */
export function backoffMs(failures: number, error: unknown): number {
  const grownMs = isMistake(error) ? longestMs : Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20));
  const askedMs = ToolError.is(error) ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(askedMs, grownMs * (0.75 + Math.random() / 4));
}

/** Somebody has to correct something: a key, a secret, a document. */
function isMistake(error: unknown): boolean {
  return ToolError.is(error) && error.status < 500 && error.retryAfterMs === undefined;
}
