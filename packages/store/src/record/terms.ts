import type { Content } from "./breadcrumb.ts";

/** "Café-Suche readFile2" → ["cafe", "suche", "readfile2"]: letters and digits, without case and accents. */
export function toTerms(text: string, limit: number = maxTerms): readonly string[] {
  const found = new Set<string>();
  const isAscii = /^[ -~\n\r\t]*$/.test(text);
  const folded = (isAscii ? text : text.normalize("NFKD").replace(/\p{M}/gu, "")).toLowerCase();
  addTerms(found, folded.match(isAscii ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [], limit);
  return [...found];
}

function addTerms(found: Set<string>, terms: readonly string[], limit: number): void {
  for (const term of terms) {
    found.add(term.length > maxTermLength ? term.slice(0, maxTermLength) : term);
    if (found.size >= limit) return;
  }
}

/** The words by which a record is found: all those of its tags, and of its id, title and every text in its context unless that is secret. */
export function termsOf(id: string, content: Content): readonly string[] {
  const parts = [id, content.title];
  // Where a served tool comes from repeats its words, and has hashes that nobody searches for.
  const skipped = content.schema_name === "tool.definition.v1" ? "upstream" : undefined;
  if (content.sensitivity !== "secret") collectTexts(content.context, parts, skipped);
  const found = new Set(toTerms(content.tags.join(" "), Number.POSITIVE_INFINITY));
  for (const term of toTerms(parts.join(" ").slice(0, maxText))) found.add(term);
  return [...found];
}

const maxTerms = 1_000;
const maxTermLength = 64;
const maxText = 65_536;

/** Without what is below the key `skipped` of the value itself. */
function collectTexts(value: unknown, parts: string[], skipped?: string): void {
  if (typeof value === "string") parts.push(value);
  else if (typeof value === "object" && value !== null) {
    for (const key of Object.keys(value)) {
      if (parts.length > maxTerms * 4) return;
      if (key === skipped) continue;
      if (!Array.isArray(value)) parts.push(key);
      collectTexts((value as Record<string, unknown>)[key], parts);
    }
  }
}
