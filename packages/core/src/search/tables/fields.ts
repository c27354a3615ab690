import { isObject } from "@toolrack/json-schema/internal";
import { stopWords } from "../words/common-words.ts";
import type { SearchableTool, SearchField } from "../search.ts";
import { splitWords } from "../words/split-words.ts";
import { stem } from "../words/stem.ts";

/** The fields of a tool with their texts. */
export function readFields(
  tool: SearchableTool,
  source: string | undefined,
  visit: (field: Exclude<SearchField, "example">, texts: readonly string[]) => void,
): void {
  const { category, tags, usageHint } = tool.metadata ?? {};
  const parameters: Parameters = { names: [], descriptions: [], values: [] };
  readParameters(tool.inputSchema, parameters, 0);
  visit("name", isText(tool.title) ? [text(tool.name), text(tool.title)] : [text(tool.name)]);
  visit("description", [text(tool.description)]);
  visit("parameter", [parameters.names.join(" "), ...parameters.descriptions]);
  visit("value", [parameters.values.join(" ")]);
  visit("hint", [text(usageHint)]);
  visit("tag", (tags ?? []).map(text));
  visit("category", [text(category)]);
  visit("source", [text(source)]);
}

/** The text of each example: its description, and the values of its input. */
export function exampleTexts({ metadata }: SearchableTool): string[] {
  return (metadata?.examples ?? []).slice(0, maxExamples).map(({ description, input }) => {
    const values = isObject(input) ? Object.values(input).filter(isText) : [];
    return [text(description), ...values.map((value) => value.slice(0, 200))].join(" ").slice(0, maxExampleText);
  });
}

/** The terms of a text: stems of its words, without stop words. */
export function termsOf(said: string): string[] {
  const terms: string[] = [];
  for (const word of splitWords(said)) if (!stopWords.has(word)) terms.push(stem(word));
  return terms;
}

const maxExamples = 16;
const maxExampleText = 2_000;
const maxParameters = 400;
const maxValues = 60;
const maxDepth = 5;

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
      if (isObject(inner) && isText(inner["description"])) found.descriptions.push(text(inner["description"]));
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

/** Longer texts are cut: a tool that mentions everything would be found for everything. */
const maxText = 4_000;

function text(value: unknown): string {
  return isText(value) ? value.slice(0, maxText) : "";
}
