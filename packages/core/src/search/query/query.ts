import { splitClauses, type Stretch } from "./clauses.ts";
import { stopWords, weakWords } from "../words/common-words.ts";
import { splitWords } from "../words/split-words.ts";
import { stem } from "../words/stem.ts";

/** One word of a request, or two that stand side by side. */
export interface QueryTerm {
  /** As it was written, in lower case; of a pair both, without a space. */
  readonly word: string;
  /** As tools are indexed; of a pair both, with a space between. */
  readonly term: string;
  readonly weight: number;
  /** The terms of a pair. */
  readonly pair: readonly [first: string, second: string] | undefined;
}

/** One term in one clause. */
export interface ClauseTerm {
  /** Its place among the terms of the query. */
  readonly at: number;
  readonly weight: number;
}

export interface Clause {
  /** What counts for the whole request, too. */
  readonly own: readonly ClauseTerm[];
  /** What another clause says with more weight, or said before. */
  readonly repeated: readonly ClauseTerm[];
}

export interface Query {
  /** Every term once, however often it was said: where it has the most weight. */
  readonly terms: readonly QueryTerm[];
  /** Those of each clause. */
  readonly clauses: readonly Clause[];
}

/** Reads a request of any length and in any script. What lies beyond a bound is not read. */
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

/** Values count less than wishes. */
const quotedWeight = 0.4;
const numberWeight = 0.35;
const weakWeight = 0.6;
const pairWeight = 0.5;

function toClause(clause: readonly QueryTerm[], terms: readonly QueryTerm[], places: ReadonlyMap<string, number>): Clause {
  const own: ClauseTerm[] = [];
  const repeated: ClauseTerm[] = [];
  for (const term of clause) {
    const at = places.get(term.term);
    if (at !== undefined) (terms[at] === term ? own : repeated).push({ at, weight: term.weight });
  }
  return { own, repeated };
}

/** The weightiest of those that are the same term, in the order in which they first came. */
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
      const weight = (quoted ? quotedWeight : 1) * (isNumber(word) ? numberWeight : weakWords.has(word) ? weakWeight : 1);
      const term: QueryTerm = { word, term: stem(word), weight, pair: undefined };
      add(term);
      if (before !== undefined && before.term !== term.term) add(pairTerm(before, term));
      before = term;
    }
  }
  return [...byTerm.values()].slice(0, maxTerms);
}

/** Words are split where letters and digits meet, so one character tells. */
function isNumber(word: string): boolean {
  const code = word.charCodeAt(0);
  return code > 127 ? /^\p{N}/u.test(word) : code < 58;
}

function pairTerm(first: QueryTerm, second: QueryTerm): QueryTerm {
  return {
    word: first.word + second.word,
    term: `${first.term} ${second.term}`,
    weight: pairWeight * Math.min(first.weight, second.weight),
    pair: [first.term, second.term],
  };
}
