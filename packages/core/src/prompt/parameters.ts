import { isObject, type JsonObject } from "@toolrack/json-schema/internal";

/** One parameter of a tool, as a prompt describes it. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description?: string;
  readonly values?: readonly unknown[];
  readonly default?: unknown;
}

/** The top-level parameters of an input schema, in declared order. */
export function parametersOf(inputSchema: unknown): readonly Parameter[] {
  if (!isObject(inputSchema) || !isObject(inputSchema["properties"])) return [];
  const required = new Set(Array.isArray(inputSchema["required"]) ? inputSchema["required"] : []);
  return Object.entries(inputSchema["properties"]).map(([name, schema]) => {
    const given = isObject(schema) ? schema : {};
    return {
      name,
      type: typeOf(given),
      required: required.has(name),
      ...(typeof given["description"] === "string" && { description: oneLine(given["description"]) }),
      ...valuesOf(given),
      ...(Object.hasOwn(given, "default") && { default: given["default"] }),
    };
  });
}

/** "integer 1–100", "list of strings", "text or null" in the words of JSON Schema. */
function typeOf(schema: JsonObject): string {
  const { type, items, anyOf, oneOf, $ref } = schema;
  if (Array.isArray(type)) return type.join(" or ");
  if (type === "array") return isObject(items) ? `array of ${typeOf(items)}` : "array";
  if (type === "integer" || type === "number") return `${type}${rangeOf(schema)}`;
  if (typeof type === "string") return typeof schema["format"] === "string" ? `${type}, ${schema["format"]}` : type;
  const union = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined;
  if (union !== undefined) return [...new Set(union.map((branch) => (isObject(branch) ? typeOf(branch) : "any")))].join(" or ");
  if (typeof $ref === "string") return $ref.split("/").at(-1)!;
  const listed = valuesOf(schema).values;
  return listed === undefined ? "any" : [...new Set(listed.map((value) => (value === null ? "null" : typeof value)))].join(" or ");
}

function rangeOf({ minimum, maximum }: JsonObject): string {
  if (typeof minimum === "number" && typeof maximum === "number") return ` ${minimum} to ${maximum}`;
  if (typeof minimum === "number") return ` from ${minimum}`;
  return typeof maximum === "number" ? ` up to ${maximum}` : "";
}

function valuesOf(schema: JsonObject): { readonly values?: readonly unknown[] } {
  if (Array.isArray(schema["enum"])) return { values: schema["enum"] };
  return Object.hasOwn(schema, "const") ? { values: [schema["const"]] } : {};
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
