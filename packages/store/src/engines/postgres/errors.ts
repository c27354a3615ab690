import { StoreError } from "../../errors.ts";

/** Runs a query; a server that is away, restarting or full becomes one clear error that may be tried again. */
export async function withClearErrors<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!isAway(error)) throw error;
    const fact = (error as Error).message || (error as { code?: string }).code;
    throw new StoreError(
      "STORE_UNAVAILABLE",
      `PostgreSQL does not answer (${fact}). What was under way may or may not be written; read, then try again.`,
      {
        cause: error,
      },
    );
  }
}

const networkCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ENOENT",
]);

/** Connection failures (08), operator intervention such as a restart (57P), too many clients (53), conflicts the server resolved (40). */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error) || StoreError.is(error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === "string") return networkCodes.has(code) || /^(08|53|57P|40)/.test(code);
  return /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|not queryable/i.test(
    error.message,
  );
}
