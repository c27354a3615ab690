import type { StandardSchemaV1 } from "@standard-schema/spec";

/** What a handler receives: the output of a Standard Schema, or the type that a literal JSON Schema describes. */
export type InferInput<Schema> = Schema extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<Schema> : InferSchema<Schema>;

/** The type of the values of a literal JSON Schema. A schema known only as `JsonSchema` gives `any`. */
export type InferSchema<Schema> = string extends keyof Schema
  ? // eslint-disable-next-line @typescript-eslint/no-explicit-any
    any
  : Schema extends { readonly const: infer Constant }
    ? Constant
    : Schema extends { readonly enum: readonly (infer Choice)[] }
      ? Choice
      : Schema extends { readonly anyOf: readonly (infer Branch)[] }
        ? InferSchema<Branch>
        : Schema extends { readonly oneOf: readonly (infer Branch)[] }
          ? InferSchema<Branch>
          : Schema extends { readonly type: infer Type }
            ? InferType<Type, Schema>
            : Schema extends { readonly properties: object }
              ? InferObject<Schema>
              : unknown;

type InferType<Type, Schema> = Type extends readonly (infer Name)[]
  ? InferType<Name, Schema>
  : Type extends "string"
    ? string
    : Type extends "number" | "integer"
      ? number
      : Type extends "boolean"
        ? boolean
        : Type extends "null"
          ? null
          : Type extends "array"
            ? InferList<Schema>
            : Type extends "object"
              ? InferObject<Schema>
              : unknown;

type InferList<Schema> = Schema extends { readonly items: infer Item } ? InferSchema<Item>[] : unknown[];

type InferObject<Schema> = Schema extends { readonly properties: infer Properties }
  ? Flatten<
      { [Key in keyof Properties as Key extends PresentKeys<Schema, Properties> ? Key : never]: InferSchema<Properties[Key]> } & {
        [Key in keyof Properties as Key extends PresentKeys<Schema, Properties> ? never : Key]?: InferSchema<Properties[Key]>;
      }
    >
  : Schema extends { readonly additionalProperties: infer Value extends object }
    ? Record<string, InferSchema<Value>>
    : Record<string, unknown>;

/** Required properties, and those with a default: the handler always finds them. */
type PresentKeys<Schema, Properties> =
  | (Schema extends { readonly required: readonly (infer Name)[] } ? Name : never)
  | { [Key in keyof Properties]: Properties[Key] extends { readonly default: unknown } ? Key : never }[keyof Properties];

type Flatten<Type> = { [Key in keyof Type]: Type[Key] };
