import type { Answers, SchemaOf } from "../http/route.ts";

/**
 * An object schema whose fields are all required, except those that are named. `Value` is the type of the object: the schema has exactly
 * its fields.
 */
export function objectOf<Value extends object>(
  properties: NoInfer<FieldsOf<Value>>,
  optional: readonly NoInfer<OptionalField<Value>>[] = [],
): SchemaOf<Value> {
  const names: readonly string[] = optional;
  const required = Object.keys(properties).filter((name) => !names.includes(name));
  return { type: "object", properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

export type FieldsOf<Value> = { readonly [Field in keyof Value]-?: SchemaOf<Exclude<Value[Field], undefined>> };

export type OptionalField<Value> = {
  [Field in keyof Value]-?: undefined extends Value[Field] ? Field : never;
}[keyof Value] &
  string;

export function listOf<Item>(items: SchemaOf<Item>): SchemaOf<readonly Item[]> {
  return { type: "array", items };
}

/** The usual answer: 200 with JSON. */
export function ok<Answer>(description: string, schema: SchemaOf<Answer>): Answers<Answer> {
  return { 200: { description, schema } };
}

export const nothing: Answers<undefined> = Object.freeze({ 204: { description: "Done." } });
