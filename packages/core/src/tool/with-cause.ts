import { describeThrown } from "./result.ts";

/** "The store failed. (connect ECONNREFUSED)": an error with its cause, for a log. */
export function withCause(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? describeThrown(error) : `${describeThrown(error)} (${describeThrown(cause)})`;
}
