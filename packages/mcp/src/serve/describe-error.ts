/** The message of whatever was thrown. */
export function describeError(thrown: unknown): string {
  return thrown instanceof Error && thrown.message !== "" ? thrown.message : "The server failed, without saying why.";
}
