import type { Content } from "./breadcrumb.ts";

/** "Café-Suche readFile2" → ["cafe", "suche", "readfile2"]: letters and digits, without case and accents. */
export function toTerms(text: string, limit: number = maxTerms): readonly string[] {
  const found = new Set<string>();
  const isAscii = /^[ -~\n\r\t]*$/.test(text);
  const folded = (isAscii ? text : text.normalize("NFKD").replace(/\p{M}/gu, "")).toLowerCase();
  for (const [term] of folded.matchAll(isAscii ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu)) {
    found.add(term.slice(0, maxTermLength));
    if (found.size >= limit) break;
  }
  return [...found];
}

/** The words by which a record is found: all those of its tags, and of its id, title and every text in its context unless that is secret. */
export function termsOf(id: string, content: Content): readonly string[] {
  const parts = [id, content.title];
  // Where a served tool comes from repeats its words, and has hashes that nobody searches for.
  const { upstream: _, ...context } = content.context;
  if (content.sensitivity !== "secret") collectTexts(content.schema_name === "tool.definition.v1" ? context : content.context, parts);
  const ofTags = toTerms(content.tags.join(" "), Number.POSITIVE_INFINITY);
  return [...new Set([...ofTags, ...toTerms(parts.join(" ").slice(0, maxText))])];
}

const maxTerms = 1_000;
const maxTermLength = 64;
const maxText = 65_536;

function collectTexts(value: unknown, parts: string[]): void {
  if (typeof value === "string") parts.push(value);
  else if (typeof value === "object" && value !== null) {
    for (const key of Object.keys(value)) {
      if (parts.length > maxTerms * 4) return;
      if (!Array.isArray(value)) parts.push(key);
      collectTexts((value as Record<string, unknown>)[key], parts);
    }
  }
}
