import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { own, ownList } from "../document/json.ts";
import type { Work } from "../document/references.ts";
import type { SchemaContext } from "./context.ts";
import { checkValues } from "./plain-value.ts";
import { isExampleUsable, isPatternUsable, repairCount, repairEnum, repairNumber, repairText, shorten } from "./repair.ts";
import { readTypes } from "./types.ts";

const numbers = ["multipleOf", "minimum", "maximum"] as const;
const counts = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"] as const;

/** The keywords of a schema that hold no schemas, in 2020-12: repaired where validators would refuse them, without those of other dialects. */
export function convertKeywords(schema: JsonObject, isNullable: boolean, context: SchemaContext): JsonObject {
  const { work } = context.references;
  checkValues(schema, work);
  for (const key of ["type", "enum"]) work.copy(ownList(schema, key).length);
  const out: JsonObject = {};
  const { types, format: implied, repaired } = readTypes(own(schema, "type"));
  if (repaired !== undefined) context.warn(repaired);
  const shown = types === undefined ? undefined : isNullable && !types.includes("null") ? [...types, "null"] : types;
  if (shown !== undefined) out["type"] = shown.length === 1 ? shown[0] : shown;
  for (const key of ["title", "description"] as const) {
    const text = repairText(own(schema, key));
    if (text !== undefined && text !== "") out[key] = shorten(text, context.descriptionLength);
  }
  const format = own(schema, "format") ?? implied;
  if (typeof format === "string" && format !== "") out["format"] = format;
  const values = repairEnum(own(schema, "enum"), types, isNullable);
  if (values !== undefined) out["enum"] = values;
  if (own(schema, "const") !== undefined) Object.assign(out, isNullable ? { enum: [schema["const"], null] } : { const: schema["const"] });
  convertNumbers(schema, out);
  for (const key of counts) {
    const count = repairCount(own(schema, key));
    if (count !== undefined) out[key] = count;
  }
  if (own(schema, "uniqueItems") === true) out["uniqueItems"] = true;
  convertPattern(schema, out, context);
  for (const key of ["contentEncoding", "contentMediaType"] as const) if (typeof own(schema, key) === "string") out[key] = schema[key];
  if (format === "byte") out["contentEncoding"] ??= "base64";
  if (own(schema, "deprecated") === true) out["deprecated"] = true;
  if (isObject(own(schema, "dependentRequired"))) out["dependentRequired"] = textLists(schema["dependentRequired"] as JsonObject, work);
  convertExamples(schema, out);
  if (context.direction === "input") describeDefault(schema, out);
  return out;
}

function convertNumbers(schema: JsonObject, out: JsonObject): void {
  for (const key of numbers) {
    const number = repairNumber(own(schema, key));
    if (number !== undefined && (key !== "multipleOf" || number > 0)) out[key] = number;
  }
  for (const [exclusive, inclusive] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    const value = own(schema, exclusive);
    // Up to 3.0 a flag of the bound beside it, since then a bound itself.
    if (value === true && out[inclusive] !== undefined) {
      out[exclusive] = out[inclusive];
      delete out[inclusive];
    } else if (typeof value !== "boolean") {
      const number = repairNumber(value);
      if (number !== undefined) out[exclusive] = number;
    }
  }
}

function convertPattern(schema: JsonObject, out: JsonObject, context: SchemaContext): void {
  const pattern = own(schema, "pattern");
  if (typeof pattern !== "string") return;
  if (isPatternUsable(pattern)) out["pattern"] = pattern;
  else context.warn(`The pattern ${JSON.stringify(pattern.slice(0, 80))} is not valid, or cannot be run in linear time: it is left out.`);
}

function convertExamples(schema: JsonObject, out: JsonObject): void {
  const listed = own(schema, "examples");
  const examples = Array.isArray(listed) ? listed : [own(schema, "example")];
  const first = examples.find((example) => example !== undefined && example !== null);
  if (first !== undefined && isExampleUsable(first)) out["examples"] = [first];
}

/** A default is what the API assumes. As a keyword it would be filled in and sent. */
function describeDefault(schema: JsonObject, out: JsonObject): void {
  const value = own(schema, "default");
  if (value === undefined || value === null || value === "" || !isExampleUsable(value)) return;
  const fallback = `Default: ${typeof value === "string" ? value : JSON.stringify(value)}.`;
  const words = typeof out["description"] === "string" ? out["description"].trimEnd() : "";
  if (words.includes(fallback)) return;
  out["description"] = `${words === "" ? "" : `${words.replace(/([^.!?…:])$/, "$1.")} `}${fallback}`;
}

function textLists(map: JsonObject, work: Work): JsonObject {
  for (const list of Object.values(map)) work.copy(1 + (Array.isArray(list) ? list.length : 0));
  return Object.fromEntries(
    Object.entries(map)
      .filter(([, list]) => Array.isArray(list))
      .map(([key, list]) => [key, (list as unknown[]).filter((item) => typeof item === "string")]),
  );
}
