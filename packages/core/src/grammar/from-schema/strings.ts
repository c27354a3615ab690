import { isObject, parseRegex, type Regex, someRegex } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { type Automaton, isVoid, keptAutomaton, toAutomaton } from "../automaton/automaton.ts";
import { furtherPatterns } from "./cases.ts";
import { counted, largestCount } from "../tree/counted.ts";
import { type Expression, Expressions } from "../automaton/expression.ts";
import { formatPattern } from "./formats.ts";
import { fromAutomaton } from "../automaton/from-automaton.ts";
import { anyCharacter, characterOf, isWidened } from "../tree/json-text.ts";
import type { Location } from "../loss.ts";
import { patternExpression } from "../automaton/pattern.ts";
import { regexNode, withLength, withoutAnchors } from "../automaton/plain-pattern.ts";
import type { Node, Tree } from "../tree/tree.ts";

const maxStates = 800;
const longestCountedLength = 300;

/** The JSON texts that a schema of type string allows, quotes included. */
export function stringNode(tree: Tree, schema: JsonSchema, location: Location): Node {
  const quote = tree.text('"');
  const body = bodyNode(tree, schema, location);
  return body === tree.repeat(anyCharacter(tree), 0, Infinity) ? anyString(tree) : tree.sequence(quote, body, quote);
}

export function anyString(tree: Tree): Node {
  return tree.define("string", () => tree.sequence(tree.text('"'), tree.repeat(anyCharacter(tree), 0, Infinity), tree.text('"')));
}

/** The text between the quotes. */
function bodyNode(tree: Tree, schema: JsonSchema, location: Location): Node {
  const min = countOf(schema["minLength"], 0);
  const max = countOf(schema["maxLength"], Infinity);
  if (min > max) return tree.nothing;
  if (min > largestCount) location.lose("minLength", `more than ${largestCount} characters are not counted`);
  if (max > largestCount && max !== Infinity) location.lose("maxLength", `more than ${largestCount} characters are not counted`);
  const rules = rulesOf(schema, location);
  if (rules.length === 0) return counted(tree, anyCharacter(tree), min, max);
  for (const { keyword, regex, values } of rules) {
    if ((regex !== undefined && hasWidenedSet(regex)) || values?.some((value) => /[^\0-\x7f]/.test(value))) {
      location.lose(keyword, "the few characters beyond ASCII that it leaves out may be written");
    }
  }
  const write = (set: readonly number[]): Node => characterOf(tree, set);

  const lengths = max === Infinity && min === 0 ? undefined : { min, max };
  const plain = plainRegex(rules, lengths);
  if (plain !== undefined) return tree.once(lengths === undefined ? rules[0]!.regex! : plain, () => regexNode(tree, plain, write));

  const countable = lengths === undefined || (min <= longestCountedLength && (max <= longestCountedLength || max === Infinity));
  const automaton = countable ? automatonOf(rules, lengths) : undefined;
  if (automaton !== undefined) return isVoid(automaton) ? tree.nothing : fromAutomaton(tree, automaton, write, "text");

  if (lengths !== undefined) {
    const uncounted = bodyNode(tree, { ...schema, minLength: undefined, maxLength: undefined }, location);
    for (const keyword of ["minLength", "maxLength"])
      if (keyword in schema) location.lose(keyword, "together with the pattern it needs too many states");
    return uncounted;
  }
  for (const { keyword, note } of rules) location.lose(keyword, note);
  return tree.repeat(anyCharacter(tree), 0, Infinity);
}

/**
 * The single pattern of a text, if it can be written part by part. A pattern of a schema must be simple for that: engines have trouble
 * with nested repeats, which an automaton removes.
 */
function plainRegex(rules: readonly TextRule[], lengths: { readonly min: number; readonly max: number } | undefined): Regex | undefined {
  const [only, ...others] = rules;
  if (only?.regex === undefined || !only.wanted || others.length > 0) return undefined;
  if (only.keyword === "format" && lengths === undefined) return withoutAnchors(only.regex);
  return withLength(only.regex, lengths?.min ?? 0, lengths?.max ?? Infinity);
}

