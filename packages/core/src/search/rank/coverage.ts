import type { LeadingTerms } from "../tables/leading-terms.ts";
import type { QueryTerm } from "../query/query.ts";
import { rarityOf, type Counter, type Passages } from "./scope.ts";
import { synonymShare, synonymsOf } from "../words/synonyms.ts";
import type { Vocabulary } from "../words/vocabulary.ts";

/**
 * The share of a tool's leading terms that the request asks for, from 0 to 1, with more weight on rare terms: of two tools that match the same words,
 * the one with fewer other words is better. Takes the first passages of tools.
 */
export type Coverage = (terms: readonly QueryTerm[], passages: Passages, places: Int32Array) => Float64Array;

export function createCoverage(vocabulary: Vocabulary, countOf: Counter, leading: LeadingTerms): Coverage {
  /** By term: the share that is asked for. All 0 between queries. */
  let asked = new Float32Array(0);
  const noted: number[] = [];

  function ask(term: string, share: number): void {
    const number = vocabulary.find(term);
    if (number < 0 || asked[number]! >= share) return;
    asked[number] = share;
    noted.push(number);
  }

  function shareOf(place: number, passages: Passages): number {
    const end = leading.endOf(place);
    const middle = leading.middleOf(place);
    let said = 0;
    let met = 0;
    for (let at = leading.startOf(place); at < end; at++) {
      const term = leading.terms[at]!;
      const weight = (at < middle ? nameWeight : 1) * rarityOf(countOf(term, passages), passages.tools);
      said += weight;
      met += weight * asked[term]!;
    }
    return said === 0 ? 0 : met / said;
  }

  return (terms, passages, places) => {
    if (asked.length < vocabulary.size) asked = new Float32Array(vocabulary.size * 2);
    for (const { term, pair } of terms) {
      if (pair !== undefined) continue;
      ask(term, 1);
      for (const other of synonymsOf(term)) ask(other, synonymShare);
    }
    const shares = new Float64Array(places.length);
    for (let index = 0; index < places.length; index++) shares[index] = shareOf(places[index]!, passages);
    for (const number of noted) asked[number] = 0;
    noted.length = 0;
    return shares;
  };
}

/** The weight of a word of a name, relative to one of a description. */
const nameWeight = 2;
