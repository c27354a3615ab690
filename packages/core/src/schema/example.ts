import { isObject, type JsonObject } from "../util/json.ts";
import type { JsonSchema } from "./schema.ts";
import { validatorFor } from "./validate.ts";

/**
 * The smallest value a schema allows, as far as one can be told: required properties only, first choices, lower bounds.
 * { required: ["query"], properties: { query: { type: "string" } } } → { query: "text" }. Undefined where the guess is not valid.
 */
export function exampleOf(schema: JsonSchema): unknown {
  const guess = guessValue(schema, 0);
  return validatorFor(schema).check(guess) ? guess : undefined;
}

function guessValue(schema: unknown, depth: number): unknown {
  if (!isObject(schema) || depth > 8) return {};
  if ("const" in schema) return schema["const"];
  if ("default" in schema) return schema["default"];
  const [choice] = firstOf(schema["examples"]).concat(firstOf(schema["enum"]));
  if (choice !== undefined) return choice;
  const [branch] = firstOf(schema["anyOf"]).concat(firstOf(schema["oneOf"]));
  if (branch !== undefined && schema["properties"] === undefined) return guessValue(branch, depth + 1);
  const type = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  switch (type) {
    case "string":
      return guessText(schema);
    case "number":
    case "integer":
      return guessNumber(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return Array.from({ length: Math.min(Number(schema["minItems"] ?? 0), 16) }, () => guessValue(schema["items"], depth + 1));
    default:
      return guessObject(schema, depth);
  }
}

function firstOf(list: unknown): unknown[] {
  return Array.isArray(list) && list.length > 0 ? [list[0]] : [];
}

function guessObject(schema: JsonObject, depth: number): JsonObject {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? (schema["required"] as string[]) : [];
  return Object.fromEntries(required.map((name) => [name, guessValue(Object.hasOwn(properties, name) ? properties[name] : {}, depth + 1)]));
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
  const least = Math.max(
    Number(schema["minimum"] ?? Number.NEGATIVE_INFINITY),
    Number(schema["exclusiveMinimum"] ?? Number.NEGATIVE_INFINITY) + step,
  );
  const most = Math.min(
    Number(schema["maximum"] ?? Number.POSITIVE_INFINITY),
    Number(schema["exclusiveMaximum"] ?? Number.POSITIVE_INFINITY) - step,
  );
  const wanted = Math.min(Math.max(step, least), most);
  return Math.ceil(wanted / step) * step;
}
