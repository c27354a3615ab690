import { StoreError } from "../errors.ts";
import { checksumOf } from "../record/json.ts";

/** Where a page ended, bound to the question it answers. */
export function toCursor(position: number, question: unknown): string {
  return Buffer.from(`${position}.${fingerprint(question)}`).toString("base64url");
}

/** The position in a cursor. One that we did not make, or made for another question, throws QUERY_INVALID. */
export function readCursor(cursor: unknown, question: unknown): number {
  const text = typeof cursor === "string" && cursor.length < 200 ? Buffer.from(cursor, "base64url").toString() : "";
  const [, digits, print] = /^(\d{1,16})\.([0-9a-f]{16})$/.exec(text) ?? [];
  const position = Number(digits);
  if (print !== fingerprint(question) || !Number.isSafeInteger(position)) {
    throw new StoreError("QUERY_INVALID", "The cursor does not belong to this query. Use the cursor of its last page, or none.");
  }
  return position;
}

function fingerprint(question: unknown): string {
  return checksumOf(question).slice(7, 23);
}
