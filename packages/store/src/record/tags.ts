import { StoreError } from "../errors.ts";
import { maxTags } from "./limits.ts";

/** Tags in the author's order, each once. Throws for a malformed one. */
export function readTags(tags: unknown): readonly string[] {
  if (!Array.isArray(tags)) throw new StoreError("RECORD_INVALID", "tags must be a list of texts.");
  const read = [...new Set(tags.map(readTag))];
  if (read.length > maxTags) throw new StoreError("RECORD_INVALID", `A record has at most ${maxTags} tags, not ${read.length}.`);
  return Object.freeze(read);
}

/** "category:general" → itself. A tag is 1 to 256 characters without spaces and control characters. */
export function readTag(tag: unknown): string {
  if (typeof tag === "string" && tagPattern.test(tag)) return tag;
  const shown = typeof tag === "string" ? JSON.stringify(tag.slice(0, 80)) : `(${typeof tag})`;
  throw new StoreError("RECORD_INVALID", `The tag ${shown} must be 1 to 256 characters without spaces and control characters.`);
}

const tagPattern = /^[^\s\p{C}]{1,256}$/u;
