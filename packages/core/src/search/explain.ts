import { exampleTexts, readFields, termsOf } from "./tables/fields.ts";
import type { Query, QueryTerm } from "./query/query.ts";
import type { Gains } from "./rank/rank.ts";
import type { HitReason, SearchableTool, SearchField } from "./search.ts";
import { relatedTo } from "./words/related-words.ts";
import { synonymsOf } from "./words/synonyms.ts";
import { weights } from "./weights.ts";

/** Which words of the query match a tool, which words of the tool they match, and in which fields, highest weight first; then each gain. */
export function explainHit(tool: SearchableTool, source: string | undefined, query: Query, gains: Gains): HitReason[] {
  const said = readSaid(tool, source);
  const reasons = query.terms
    .flatMap((term) => (term.pair === undefined ? wordReason(term, said) : pairReason(term.pair, term.weight, said)))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxReasons)
    .map(({ reason }) => reason);
  return [...reasons, ...gainReasons(gains)];
}

const maxReasons = 8;

/** What a tool says: the fields that contain a term, and those in which two terms are neighbours. */
interface Said {
  readonly terms: ReadonlyMap<string, ReadonlySet<SearchField>>;
  readonly pairs: ReadonlyMap<string, ReadonlySet<SearchField>>;
}

interface Weighed {
  readonly weight: number;
  readonly reason: HitReason;
}

function readSaid(tool: SearchableTool, source: string | undefined): Said {
  const terms = new Map<string, Set<SearchField>>();
  const pairs = new Map<string, Set<SearchField>>();
  const note = (map: Map<string, Set<SearchField>>, key: string, field: SearchField): void =>
    void map.set(key, (map.get(key) ?? new Set()).add(field));
  const read = (field: SearchField, texts: readonly string[]): void => {
    const found = texts.flatMap(termsOf);
    for (const term of found) note(terms, term, field);
    // The index keeps pairs of these fields alone.
    if (field === "name" || field === "description")
      for (const [at, term] of found.slice(1).entries()) note(pairs, `${found[at]} ${term}`, field);
  };
  readFields(tool, source, read);
  read("example", exampleTexts(tool));
  return { terms, pairs };
}

function wordReason({ word, term, weight }: QueryTerm, { terms }: Said): Weighed[] {
  const found = findMet(term, terms);
  if (found === undefined) return [];
  const { met, as, share } = found;
  const fields = [...terms.get(met)!];
  return [{ weight: weight * share * fields.length, reason: { kind: "word", word, met, ...(as && { as }), fields } }];
}

function findMet(term: string, terms: Said["terms"]): { met: string; as?: "synonym" | "related"; share: number } | undefined {
  if (terms.has(term)) return { met: term, share: 1 };
  const synonym = synonymsOf(term).find((other) => terms.has(other));
  if (synonym !== undefined) return { met: synonym, as: "synonym", share: weights.synonym };
  const related = relatedTo(term).find((other) => terms.has(other.term));
  return related && { met: related.term, as: "related", share: weights.related * related.share };
}

function pairReason(pair: readonly [string, string], weight: number, { pairs }: Said): Weighed[] {
  const fields = pairs.get(pair.join(" "));
  return fields === undefined ? [] : [{ weight: weight * fields.size, reason: { kind: "pair", words: pair, fields: [...fields] } }];
}

function gainReasons(gains: Gains): HitReason[] {
  return (["coverage", "family", "fresh", "action"] as const).flatMap((kind) => (gains[kind] > 0 ? [{ kind, added: gains[kind] }] : []));
}
