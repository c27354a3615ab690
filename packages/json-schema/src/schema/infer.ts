/** The type of the values of a literal JSON Schema. A schema known only as `JsonSchema` gives `any`. */
export type InferSchema<Schema> = string extends keyof Schema
  ? any
  : Schema extends { readonly const: infer Constant }
    ? Constant
    : Schema extends { readonly enum: readonly (infer Choice)[] }
      ? Choice
      : InferOwn<Schema> & InferAny<Schema, "anyOf"> & InferAny<Schema, "oneOf"> & InferAll<Schema>;

/** What a schema says itself, without its alternatives and parts. */
type InferOwn<Schema> = Schema extends { readonly type: infer Type }
  ? InferType<Type, Schema>
  : Schema extends { readonly properties: object }
    ? InferObject<Schema>
    : unknown;

type InferAny<Schema, Keyword extends string> =
  Schema extends Readonly<Record<Keyword, readonly (infer Branch)[]>> ? InferSchema<Branch> : unknown;

type InferAll<Schema> = Schema extends { readonly allOf: infer Parts } ? Intersect<Parts> : unknown;

type Intersect<Parts> = Parts extends readonly [infer First, ...infer Rest] ? InferSchema<First> & Intersect<Rest> : unknown;

/** A type that is known only as `string` belongs to a schema that is no literal. */
type InferType<Type, Schema> = Type extends readonly (infer Name)[]
  ? InferType<Name, Schema>
  : string extends Type
    ? any
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

type InferList<Schema> = Schema extends { readonly prefixItems: infer Items extends readonly unknown[] }
  ? InferTuple<Items, Schema>
  : Schema extends { readonly items: infer Item }
    ? Item extends readonly unknown[]
      ? InferTuple<Item, Schema>
      : InferSchema<Item>[]
    : unknown[];

/** Every item of a tuple may be missing unless `minItems` counts them all. */
type InferTuple<Items extends readonly unknown[], Schema> = Schema extends { readonly minItems: Items["length"] }
  ? { -readonly [Index in keyof Items]: InferSchema<Items[Index]> }
  : { -readonly [Index in keyof Items]?: InferSchema<Items[Index]> };

type InferObject<Schema> = Schema extends { readonly properties: infer Properties }
  ? Flatten<
      { [Key in keyof Properties as Key extends PresentKeys<Schema, Properties> ? Key : never]: InferSchema<Properties[Key]> } & {
        [Key in keyof Properties as Key extends PresentKeys<Schema, Properties> ? never : Key]?: InferSchema<Properties[Key]>;
      }
    >
  : Schema extends { readonly additionalProperties: infer Value extends object }
    ? Record<string, InferSchema<Value>>
    : Schema extends { readonly patternProperties: infer Patterns }
      ? Record<string, InferSchema<Patterns[keyof Patterns]>>
      : Record<string, unknown>;

/** Required properties, and those with a default: the handler always finds them. */
type PresentKeys<Schema, Properties> =
  | (Schema extends { readonly required: readonly (infer Name)[] } ? Name : never)
  | { [Key in keyof Properties]: Properties[Key] extends { readonly default: unknown } ? Key : never }[keyof Properties];

type Flatten<Type> = { [Key in keyof Type]: Type[Key] };
