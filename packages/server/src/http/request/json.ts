import { JsonError, readJson, readUtf8 } from "@toolrack/core/internal";
import { Problem } from "../reply/problem.ts";

export interface JsonBounds {
  readonly depth: number;
  readonly values: number;
  readonly what?: string;
}

/** Parses the JSON of a request, from bytes or text. Throws a problem for invalid or ambiguous JSON. */
export function parseJson(source: string | Uint8Array, { depth, values, what = "The body" }: JsonBounds): unknown {
  try {
    return readJson(typeof source === "string" ? source : readUtf8(source, what), depth, what, values);
  } catch (error) {
    if (error instanceof JsonError) throw new Problem(400, "JSON_INVALID", error.message);
    throw error;
  }
}
