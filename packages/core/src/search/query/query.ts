import { splitClauses, type Stretch } from "./clauses.ts";
import { stopWords, weakWords } from "../words/common-words.ts";
import { splitWords } from "../words/split-words.ts";
import { stem } from "../words/stem.ts";
import { weights } from "../weights.ts";

/** One word of a request, or two neighbouring words. */
export interface QueryTerm {
  /** As written, in lower case; for a pair both words without a space. */
  readonly word: string;
  /** In the form of the index; for a pair both words with a space between. */
  readonly term: string;
  readonly weight: number;
  /** The terms of a pair. */
  readonly pair: readonly [first: string, second: string] | undefined;
}

/** One term in one clause. */
export interface ClauseTerm {
  /** Its index among the terms of the query. */
  readonly at: number;
  readonly weight: number;
}

export interface Clause {
  /** Terms that count for the whole request, too. */
  readonly own: readonly ClauseTerm[];
  /** Terms that another clause has with more weight, or had before. */
  readonly repeated: readonly ClauseTerm[];
}

export interface Query {
  /** Every term once, with its highest weight, however often it occurs. */
  readonly terms: readonly QueryTerm[];
  /** The terms of each clause. */
  readonly clauses: readonly Clause[];
}

/** Reads a request of any length and in any script, up to a bound. */
export function readQuery(request: string): Query {
  const clauses: QueryTerm[][] = [];
  for (const stretches of splitClauses(request.slice(0, maxRequest))) {
    const terms = termsOfClause(stretches);
    if (terms.length > 0) clauses.push(terms);
  }
  const places = new Map<string, number>();
  const terms: QueryTerm[] = [];
  for (const clause of clauses) {
    for (const term of clause) {
      const place = places.get(term.term);
      if (place !== undefined) {
        if (terms[place]!.weight < term.weight) terms[place] = term;
      } else if (terms.length < maxTerms) {
        places.set(term.term, terms.length);
        terms.push(term);
      }
    }
  }
  return { terms, clauses: clauses.map((clause) => toClause(clause, terms, places)) };
}

const maxRequest = 8_000;
const maxTerms = 256;

function toClause(clause: readonly QueryTerm[], terms: readonly QueryTerm[], places: ReadonlyMap<string, number>): Clause {
  const own: ClauseTerm[] = [];
  const repeated: ClauseTerm[] = [];
  for (const term of clause) {
    const at = places.get(term.term);
    if (at !== undefined) (terms[at] === term ? own : repeated).push({ at, weight: term.weight });
  }
  return { own, repeated };
}

/** Of equal terms the one with the highest weight, in the order of first occurrence. */
function termsOfClause(stretches: readonly Stretch[]): QueryTerm[] {
  const byTerm = new Map<string, QueryTerm>();
  const add = (term: QueryTerm): void => {
    const known = byTerm.get(term.term);
    if (known === undefined || known.weight < term.weight) byTerm.set(term.term, term);
  };
  for (const { text, quoted } of stretches) {
    let before: QueryTerm | undefined;
    for (const word of splitWords(text)) {
      if (stopWords.has(word)) continue;
      const weight = (quoted ? weights.quoted : 1) * (weakWords.has(word) ? weights.weakWord : 1);
      const term: QueryTerm = { word, term: stem(word), weight, pair: undefined };
      add(term);
      if (before !== undefined && before.term !== term.term) add(pairTerm(before, term));
      before = term;
    }
  }
  return [...byTerm.values()].slice(0, maxTerms);
}

function pairTerm(first: QueryTerm, second: QueryTerm): QueryTerm {
  return {
    word: first.word + second.word,
    term: `${first.term} ${second.term}`,
    weight: weights.pair * Math.min(first.weight, second.weight),
    pair: [first.term, second.term],
  };
}
