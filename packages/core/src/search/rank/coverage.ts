import type { Cores } from "../tables/cores.ts";
import type { QueryTerm } from "../query/query.ts";
import { rarityOf, type Counter, type Passages } from "./scope.ts";
import { synonymShare, synonymsOf } from "../words/synonyms.ts";
import type { Vocabulary } from "../words/vocabulary.ts";

/**
 * How much of what a tool says first is asked for, from 0 to 1, rare words counting more: of two tools that say the same words of a request,
 * the one that says little else is meant. Answers for the first passages of tools.
 */
export type Coverage = (terms: readonly QueryTerm[], passages: Passages, places: Int32Array) => Float64Array;

export function createCoverage(vocabulary: Vocabulary, countOf: Counter, cores: Cores): Coverage {
  /** By term: how much of it is asked for. All 0 between queries. */
  let asked = new Float32Array(0);
  const noted: number[] = [];

  function ask(term: string, share: number): void {
    const number = vocabulary.find(term);
    if (number < 0 || asked[number]! >= share) return;
    asked[number] = share;
    noted.push(number);
  }

  function shareOf(place: number, passages: Passages): number {
    const end = cores.endOf(place);
    const middle = cores.middleOf(place);
    let said = 0;
    let met = 0;
    for (let at = cores.startOf(place); at < end; at++) {
      const term = cores.terms[at]!;
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

/** A word of a name against one of a description. */
const nameWeight = 2;
