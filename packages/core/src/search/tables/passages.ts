import { exampleTexts, readFields } from "./fields.ts";
import { grow } from "./grow.ts";
import type { SearchableTool, SearchField } from "../search.ts";
import { createTermList, push, type TermList, type Vocabulary } from "../words/vocabulary.ts";

/** Receives what a tool contains, passage by passage: its terms and pairs of neighbouring terms, each with its weight there. */
export interface PassageListener {
  begin(): void;
  /** Each term of a passage once. */
  term(term: number, weight: number): void;
  /** Only the first occurrence of a pair in a passage counts. */
  pair(first: number, second: number, weight: number): void;
  /** The leading terms: those of the name (`names` of them), then those that begin the description, each once. None for an example. */
  end(core: TermList, names: number): void;
}

/**
 * Reads the passages of a tool: first its own texts, then each example as a passage of its own, so that words of different examples
 * do not add up. Contract: depends on the tool alone, so that a change of one tool changes nothing about the others.
 */
export type PassageReader = (tool: SearchableTool, source: string | undefined, listener: PassageListener) => void;

/** Reuses its lists from tool to tool. */
export function createPassageReader(vocabulary: Vocabulary): PassageReader {
  const said = createTermList();
  const distinct = createTermList();
  const core = createTermList();
  /** By term; 0 for a term that is not in the passage. */
  let weights = new Float64Array(256);
  /** By term: the field in which it occurred last. */
  let fields = new Int32Array(256);
  let field = 0;

  function read(texts: readonly string[]): void {
    field = (field + 1) | 0;
    said.count = 0;
    for (const one of texts) vocabulary.read(one, said);
    if (vocabulary.size <= weights.length) return;
    weights = grow(weights, vocabulary.size * 2);
    fields = grow(fields, vocabulary.size * 2);
  }

  /** `counts`: whether a repeated term weighs more. */
  function weigh(each: number, counts: boolean): void {
    for (let index = 0; index < said.count; index++) {
      const term = said.items[index]!;
      if (!counts && fields[term] === field) continue;
      fields[term] = field;
      if (weights[term] === 0) push(distinct, term);
      weights[term]! += each;
    }
  }

  function tell(listener: PassageListener, names: number): void {
    for (let index = 0; index < distinct.count; index++) {
      const term = distinct.items[index]!;
      listener.term(term, weights[term]!);
      weights[term] = 0;
    }
    distinct.count = 0;
    listener.end(core, names);
    core.count = 0;
  }

  /** Adds up to this many of the terms just read that are not among the leading terms yet. */
  function addToCore(most: number): void {
    const room = core.count + most;
    for (let index = 0; index < said.count && core.count < room; index++)
      if (!has(core, said.items[index]!)) push(core, said.items[index]!);
  }

  return (tool, source, listener) => {
    let names = 0;
    listener.begin();
    readFields(tool, source, (name, texts) => {
      const { weight, typical, slope, counts, pairWeight } = fieldRules[name];
      read(texts);
      if (name === "name" || name === "description") addToCore(mostInCore[name]);
      if (name === "name") names = core.count;
      weigh(weight / Math.max(1 - slope + (slope * said.count) / typical, 0.3), counts);
      if (pairWeight === undefined) return;
      for (let index = 1, before = said.items[0]!; index < said.count; index++) {
        const term = said.items[index]!;
        if (term !== before) listener.pair(before, term, pairWeight);
        before = term;
      }
    });
    tell(listener, names);
    for (const example of exampleTexts(tool)) {
      listener.begin();
      read([example]);
      weigh(exampleWeight, false);
      tell(listener, 0);
    }
  };
}

function has({ items, count }: TermList, term: number): boolean {
  for (let index = 0; index < count; index++) if (items[index] === term) return true;
  return false;
}

interface FieldRule {
  /** The weight of a word in this field. */
  readonly weight: number;
  /** The field length for that weight: in longer fields a word weighs less, by `slope`. Fixed, not an average over tools. */
  readonly typical: number;
  readonly slope: number;
  /** Whether a repeated word weighs more. */
  readonly counts: boolean;
  /** The weight of two neighbouring words, if pairs count in this field. */
  readonly pairWeight?: number;
}

const fieldRules: Readonly<Record<Exclude<SearchField, "example">, FieldRule>> = {
  name: { weight: 2.6, typical: 3, slope: 0.2, counts: true, pairWeight: 4 },
  description: { weight: 0.9, typical: 12, slope: 0.7, counts: true, pairWeight: 1.6 },
  parameter: { weight: 0.85, typical: 25, slope: 0.8, counts: true },
  value: { weight: 1.6, typical: 1, slope: 0, counts: false },
  hint: { weight: 0.9, typical: 12, slope: 0.7, counts: true },
  tag: { weight: 1, typical: 1, slope: 0, counts: false },
  category: { weight: 0.3, typical: 1, slope: 0, counts: false },
  source: { weight: 0.8, typical: 1, slope: 0, counts: false },
};

const mostInCore = { name: 12, description: 12 };
const exampleWeight = 1;
