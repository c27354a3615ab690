import { exampleTexts, readFields, termsOf } from "./tables/fields.ts";
import type { Query, QueryTerm } from "./query/query.ts";
import type { HitReason, SearchableTool, SearchField } from "./search.ts";
import { synonymShare, synonymsOf } from "./words/synonyms.ts";

/** Which words of the query match a tool, which words of the tool they match, and in which fields; highest weight first. */
export function explainHit(tool: SearchableTool, source: string | undefined, query: Query): HitReason[] {
  const said = new Map<string, Set<SearchField>>();
  const note = (field: SearchField, texts: readonly string[]): void => {
    for (const term of texts.flatMap(termsOf)) said.set(term, (said.get(term) ?? new Set()).add(field));
  };
  readFields(tool, source, note);
  note("example", exampleTexts(tool));
  return query.terms
    .filter(({ pair }) => pair === undefined)
    .flatMap((term) => toReason(term, said))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxReasons)
    .map(({ reason }) => reason);
}

const maxReasons = 8;

function toReason(
  { word, term, weight }: QueryTerm,
  said: ReadonlyMap<string, ReadonlySet<SearchField>>,
): { weight: number; reason: HitReason }[] {
  const met = said.has(term) ? term : synonymsOf(term).find((other) => said.has(other));
  if (met === undefined) return [];
  const fields = [...said.get(met)!];
  return [{ weight: weight * (met === term ? 1 : synonymShare) * fields.length, reason: { kind: "word", word, met, fields } }];
}
