import { exampleTexts, readFields } from "./fields.ts";
import { grown } from "./grown.ts";
import type { SearchableTool, SearchField } from "../search.ts";
import { createTermList, push, type TermList, type Vocabulary } from "../words/vocabulary.ts";

/** Told what a tool says, passage by passage: its terms and pairs of neighbouring terms, each with how loudly it is said there. */
export interface PassageListener {
  begin(): void;
  /** Each term of a passage once. */
  term(term: number, weight: number): void;
  /** The first time that a pair is said in a passage counts. */
  pair(first: number, second: number, weight: number): void;
  /** The core: the terms of the name, so many, and those that begin the description, each once. None for an example. */
  end(core: TermList, names: number): void;
}

/**
 * Reads the passages of a tool: first everything that it says of itself, then each example on its own, so that words of different examples
 * do not add up. Contract: depends on the tool alone, so that a change of one tool changes nothing about the others.
 */
export type PassageReader = (tool: SearchableTool, source: string | undefined, listener: PassageListener) => void;

/** Keeps its lists from tool to tool. */
export function createPassageReader(vocabulary: Vocabulary): PassageReader {
  const said = createTermList();
  const distinct = createTermList();
  const core = createTermList();
  /** By term; 0 for what the passage has not said. */
  let weights = new Float64Array(256);
  /** By term: in which field it was said last. */
  let fields = new Int32Array(256);
  let field = 0;

  function read(texts: readonly string[]): void {
    field = (field + 1) | 0;
    said.count = 0;
    for (const one of texts) vocabulary.read(one, said);
    if (vocabulary.size <= weights.length) return;
    weights = grown(weights, vocabulary.size * 2);
    fields = grown(fields, vocabulary.size * 2);
  }

  /** `counts`: whether saying a term again says it louder. */
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

  /** Adds so many of the terms just read that are not in the core yet. */
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
  /** How much a word counts here. */
  readonly weight: number;
  /** The length at which it counts exactly that: in longer fields it counts less, by `slope`. Fixed, not an average over tools. */
  readonly typical: number;
  readonly slope: number;
  /** Whether saying a word again says it louder. */
  readonly counts: boolean;
  /** How much two words side by side count, where they do. */
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
