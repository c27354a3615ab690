import { JsonError, readJson, readUtf8 } from "@toolrack/core/internal";
import { StoreError } from "../errors.ts";
import { maxDepth } from "../record/limits.ts";

/** Parses JSON from a file. What other readers would read differently is refused: a key twice in one object, whole numbers beyond 2^53. */
export function parseStrictly(bytes: Uint8Array, label: string): unknown {
  try {
    return readJson(readUtf8(bytes, label), maxDepth + around, label);
  } catch (error) {
    if (error instanceof JsonError) throw new StoreError("RECORD_INVALID", error.message);
    throw error;
  }
}

/** How deep the context of a record is nested in a file. */
const around = 8;
