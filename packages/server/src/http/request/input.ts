import { type Issue, type JsonSchema, validateValue } from "@toolrack/json-schema";
import { JsonError, readJson } from "@toolrack/core/internal";
import { Problem } from "../reply/problem.ts";

/** Validates one part of a request against its schema and fills in defaults; errors name the field. */
export function checkPart(part: "path" | "query" | "body", schema: JsonSchema, value: unknown): unknown {
  const checked = validateValue(schema, value);
  if (checked.ok) return checked.value;
  throw invalid(part, checked.issues);
}

export function invalid(part: string, issues: readonly Issue[]): Problem {
  const sentences = issues.slice(0, 5).map((issue) => issue.message);
  return new Problem(400, "REQUEST_INVALID", `The ${part} of the request is wrong: ${sentences.join(" ")}`, { issues });
}

/** Turns the parameters of a path, as they were sent, into the types that the schema names. */
export function readPath(schema: JsonSchema, params: Readonly<Record<string, string>>): Record<string, unknown> {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const read: Record<string, unknown> = {};
  for (const name of Object.keys(params)) {
    const text = decodePart(params[name]!);
    read[name] = Object.hasOwn(properties, name) ? readText(properties[name]!, text) : text;
  }
  return read;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Problem(400, "REQUEST_INVALID", `The path has "${text.slice(0, 80)}", which is not encoded as UTF-8.`);
  }
}

/** Turns the texts of a query into the types that the schema names: "5" → 5, "a=1&a=2" → ["1", "2"], '[{"path":…}]' → a list. */
export function readQuery(schema: JsonSchema, text: string): Record<string, unknown> {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  demandUtf8(text);
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  const query: Record<string, unknown> = {};
  for (const [name, texts] of values) {
    if (!Object.hasOwn(properties, name)) {
      const names = Object.keys(properties);
      const known = names.length === 0 ? "It takes none." : `It takes ${names.join(", ")}.`;
      throw new Problem(400, "REQUEST_INVALID", `The query has an unknown "${name.slice(0, 80)}". ${known}`);
    }
    query[name] = readValue(properties[name]!, name, texts);
  }
  return query;
}

/** URLSearchParams would insert replacement characters for invalid UTF-8, and so read what nobody sent. */
function demandUtf8(text: string): void {
  try {
    decodeURIComponent(text);
  } catch {
    throw new Problem(400, "REQUEST_INVALID", "The query is not valid UTF-8, encoded with %. Write a percent sign as %25.");
  }
}

function readValue(schema: JsonSchema, name: string, texts: readonly string[]): unknown {
  const text = texts[0]!;
  if (schema["type"] === "array") {
    const items = (schema["items"] ?? {}) as JsonSchema;
    if (texts.length === 1 && text.startsWith("[")) return readJsonText(name, text);
    return texts.map((one) => readValue(items, name, [one]));
  }
  if (texts.length > 1) throw new Problem(400, "REQUEST_INVALID", `The query says "${name.slice(0, 80)}" twice. Say it once.`);
  return schema["type"] === "object" ? readJsonText(name, text) : readText(schema, text);
}

/** A text that does not fit the type stays a text, and validation refuses it. */
export function readText(schema: JsonSchema, text: string): unknown {
  switch (schema["type"]) {
    case "integer":
    case "number":
      return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    default:
      return text;
  }
}

function readJsonText(name: string, text: string): unknown {
  try {
    return readJson(text, 64, `The query's "${name}"`);
  } catch (error) {
    if (error instanceof JsonError) throw new Problem(400, "REQUEST_INVALID", error.message);
    throw error;
  }
}
