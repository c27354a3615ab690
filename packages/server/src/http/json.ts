import { JsonError, readJson, readUtf8 } from "@toolrack/core/internal";
import { Problem } from "./problem.ts";

/** Reads the JSON of a request, from its bytes or as text. Throws a problem for what is not valid, or has more than one reading. */
export function parseJson(source: string | Uint8Array, maxDepth: number, what = "The body"): unknown {
  try {
    return readJson(typeof source === "string" ? source : readUtf8(source, what), maxDepth, what);
  } catch (error) {
    if (error instanceof JsonError) throw new Problem(400, "JSON_INVALID", error.message);
    throw error;
  }
}
