import { Validator } from "@cfworker/json-schema";
import {
  type ErrorSchema,
  type RJSFSchema,
  type RJSFValidationError,
  toErrorSchema,
  type ValidationData,
  type ValidatorType,
} from "@rjsf/utils";

/**
 * Checks the values of a form by walking its schema. The usual validator compiles schemas to code, which a strict content
 * security policy forbids.
 */
export const validator: ValidatorType = {
  validateFormData(formData, schema, _customValidate, transformErrors, uiSchema): ValidationData<unknown> {
    const found = check(schema, formData);
    const errors = transformErrors ? transformErrors(found, uiSchema) : found;
    return { errors, errorSchema: toErrorSchema(errors) as ErrorSchema };
  },
  isValid: (schema, formData, rootSchema) => check({ ...definitionsOf(rootSchema), ...schema }, formData).length === 0,
  rawValidation: (schema, formData) => ({ errors: check(schema, formData) as never[] }),
};

/** What a schema finds wrong with a value: one sentence for each place. */
export function check(schema: RJSFSchema, value: unknown): RJSFValidationError[] {
  let units: readonly { readonly keyword: string; readonly instanceLocation: string; readonly error: string }[];
  try {
    units = new Validator(withoutRisk(schema) as object, "2020-12", false).validate(withoutUndefined(value)).errors;
  } catch (error) {
    return [{ message: (error as Error).message, stack: (error as Error).message, property: "." }];
  }
  // An error is also reported for every enclosing object; the innermost is the most specific.
  const innermost = units.filter(({ keyword }) => !structural.has(keyword));
  return innermost.map(({ error, keyword, instanceLocation }) => {
    const missing = keyword === "required" ? /"([^"]+)"/.exec(error)?.[1] : undefined;
    const place = instanceLocation.slice(1) + (missing === undefined ? "" : `/${missing}`);
    const message = missing === undefined ? toSentence(error) : "is required";
    return { name: keyword, property: toProperty(place), message, stack: `${place.slice(1) || "It"} ${message}` };
  });
}

/** What the walker says → what a person needs to know. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/^Instance type ".*?" is invalid\. Expected "(.*)"\.$/s, "must be of the type $1"],
  [/^False boolean schema\.$/s, "is not allowed here"],
  [/^Instance does not match any of (.*)\.$/s, "must be one of $1"],
  [/^.* is (?:greater than) +or equal to (.*)\.$/s, "must be below $1"],
  [/^.* is (?:less than) +or equal to (.*)\.$/s, "must be above $1"],
  [/^.* is greater than +(.*)\.$/s, "must be at most $1"],
  [/^.* is less than +(.*)\.$/s, "must be at least $1"],
  [/^String is too short \(.* < (.*)\)\.$/s, "must have at least $1 characters"],
  [/^String is too long \(.* > (.*)\)\.$/s, "must have at most $1 characters"],
  [/^String does not match format "(.*)"\.$/s, "must be a $1"],
  [/^String does not match pattern\.?$/s, "does not have the right form"],
];

function toSentence(error: string): string {
  const [pattern, sentence] = sentences.find(([one]) => one.test(error)) ?? [];
  return pattern === undefined ? error : error.replace(pattern, sentence!);
}

const structural: ReadonlySet<string> = new Set([
  "properties",
  "items",
  "prefixItems",
  "allOf",
  "$ref",
  "additionalProperties",
  "patternProperties",
]);

const safe = new WeakMap<object, unknown>();

/**
 * Without patterns that could keep this tab busy for ever: those with a repeated group, and those that refer back. The server, whose
 * matching takes linear time, checks them all the same.
 */
function withoutRisk(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  const known = safe.get(schema);
  if (known !== undefined) return known;
  const copy: unknown = Array.isArray(schema)
    ? schema.map(withoutRisk)
    : Object.fromEntries(
        Object.entries(schema).flatMap(([name, part]) =>
          name === "pattern" && typeof part === "string" && isRisky(part) ? [] : [[name, withoutRisk(part)]],
        ),
      );
  safe.set(schema, copy);
  return copy;
}

function isRisky(pattern: string): boolean {
  return pattern.length > 500 || /\)[*+{]|\\[1-9k]/.test(pattern);
}

function definitionsOf(schema: RJSFSchema | undefined): object {
  return { ...(schema?.$defs && { $defs: schema.$defs }), ...(schema?.definitions && { definitions: schema.definitions }) };
}

/** "/tags/0/key" → ".tags.0.key" */
function toProperty(pointer: string): string {
  return pointer.replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~") || ".";
}

function withoutUndefined(value: unknown): unknown {
  return value === undefined ? {} : (JSON.parse(JSON.stringify(value)) as unknown);
}
