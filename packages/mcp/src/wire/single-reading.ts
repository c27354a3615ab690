import { JsonError, readJson, readUtf8 } from "@toolrack/core/internal";
import { createEventReader } from "@toolrack/core/internal/sse";
import type { RequestId } from "./protocol.ts";
import { toEvent } from "./sse.ts";

/** Our own error code for an answer that other parsers would read differently. */
export const ambiguous = -32_092;

/**
 * Looks at one message of a server. Undefined: it has one reading, or is not JSON at all, which the client passes over by itself. Else the
 * error that replaces it: bytes that are not UTF-8, a key twice in one object, a whole number that would be rounded. In a list of
 * tools numbers may be rounded, because servers in other languages name the limits of their 64-bit integers there.
 */
export function findAmbiguity(bytes: Uint8Array, sentId?: RequestId): Refusal | undefined {
  try {
    readJson(readUtf8(bytes, "The answer"), maxDepth, "The answer");
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonError) || error.reason === "syntax" || error.reason === "depth") return undefined;
    const { id = sentId, result } = readLoosely(bytes);
    if (error.reason === "number" && Array.isArray(result?.tools)) return undefined;
    const message = `The answer has more than one reading. ${error.message}`;
    return { message, ...(id !== undefined && { answer: { jsonrpc: "2.0", id, error: { code: ambiguous, message } } }) };
  }
}

export interface Refusal {
  readonly message: string;
  /** For the request that waits; absent where none is known. */
  readonly answer?: {
    readonly jsonrpc: "2.0";
    readonly id: RequestId;
    readonly error: { readonly code: number; readonly message: string };
  };
}

/** What is nested deeper is not checked here. */
const maxDepth = 1_000;

/** Only to find out which request the answer belongs to. */
function readLoosely(bytes: Uint8Array): { readonly id?: RequestId; readonly result?: { readonly tools?: unknown } } {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const { id, result } = (value ?? {}) as { id?: unknown; result?: { tools?: unknown } | null };
    return { ...((typeof id === "string" || typeof id === "number") && { id }), ...(result && { result }) };
  } catch {
    return {};
  }
}

/** The same for each event of a stream. The events are whole, and their lines end with "\n": see `createLineEnds`. */
export function withoutAmbiguousEvents(events: Uint8Array, sentId?: RequestId): Uint8Array {
  const text = Buffer.from(events.buffer, events.byteOffset, events.byteLength).toString("latin1"); // a character for each byte
  const kept: Uint8Array[] = [];
  let start = 0;
  let isChanged = false;
  for (const { index } of text.matchAll(/\n\n/g)) {
    const end = index + 2;
    const refusal = findAmbiguity(Buffer.from(dataOf(text.slice(start, index)), "latin1"), sentId);
    if (refusal === undefined) kept.push(events.subarray(start, end));
    else {
      isChanged = true;
      if (refusal.answer !== undefined) kept.push(Buffer.from(toEvent(JSON.stringify(refusal.answer))));
    }
    start = end;
  }
  kept.push(events.subarray(start));
  return isChanged ? Buffer.concat(kept) : events;
}

function dataOf(event: string): string {
  return createEventReader()(`${event}\n\n`)[0]?.data ?? "";
}
