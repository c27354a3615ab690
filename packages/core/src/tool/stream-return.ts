import { ToolError } from "../errors.ts";
import { nextTurn } from "../util/next-turn.ts";
import type { Progress } from "./context.ts";
import type { ReturningCall } from "./returning-call.ts";
import { toPlainData } from "./to-plain-data.ts";

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return (
    typeof value === "object" && value !== null && typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === "function"
  );
}

/**
 * Reads a stream that a handler returned, and tells each value as progress. Resolves to the value that a generator returns; without one, to the joined
 * text of a stream of texts, else to the last value. When the call is cancelled, the iterator's `return` is called, and nothing more is read.
 */
export async function collectStream(stream: AsyncIterable<unknown>, call: ReturningCall): Promise<unknown> {
  const iterator = stream[Symbol.asyncIterator]();
  const { signal } = call;
  const stop = (): void => void endIterator(iterator);
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) stop();
    const collected = new Collected();
    let since = performance.now();
    while (!signal.aborted) {
      const { done, value } = await iterator.next();
      if (performance.now() - since > longestTurnMs) {
        await nextTurn();
        since = performance.now();
      }
      if (done === true) return value === undefined ? collected.value() : value;
      if (!signal.aborted) takeOrStop(value, collected, call, stop);
    }
    return undefined;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A stream that never waits would keep timers, other calls and its own time limit from their turn. */
const longestTurnMs = 20;

/** A value that is refused ends the stream. */
function takeOrStop(value: unknown, collected: Collected, call: ReturningCall, stop: () => void): void {
  try {
    call.progress(collected.take(value));
  } catch (error) {
    stop();
    throw error;
  }
}

async function endIterator(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // The call has its result: what a stream does while it is closed changes nothing.
  }
}

/** How many characters a stream of texts may have: it is held as a whole until it ends. */
const maxLength = 16 * 1024 * 1024;

class Collected {
  #texts: string[] | undefined = [];
  #length = 0;
  #last: unknown = undefined;
  #count = 0;

  take(value: unknown): Progress {
    const plain = toPlainData(value, `chunk[${this.#count++}]`);
    this.#last = plain;
    if (typeof plain !== "string") {
      this.#texts = undefined;
      return isProgress(plain) ? plain : { message: JSON.stringify(plain) ?? "" };
    }
    this.#length += plain.length;
    if (this.#length > maxLength)
      throw new ToolError("RESULT_TOO_LARGE", `The tool streamed more than ${maxLength} characters. Return less, or write it to a file.`);
    this.#texts?.push(plain);
    return { message: plain };
  }

  value(): unknown {
    return this.#texts === undefined ? this.#last : this.#texts.join("");
  }
}

/** { progress: 2, total: 5, message: "…" }, with any of the three and nothing else. */
function isProgress(value: unknown): value is Progress {
  if (typeof value !== "object" || value === null) return false;
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([key, part]) => typeof part === (key === "message" ? "string" : "number") && fields.has(key));
}

const fields: ReadonlySet<string> = new Set(["progress", "total", "message"]);
