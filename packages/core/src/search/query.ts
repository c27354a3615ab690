import { splitClauses, type Stretch } from "./clauses.ts";
import { stopWords, weakWords } from "./common-words.ts";
import { pairOf } from "./passages.ts";
import { splitWords } from "./split-words.ts";
import { stem } from "./stem.ts";

/** One word of a request, or two that stand side by side. */
export interface QueryTerm {
  /** As it was written, in lower case. */
  readonly word: string;
  /** As tools are indexed. */
  readonly term: string;
  readonly weight: number;
  readonly isPair: boolean;
}

export interface Query {
  /** Every term once, however often it was said. */
  readonly terms: readonly QueryTerm[];
  /** Those of each clause; none where the request is a single one. */
  readonly clauses: readonly (readonly QueryTerm[])[];
}

/** Reads a request of any length and in any script. What lies beyond a bound is not read. */
export function readQuery(request: string): Query {
  const clauses = splitClauses(request.slice(0, maxRequest))
    .map(termsOfClause)
    .filter((terms) => terms.length > 0);
  const terms = onceEach(clauses.flat()).slice(0, maxTerms);
  if (clauses.length < 2) return { terms, clauses: [] };
  const kept = new Set(terms.map(({ term }) => term));
  return { terms, clauses: clauses.map((clause) => clause.filter(({ term }) => kept.has(term))) };
}

const maxRequest = 8_000;
const maxTerms = 256;

/** Values count less than wishes. */
const quotedWeight = 0.4;
const numberWeight = 0.35;
const weakWeight = 0.6;
const pairWeight = 0.5;

function termsOfClause(stretches: readonly Stretch[]): QueryTerm[] {
  const terms: QueryTerm[] = [];
  for (const { text, quoted } of stretches) {
    let before: QueryTerm | undefined;
    for (const word of splitWords(text)) {
      if (stopWords.has(word)) continue;
      const weight = (quoted ? quotedWeight : 1) * (/^\p{N}+$/u.test(word) ? numberWeight : weakWords.has(word) ? weakWeight : 1);
      const term: QueryTerm = { word, term: stem(word), weight, isPair: false };
      terms.push(term);
      if (before !== undefined && before.term !== term.term) terms.push(pairTerm(before, term));
      before = term;
    }
  }
  return onceEach(terms).slice(0, maxTerms);
}

function pairTerm(first: QueryTerm, second: QueryTerm): QueryTerm {
  return {
    word: `${first.word} ${second.word}`,
    term: pairOf(first.term, second.term),
    weight: pairWeight * Math.min(first.weight, second.weight),
    isPair: true,
  };
}

/** The weightiest of those that are the same term, in the order in which they first came. */
function onceEach(terms: readonly QueryTerm[]): QueryTerm[] {
  const byTerm = new Map<string, QueryTerm>();
  for (const term of terms) {
    const known = byTerm.get(term.term);
    if (known === undefined || known.weight < term.weight) byTerm.set(term.term, term);
  }
  return [...byTerm.values()];
}
