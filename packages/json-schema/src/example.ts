import { hasOwn, isObject, type JsonObject } from "./util/json.ts";
import { unescapePointer } from "./schema/keywords.ts";
import { partsOf } from "./schema/local-reference.ts";
import type { JsonSchema } from "./schema/schema.ts";
import { validatorFor } from "./validate/validate.ts";

/**
 * The smallest value a schema allows, as far as one can be told: required properties only, first choices, lower bounds.
 * { required: ["query"], properties: { query: { type: "string" } } } → { query: "text" }. Undefined where the guess is not valid.
 */
export function exampleOf(schema: JsonSchema): unknown {
  const { check, explain } = validatorFor(schema);
  const guessing: Guessing = { root: schema, left: maxGuesses };
  let guess = guessValue(schema, guessing, 0);
  for (let round = 0; round < maxRounds && isObject(guess) && !check(guess); round++) {
    // What is required only because of another value, such as an action, shows when the guess is checked.
    const missing = explain(guess).flatMap(({ path, received }) =>
      received === "missing" && isTopLevel(path) ? [unescapePointer(path.slice(1))] : [],
    );
    if (missing.length === 0) break;
    const { properties } = mergeParts(schema, guessing);
    guess = { ...guess, ...guessProperties(missing, properties, guessing, 0) };
  }
  return check(guess) ? guess : undefined;
}

interface Guessing {
  readonly root: unknown;
  left: number;
}

/** A schema that requires itself again and again must not take long. */
const maxGuesses = 1_000;
const maxRounds = 4;
const maxDepth = 8;

function isTopLevel(pointer: string): boolean {
  return pointer.startsWith("/") && !pointer.includes("/", 1);
}

function guessValue(schema: unknown, guessing: Guessing, depth: number): unknown {
  if (depth > maxDepth || --guessing.left < 0) return {};
  const merged = mergeParts(schema, guessing);
  for (const keyword of ["const", "default"]) if (hasOwn(merged, keyword)) return merged[keyword];
  for (const keyword of ["examples", "enum"]) if (Array.isArray(merged[keyword]) && merged[keyword].length > 0) return merged[keyword][0];
  switch (Array.isArray(merged["type"]) ? merged["type"][0] : merged["type"]) {
    case "string":
      return guessText(merged);
    case "number":
    case "integer":
      return guessNumber(merged);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return guessList(merged, guessing, depth);
    default:
      return guessProperties(merged.required, merged.properties, guessing, depth);
  }
}

interface Merged extends JsonObject {
  readonly properties: JsonObject;
  readonly required: readonly string[];
}

/** Everything that is said about one value, as one schema: the nearest word wins, of alternatives the first one counts. */
function mergeParts(schema: unknown, { root }: Guessing): Merged {
  const parts = partsOf(schema, root);
  for (const part of parts) {
    for (const keyword of ["anyOf", "oneOf"]) if (Array.isArray(part[keyword])) partsOf(part[keyword][0], root, parts);
  }
  const all = [...parts].toReversed();
  const required = all.flatMap((part) => (Array.isArray(part["required"]) ? (part["required"] as string[]) : []));
  const properties = Object.assign(Object.create(null) as JsonObject, ...all.map((part) => part["properties"]));
  return { ...Object.assign({}, ...all), properties, required: [...new Set(required)] };
}

function guessProperties(names: readonly string[], properties: JsonObject, guessing: Guessing, depth: number): JsonObject {
  return Object.fromEntries(names.map((name) => [name, guessValue(properties[name], guessing, depth + 1)]));
}

function guessList(schema: JsonObject, guessing: Guessing, depth: number): unknown[] {
  const prefix = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : [];
  const least = Math.min(Number(schema["minItems"] ?? 0), 16);
  return Array.from({ length: least }, (_, index) =>
    guessValue(index < prefix.length ? prefix[index] : schema["items"], guessing, depth + 1),
  );
}

const formatExamples = new Map([
  ["date-time", "2026-01-31T12:00:00Z"],
  ["date", "2026-01-31"],
  ["time", "12:00:00Z"],
  ["email", "name@example.com"],
  ["uri", "https://example.com/"],
  ["uuid", "123e4567-e89b-42d3-a456-426614174000"],
  ["ipv4", "192.0.2.1"],
  ["hostname", "example.com"],
]);

function guessText(schema: JsonObject): string {
  const format = formatExamples.get(String(schema["format"]));
  if (format !== undefined) return format;
  const least = Number(schema["minLength"] ?? 0);
  const most = Number(schema["maxLength"] ?? Number.POSITIVE_INFINITY);
  return "text".padEnd(Math.min(least, 200), "x").slice(0, Math.max(most, 0));
}

function guessNumber(schema: JsonObject): number {
  const step = Number(schema["multipleOf"] ?? 1);
  const limit = (keyword: string, none: number, offset: number): number => Number(schema[keyword] ?? none) + offset;
  const least = Math.max(limit("minimum", Number.NEGATIVE_INFINITY, 0), limit("exclusiveMinimum", Number.NEGATIVE_INFINITY, step));
  const most = Math.min(limit("maximum", Number.POSITIVE_INFINITY, 0), limit("exclusiveMaximum", Number.POSITIVE_INFINITY, -step));
  const wanted = Math.min(Math.max(step, least), most);
  return Math.ceil(wanted / step) * step;
}
