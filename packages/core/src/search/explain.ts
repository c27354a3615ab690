import { exampleTexts, readFields, termsOf } from "./passages.ts";
import type { Query, QueryTerm } from "./query.ts";
import { relativesOf } from "./relatives.ts";
import type { HitReason, SearchableTool, SearchField } from "./search.ts";

/** Which words of the query a tool says, in which words of its own, and where; the weightiest first. */
export function explainHit(tool: SearchableTool, source: string | undefined, query: Query): HitReason[] {
  const said = new Map<string, Set<SearchField>>();
  const note = (field: SearchField, texts: readonly string[]): void => {
    for (const term of texts.flatMap(termsOf)) said.set(term, (said.get(term) ?? new Set()).add(field));
  };
  readFields(tool, source, note);
  note("example", exampleTexts(tool));
  return query.terms
    .filter(({ isPair }) => !isPair)
    .flatMap((term) => toReason(term, said))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxReasons)
    .map(({ reason }) => reason);
}

const maxReasons = 8;

function toReason(term: QueryTerm, said: ReadonlyMap<string, ReadonlySet<SearchField>>): { weight: number; reason: HitReason }[] {
  for (const { term: met, share } of relativesOf(term, (other) => said.has(other))) {
    const fields = said.get(met);
    if (fields === undefined) continue;
    return [{ weight: term.weight * share * fields.size, reason: { kind: "word", word: term.word, met, fields: [...fields] } }];
  }
  return [];
}
