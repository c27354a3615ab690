import type { LeadingTerms } from "../tables/leading-terms.ts";
import type { QueryTerm } from "../query/query.ts";
import { rarityOf, type Counter, type Passages } from "./scope.ts";
import { type Action, actionOf, actionStems } from "../words/actions.ts";
import { relatedTo } from "../words/related-words.ts";
import { synonymsOf } from "../words/synonyms.ts";
import type { Vocabulary } from "../words/vocabulary.ts";
import { weights } from "../weights.ts";

/** How the leading terms of a tool and a request fit. */
export interface Fit {
  /** The share of the leading terms that is asked for, from 0 to 1, with more weight on rare terms. */
  readonly share: number;
  /** The terms of the request that they answer, by index, with the weight of each. */
  readonly answered: ReadonlyMap<number, number>;
  /** Whether every action of the name is asked for. */
  readonly isAsked: boolean;
}

/**
 * Compares the leading terms of tools with a request: of two tools that match the same words, the one with fewer other words is better.
 * Takes the first passages of tools.
 */
export type Coverage = (terms: readonly QueryTerm[], passages: Passages, places: Int32Array) => readonly Fit[];

export function createCoverage(vocabulary: Vocabulary, countOf: Counter, leading: LeadingTerms): Coverage {
  /** By term: the share that is asked for, and by which term of the request. All shares are 0 between queries. */
  let asked = new Float32Array(0);
  let askedBy = new Int32Array(0);
  const noted: number[] = [];

  function ask(term: string, share: number, by: number): void {
    const number = vocabulary.find(term);
    if (number < 0 || asked[number]! >= share) return;
    asked[number] = share;
    askedBy[number] = by;
    noted.push(number);
  }

  function fitOf(place: number, passages: Passages, unasked: ReadonlySet<number>): Fit {
    const end = leading.endOf(place);
    const middle = leading.middleOf(place);
    const answered = new Map<number, number>();
    let said = 0;
    let met = 0;
    let isAsked = true;
    for (let at = leading.startOf(place); at < end; at++) {
      const term = leading.terms[at]!;
      const rarity = rarityOf(countOf(term, passages), passages.tools);
      const weight = (at < middle ? nameWeight : 1) * rarity;
      const share = asked[term]!;
      said += weight;
      met += weight * share;
      if (share > 0) answered.set(askedBy[term]!, Math.max(share * rarity, answered.get(askedBy[term]!) ?? 0));
      if (at < middle && unasked.has(term)) isAsked = false;
    }
    return { share: said === 0 ? 0 : met / said, answered, isAsked };
  }

  /** The terms of actions that the request does not contain. */
  function findUnasked(terms: readonly QueryTerm[]): ReadonlySet<number> {
    const wanted = new Set<Action | undefined>(terms.map(({ term }) => actionOf(term)));
    const unasked = new Set<number>();
    for (const [term, action] of actionStems()) if (!wanted.has(action)) unasked.add(vocabulary.find(term));
    return unasked;
  }

  return (terms, passages, places) => {
    if (asked.length < vocabulary.size) {
      asked = new Float32Array(vocabulary.size * 2);
      askedBy = new Int32Array(vocabulary.size * 2);
    }
    for (const [by, { term, pair }] of terms.entries()) {
      if (pair !== undefined) continue;
      ask(term, 1, by);
      for (const other of synonymsOf(term)) ask(other, weights.synonym, by);
      for (const related of relatedTo(term)) ask(related.term, weights.relatedCoverage * related.share, by);
    }
    const unasked = findUnasked(terms);
    const fits = Array.from(places, (place) => fitOf(place, passages, unasked));
    for (const number of noted) asked[number] = 0;
    noted.length = 0;
    return fits;
  };
}

/** The weight of a word of a name, relative to one of a description. */
const nameWeight = 2;
