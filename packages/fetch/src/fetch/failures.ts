import { FetchError } from "../errors.ts";

/** Turns every failure of a request into an error with a code. */
export function toFetchError(error: unknown, url: URL, signal: AbortSignal, timeoutMs: number): FetchError {
  const refusal = findRefusal(error);
  if (refusal !== undefined) return refusal;
  if (signal.aborted) {
    const isTimeout = signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
    if (isTimeout) return new FetchError("TIMEOUT", `${url.host} did not answer within ${timeoutMs} ms.`, { cause: error });
    return new FetchError("ABORTED", `The request to ${url.host} was given up.`, { cause: error });
  }
  const { code = "", message = "" } = error as { code?: string; message?: string };
  if (code === "UND_ERR_CONNECT_TIMEOUT") return new FetchError("TIMEOUT", `${url.host} cannot be connected to in time.`, { cause: error });
  return new FetchError("UNREACHABLE", `${url.host} cannot be reached: ${reasonOf(code, message)}.`, { cause: error });
}

/** A code of the system says it all, ECONNREFUSED; any other needs its sentence: other side closed (UND_ERR_SOCKET). */
function reasonOf(code: string, message: string): string {
  if (/^E[A-Z]+$/.test(code) || message === "") return code || "unknown reason";
  return code === "" ? message : `${message} (${code})`;
}

/** The refusal may be wrapped, or one of several when more than one address was tried. */
function findRefusal(error: unknown, depth = 0): FetchError | undefined {
  if (FetchError.is(error)) return error;
  if (!(error instanceof Error) || depth > 4) return undefined;
  const inner = [error.cause, ...(error instanceof AggregateError ? (error.errors as unknown[]) : [])];
  for (const one of inner) {
    const found = findRefusal(one, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