const widened = new WeakMap<Regex, boolean>();

function hasWidenedSet(regex: Regex): boolean {
  let known = widened.get(regex);
  if (known === undefined) widened.set(regex, (known = someRegex(regex, (part) => part.kind === "set" && isWidened(part.set))));
  return known;
}

/** One condition on a text; `wanted: false` negates it. */
interface TextRule {
  readonly keyword: string;
  readonly wanted: boolean;
  readonly regex?: Regex;
  /** The pattern that `regex` was read from. */
  readonly source?: string;
  readonly values?: readonly string[];
  /** The loss to report if it cannot be expressed. */
  readonly note: string;
}

function rulesOf(schema: JsonSchema, location: Location, wanted = true): TextRule[] {
  const rules: TextRule[] = [];
  const { pattern, format, not } = schema;
  const further = Array.isArray(schema[furtherPatterns]) ? schema[furtherPatterns] : [];
  for (const source of [pattern, ...further]) {
    if (typeof source !== "string") continue;
    const note = `${JSON.stringify(source)} needs too many states, or looks behind`;
    rules.push({ keyword: "pattern", wanted, regex: readPattern(source), source, note });
  }
  if (typeof format === "string") rules.push(...formatRules(format, wanted, location));
  if (isObject(not) && wanted) {
    const excluded = Array.isArray(not["anyOf"]) ? not["anyOf"].filter(isObject) : [not];
    for (const item of excluded) {
      const values = Array.isArray(item["enum"]) ? item["enum"].filter((value): value is string => typeof value === "string") : [];
      if (values.length > 0) rules.push({ keyword: "not", wanted: false, values, note: "the excluded texts need too many states" });
      rules.push(...rulesOf({ pattern: item["pattern"], format: item["format"] }, location, false));
    }
  }
  return rules;
}

function formatRules(format: string, wanted: boolean, location: Location): TextRule[] {
  const known = formatPattern(format);
  if (known === undefined) {
    if (wanted && unwritable.has(format)) location.lose("format", `"${format}" cannot be said in a grammar`);
    return [];
  }
  if (known.looser !== undefined) location.lose("format", `"${format}": ${known.looser}`);
  return [
    {
      keyword: "format",
      wanted,
      regex: readPattern(known.pattern),
      source: known.pattern,
      note: `"${format}" together with the rest needs too many states`,
    },
  ];
}

const unwritable = new Set(["regex", "idn-email", "idn-hostname", "iri", "iri-reference", "uri-template"]);

function automatonOf(
  rules: readonly TextRule[],
  lengths: { readonly min: number; readonly max: number } | undefined,
): Automaton | undefined {
  const key = JSON.stringify([rules.map(({ wanted, source, values }) => [wanted, source, values]), lengths?.min, String(lengths?.max)]);
  return keptAutomaton(key, () => {
    const make = new Expressions();
    const parts: Expression[] = lengths === undefined ? [] : [make.repeat(make.any, lengths.min, lengths.max)];
    for (const { wanted, regex, values } of rules) {
      const part = regex === undefined ? make.or(...(values ?? []).map((value) => make.text(value))) : patternExpression(make, regex);
      if (part === undefined) return undefined;
      parts.push(wanted ? part : make.not(part));
    }
    return toAutomaton(make, make.and(...parts), maxStates);
  });
}

const read = new Map<string, Regex>();
const maxRead = 300;

/** One tree per pattern, so that what is built for it is built once. Whoever made the schema normal has checked its patterns. */
function readPattern(source: string): Regex {
  let regex = read.get(source);
  if (regex === undefined) {
    if (read.size >= maxRead) read.delete(read.keys().next().value!);
    read.set(source, (regex = parseRegex(source)));
  }
  return regex;
}

export function countOf(value: unknown, otherwise: number): number {
  return typeof value === "number" ? Math.max(0, Math.ceil(value)) : otherwise;
}
