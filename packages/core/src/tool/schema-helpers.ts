import { hasOwn, isObject } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { ToolError } from "../errors.ts";
import { kindOf } from "../util/kind-of.ts";

export interface StringEnumOptions<Value extends string = string> {
  readonly title?: string;
  readonly description?: string;
  /** Filled in where the caller leaves the property away. */
  readonly default?: Value;
}

/** One of some texts, in the form that every vendor accepts unchanged: no union, no const, no null. */
export function stringEnum<const Values extends readonly string[], const Options extends StringEnumOptions<Values[number]> = object>(
  values: Values,
  options?: Options,
): StringEnum<Values, NoInfer<Options>> {
  const isList = Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === "string");
  if (!isList || new Set(values).size < values.length) {
    throw new ToolError("SCHEMA_INVALID", `stringEnum needs a list of different texts, at least one; it got ${JSON.stringify(values)}.`);
  }
  return { type: "string", enum: [...values] as unknown as Values, ...(options as Options) };
}

export type StringEnum<Values extends readonly string[], Options = object> = { readonly type: "string"; readonly enum: Values } & Options;

/** The same for a property that may be left away. */
export function optionalStringEnum<
  const Values extends readonly string[],
  const Options extends StringEnumOptions<Values[number]> = object,
>(values: Values, options?: Options): OptionalSchema<StringEnum<Values, NoInfer<Options>>> {
  return optional(stringEnum(values, options) as StringEnum<Values, NoInfer<Options>> & JsonSchema);
}

declare const mark: unique symbol;

/** A schema that `objectSchema` does not list as required. Only the type carries a mark: the schema itself stays plain. */
export type OptionalSchema<Schema> = Schema & { readonly [mark]?: true };

const optionalSchemas = new WeakSet<object>();

/** Says of a property that it may be left away, where others write `| null`. Returns a copy, so the schema can be required elsewhere. */
export function optional<const Schema extends JsonSchema>(schema: Schema): OptionalSchema<Schema> {
  if (!isObject(schema))
    throw new ToolError("SCHEMA_INVALID", `optional needs a schema, such as { type: "string" }; it got ${kindOf(schema)}.`);
  const copy = { ...schema };
  optionalSchemas.add(copy);
  return copy;
}

/** An object whose properties are all required, but those that are `optional` or have a default. */
export function objectSchema<const Properties extends Readonly<Record<string, JsonSchema>>>(
  properties: Properties,
): ObjectSchema<Properties> {
  const wrong = isObject(properties) ? Object.keys(properties).find((name) => !isObject(properties[name])) : "";
  if (wrong !== undefined) {
    const got = wrong === "" ? kindOf(properties) : `${kindOf(properties[wrong])} for "${wrong}"`;
    throw new ToolError(
      "SCHEMA_INVALID",
      `objectSchema needs a schema for each property, such as { city: { type: "string" } }; it got ${got}.`,
    );
  }
  const required = Object.keys(properties).filter(
    (name) => !optionalSchemas.has(properties[name]!) && !hasOwn(properties[name]!, "default"),
  );
  const schema = { type: "object", properties: { ...properties }, ...(required.length > 0 && { required }) };
  return schema as unknown as ObjectSchema<Properties>;
}

export type ObjectSchema<Properties> = { readonly type: "object"; readonly properties: Properties } & ([RequiredKeys<Properties>] extends [
  never,
]
  ? object
  : { readonly required: readonly RequiredKeys<Properties>[] });

type RequiredKeys<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends { readonly default: unknown }
    ? never
    : typeof mark extends keyof Properties[Key]
      ? never
      : Key;
}[keyof Properties];
