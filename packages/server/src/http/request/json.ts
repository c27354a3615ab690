import { JsonError, readJson, readUtf8 } from "@toolrack/core/internal";
import { Problem } from "../reply/problem.ts";

export interface JsonBounds {
  readonly depth: number;
  readonly values: number;
  readonly what?: string;
}

/** Reads the JSON of a request, from its bytes or as text. Throws a problem for what is not valid, or has more than one reading. */
export function parseJson(source: string | Uint8Array, { depth, values, what = "The body" }: JsonBounds): unknown {
  try {
    return readJson(typeof source === "string" ? source : readUtf8(source, what), depth, what, values);
  } catch (error) {
    if (error instanceof JsonError) throw new Problem(400, "JSON_INVALID", error.message);
    throw error;
  }
}
