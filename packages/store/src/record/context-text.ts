import { canonicalJson } from "@toolrack/core/internal";
import type { Content, JsonObject } from "./breadcrumb.ts";
import { hashText } from "./json.ts";

/** Of contexts that nobody can change any more; each is hashed several times when it is written. */
const texts = new WeakMap<JsonObject, string>();
const settled = new WeakSet<JsonObject>();

/** Notes that a context is frozen to its depth, so that its canonical text is put together once. */
export function settleContext(context: JsonObject): JsonObject {
  settled.add(context);
  return context;
}

export function isSettled(context: JsonObject): boolean {
  return settled.has(context);
}

/** The canonical JSON of a context. */
export function contextText(context: JsonObject): string {
  if (!settled.has(context)) return canonicalJson(context);
  const known = texts.get(context);
  if (known !== undefined) return known;
  const text = canonicalJson(context);
  texts.set(context, text);
  return text;
}

/** "sha256:" and the digest of the canonical JSON of what an author wrote. */
export function contentChecksum({ context, ...rest }: Content): string {
  // Of all fields, `context` is the first in the order of the alphabet.
  return hashText(`{"context":${contextText(context)},${canonicalJson(rest).slice(1)}`);
}
