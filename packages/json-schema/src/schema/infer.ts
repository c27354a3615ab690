/**
 * The type of the values of a literal JSON Schema. A schema known only as `JsonSchema` gives `any`.
 * `Filled` says whether defaults have been filled in: true for the input of a handler, false for what it returns.
 */
export type InferSchema<Schema, Filled extends boolean = true> = Schema extends { readonly static: unknown; readonly params: unknown[] }
  ? InferStatic<Schema>
  : Schema extends { readonly "~unsafe": infer Type }
    ? Type
    : string extends keyof Schema
      ? any
      : Schema extends { readonly const: infer Constant }
        ? Mutable<Constant>
        : Schema extends { readonly enum: readonly (infer Choice)[] }
          ? Mutable<Choice>
          : InferOwn<Schema, Filled> & InferAny<Schema, "anyOf", Filled> & InferAny<Schema, "oneOf", Filled> & InferAll<Schema, Filled>;

/** Schemas of `@sinclair/typebox` carry their type with them; one of an unknown type says no more than `JsonSchema` does. */
type InferStatic<Schema> = Schema & { params: [] } extends { readonly static: infer Type } ? (unknown extends Type ? any : Type) : never;

/** What a schema says itself, without its alternatives and parts. */
type InferOwn<Schema, Filled extends boolean> = Schema extends { readonly type: infer Type }
  ? InferType<Type, Schema, Filled>
  : Schema extends { readonly properties: object }
    ? InferObject<Schema, Filled>
    : unknown;

type InferAny<Schema, Keyword extends string, Filled extends boolean> =
  Schema extends Readonly<Record<Keyword, readonly (infer Branch)[]>> ? InferSchema<Branch, Filled> : unknown;

type InferAll<Schema, Filled extends boolean> = Schema extends { readonly allOf: infer Parts } ? Intersect<Parts, Filled> : unknown;

type Intersect<Parts, Filled extends boolean> = Parts extends readonly [infer First, ...infer Rest]
  ? InferSchema<First, Filled> & Intersect<Rest, Filled>
  : unknown;

/** A type that is known only as `string` belongs to a schema that is no literal. */
type InferType<Type, Schema, Filled extends boolean> = Type extends readonly (infer Name)[]
  ? InferType<Name, Schema, Filled>
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
              ? InferList<Schema, Filled>
              : Type extends "object"
                ? InferObject<Schema, Filled>
                : unknown;

type InferList<Schema, Filled extends boolean> = Schema extends { readonly prefixItems: infer Items extends readonly unknown[] }
  ? InferTuple<Items, Schema, Filled>
  : Schema extends { readonly items: infer Item }
    ? Item extends readonly unknown[]
      ? InferTuple<Item, Schema, Filled>
      : InferSchema<Item, Filled>[]
    : unknown[];

/** Every item of a tuple may be missing unless `minItems` counts them all. */
type InferTuple<Items extends readonly unknown[], Schema, Filled extends boolean> = Schema extends { readonly minItems: Items["length"] }
  ? { -readonly [Index in keyof Items]: InferSchema<Items[Index], Filled> }
  : { -readonly [Index in keyof Items]?: InferSchema<Items[Index], Filled> };

type InferObject<Schema, Filled extends boolean> = Schema extends { readonly properties: infer Properties }
  ? Flatten<
      {
        -readonly [Key in keyof Properties as Key extends PresentKeys<Schema, Properties, Filled> ? Key : never]: InferSchema<
          Properties[Key],
          Filled
        >;
      } & {
        -readonly [Key in keyof Properties as Key extends PresentKeys<Schema, Properties, Filled> ? never : Key]?: InferSchema<
          Properties[Key],
          Filled
        >;
      }
    >
  : Schema extends { readonly additionalProperties: infer Value extends object }
    ? Record<string, InferSchema<Value, Filled>>
    : Schema extends { readonly patternProperties: infer Patterns }
      ? Record<string, InferSchema<Patterns[keyof Patterns], Filled>>
      : Record<string, unknown>;

/** Required properties; once defaults are filled in, also those that have one. */
type PresentKeys<Schema, Properties, Filled extends boolean> =
  | (Schema extends { readonly required: readonly (infer Name)[] } ? Name : never)
  | (Filled extends true
      ? { [Key in keyof Properties]: Properties[Key] extends { readonly default: unknown } ? Key : never }[keyof Properties]
      : never);

type Flatten<Type> = { [Key in keyof Type]: Type[Key] };

/** A constant as it is parsed: a literal is read-only, a value from a caller is not. */
type Mutable<Type> = Type extends object ? { -readonly [Key in keyof Type]: Mutable<Type[Key]> } : Type;
