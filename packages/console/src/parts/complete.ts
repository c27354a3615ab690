import type { JsonSchema } from "../api/types.ts";

export interface Offer {
  readonly label: string;
  readonly apply: string;
  readonly info?: string;
}

/** What a schema offers at the end of a piece of JSON that is still being written: names of properties, or values. */
export function offersAt(before: string, schema: JsonSchema): readonly Offer[] {
  const { path, key } = placeAt(before);
  const inside = path.reduce<JsonSchema | undefined>((part, step) => stepInto(resolve(part, schema), step), schema);
  const part = resolve(inside, schema);
  if (key === undefined) {
    const properties = objectOf(part?.["properties"]);
    return Object.entries(properties).map(([name, given]) => {
      const { description } = objectOf(given);
      return {
        label: JSON.stringify(name),
        apply: `${JSON.stringify(name)}: `,
        ...(typeof description === "string" && { info: description }),
      };
    });
  }
  const value = resolve(stepInto(part, key), schema);
  const choices = Array.isArray(value?.["enum"]) ? value["enum"] : value?.["type"] === "boolean" ? [true, false] : [];
  return [...choices, ...(value?.["default"] === undefined ? [] : [value["default"]])]
    .map((choice) => JSON.stringify(choice))
    .filter((text, index, all) => all.indexOf(text) === index)
    .map((text) => ({ label: text, apply: text }));
}

interface Place {
  /** Names and "[]" from the root to the object that is open. */
  readonly path: readonly string[];
  /** The property whose value comes next; undefined where a name comes next. */
  readonly key: string | undefined;
}

/** '{"a": {"b": ' → path ["a"], key "b"; '{"a": [{' → path ["a", "[]"], a name comes next. */
function placeAt(before: string): Place {
  const open: { readonly isList: boolean; key: string | undefined }[] = [];
  let text: string | undefined;
  for (const [token] of before.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    const top = open.at(-1);
    if (token === "{" || token === "[") open.push({ isList: token === "[", key: undefined });
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":" && top !== undefined) top.key = text;
    else if (token === "," && top !== undefined) top.key = undefined;
    else text = readText(token);
  }
  const top = open.at(-1);
  const path = open.slice(0, -1).map(({ isList, key }) => (isList ? "[]" : (key ?? "")));
  return top?.isList === true ? { path, key: "[]" } : { path, key: top?.key };
}

function readText(token: string): string | undefined {
  try {
    return String(JSON.parse(token));
  } catch {
    return undefined;
  }
}

function stepInto(part: JsonSchema | undefined, step: string): JsonSchema | undefined {
  if (step === "[]") return objectOf(part?.["items"]);
  const properties = objectOf(part?.["properties"]);
  return Object.hasOwn(properties, step) ? objectOf(properties[step]) : undefined;
}

/** Follows "#/$defs/name", and no more than a few steps of it. */
function resolve(part: JsonSchema | undefined, root: JsonSchema): JsonSchema | undefined {
  for (let steps = 0; steps < 8; steps++) {
    const name = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(part?.["$ref"] ?? ""));
    if (name === null) return part;
    const definitions = objectOf(root[name[1]!]);
    part = Object.hasOwn(definitions, name[2]!) ? objectOf(definitions[name[2]!]) : undefined;
  }
  return undefined;
}

function objectOf(value: unknown): JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {};
}
