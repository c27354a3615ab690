import { isObject } from "../util/json.ts";
import { stopWords } from "./common-words.ts";
import type { SearchableTool, SearchField } from "./search.ts";
import { splitWords } from "./split-words.ts";
import { stem } from "./stem.ts";

/** What one stretch of a tool says: its terms and pairs of neighbouring terms, each with how loudly it is said there. */
export interface Passage {
  readonly terms: ReadonlyMap<string, number>;
  readonly pairs: ReadonlyMap<string, number>;
}

/**
 * The passages of a tool: first everything that it says of itself, then each example on its own, so that words of different examples
 * do not add up. Contract: depends on the tool alone, so that a change of one tool changes nothing about the others.
 */
export function passagesOf(tool: SearchableTool, source: string | undefined): Passage[] {
  const terms = new Map<string, number>();
  const pairs = new Map<string, number>();
  readFields(tool, source, (field, texts) => {
    const { weight, typical, slope, counts, pairWeight } = fieldRules[field];
    const said = texts.length === 1 ? termsOf(texts[0]!) : texts.flatMap(termsOf);
    if (said.length === 0) return;
    const each = weight / Math.max(1 - slope + (slope * said.length) / typical, 0.3);
    for (const term of counts ? said : new Set(said)) terms.set(term, (terms.get(term) ?? 0) + each);
    if (pairWeight === undefined) return;
    for (let index = 1; index < said.length; index++) {
      const pair = pairOf(said[index - 1]!, said[index]!);
      if (said[index - 1] !== said[index] && !pairs.has(pair)) pairs.set(pair, pairWeight);
    }
  });
  return [{ terms, pairs }, ...exampleTexts(tool).map(toPassage)];
}

/** The fields of a tool with their texts. */
export function readFields(
  tool: SearchableTool,
  source: string | undefined,
  visit: (field: Exclude<SearchField, "example">, texts: readonly string[]) => void,
): void {
  const { category, tags, usageHint } = tool.metadata ?? {};
  const parameters: Parameters = { names: [], descriptions: [], values: [] };
  readParameters(tool.inputSchema, parameters, 0);
  visit("name", isText(tool.title) ? [text(tool.name), tool.title] : [text(tool.name)]);
  visit("description", [text(tool.description)]);
  visit("parameter", [parameters.names.join(" "), ...parameters.descriptions]);
  visit("value", [parameters.values.join(" ")]);
  visit("hint", [text(usageHint)]);
  visit("tag", (tags ?? []).map(text));
  visit("category", [text(category)]);
  visit("source", [text(source)]);
}

/** What each example says: its sentence, and the values of its input. */
export function exampleTexts({ metadata }: SearchableTool): string[] {
  return (metadata?.examples ?? []).slice(0, maxExamples).map(({ description, input }) => {
    const values = isObject(input) ? Object.values(input).filter(isText) : [];
    return [text(description), ...values.map((value) => value.slice(0, 200))].join(" ");
  });
}

/** The terms of a text: stems of its words, without those that say nothing. */
export function termsOf(said: string): string[] {
  const terms: string[] = [];
  for (const word of splitWords(said)) if (!stopWords.has(word)) terms.push(stem(word));
  return terms;
}

/** Two words side by side are one more term: "stock price" is more than "stock" and "price". */
export function pairOf(first: string, second: string): string {
  return `${first} ${second}`;
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
  name: { weight: 3.2, typical: 3, slope: 0.2, counts: true, pairWeight: 4 },
  description: { weight: 0.9, typical: 12, slope: 0.7, counts: true, pairWeight: 1.6 },
  parameter: { weight: 0.85, typical: 25, slope: 0.8, counts: true },
  value: { weight: 1.6, typical: 1, slope: 0, counts: false },
  hint: { weight: 0.9, typical: 12, slope: 0.7, counts: true },
  tag: { weight: 1, typical: 1, slope: 0, counts: false },
  category: { weight: 0.3, typical: 1, slope: 0, counts: false },
  source: { weight: 0.8, typical: 1, slope: 0, counts: false },
};

const exampleWeight = 1;
const maxExamples = 16;
const maxParameters = 400;
const maxValues = 60;
const maxDepth = 5;

function toPassage(example: string): Passage {
  return { terms: new Map(termsOf(example.slice(0, 2_000)).map((term) => [term, exampleWeight])), pairs: none };
}

const none: ReadonlyMap<string, number> = new Map();

interface Parameters {
  readonly names: string[];
  readonly descriptions: string[];
  readonly values: string[];
}

/** Names, descriptions and listed values of the parameters, also of those inside objects and lists. */
function readParameters(schema: unknown, found: Parameters, depth: number): void {
  if (!isObject(schema) || depth > maxDepth || found.names.length > maxParameters) return;
  if (isObject(schema["properties"])) {
    for (const [name, inner] of Object.entries(schema["properties"])) {
      found.names.push(name);
      if (isObject(inner) && isText(inner["description"])) found.descriptions.push(inner["description"]);
      readParameters(inner, found, depth + 1);
    }
  }
  if (Array.isArray(schema["enum"])) found.values.push(...schema["enum"].filter(isText).slice(0, maxValues));
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const branches = schema[key];
    if (Array.isArray(branches)) for (const branch of branches) readParameters(branch, found, depth + 1);
  }
  readParameters(schema["items"], found, depth + 1);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Longer texts are cut: a tool that says everything would be found for everything. */
const maxText = 4_000;

function text(value: unknown): string {
  return isText(value) ? value.slice(0, maxText) : "";
}
