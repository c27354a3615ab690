import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { InferSchema } from "@toolrack/json-schema";
import type { ContentBlock, HandlerResult } from "./result.ts";

/** What the data of a handler must fit: its output schema, or nothing where there is none. */
export type OutputBound<OutputSchema> = IsDescribed<OutputSchema> extends true ? InferOutput<OutputSchema> : unknown;

/** The data of a tool: what its output schema says, else what its handler returns. */
export type OutputOf<OutputSchema, Output> = IsDescribed<OutputSchema> extends true ? InferOutput<OutputSchema> : Widened<Output>;

/**
 * What a handler may return. Text and content blocks alone do not fit a schema that describes data.
 * `Output` stands by itself in the union, because only there the compiler infers it from a handler that returns several things. While it
 * is not known, as inside of `new Promise((resolve) => …)`, all that fits the schema is expected.
 */
export type Returned<OutputSchema, Output> =
  | Output
  | WholeResult<OutputBound<OutputSchema>>
  | (IsDescribed<OutputSchema> extends true ? never : string | readonly ContentBlock[])
  | ([Output] extends [never] ? OutputBound<OutputSchema> : never);

/** What is not data itself: a result, also in the shapes of MCP and of agent libraries, a failure, or a stream that ends with the data. */
type WholeResult<Data> =
  | HandlerResult<Data>
  | { readonly content: readonly unknown[]; readonly structuredContent: Data; readonly isError?: boolean }
  | { readonly content: readonly unknown[]; readonly isError: true }
  | { readonly content: readonly unknown[]; readonly details: Data }
  | Error
  | AsyncIterable<unknown>;

/** Whether there is a schema that is more than `JsonSchema` to the compiler. */
type IsDescribed<OutputSchema> = [OutputSchema] extends [never]
  ? false
  : [OutputSchema] extends [object]
    ? 0 extends 1 & InferOutput<OutputSchema>
      ? false
      : true
    : false;

/** What fits a schema before it fills in defaults or transforms anything: output is only checked. Read-only lists fit as well. */
type InferOutput<Schema> = ReadonlyData<Schema extends StandardSchemaV1 ? StandardSchemaV1.InferInput<Schema> : InferSchema<Schema, false>>;

/** An object of anything is `object`: an interface fits no index signature. */
type ReadonlyData<Type> = 0 extends 1 & Type
  ? Type
  : Type extends Opaque
    ? Type
    : Type extends object
      ? [string, unknown] extends [keyof Type, Type[keyof Type]]
        ? object
        : { readonly [Key in keyof Type]: ReadonlyData<Type[Key]> }
      : Type;

/** Without the exact texts, numbers and tuples that are inferred to compare them with a schema. */
type Widened<Type> = 0 extends 1 & Type
  ? unknown
  : Type extends string
    ? string
    : Type extends number
      ? number
      : Type extends boolean
        ? boolean
        : Type extends readonly (infer Item)[]
          ? Widened<Item>[]
          : Type extends Opaque
            ? Type
            : Type extends object
              ? { -readonly [Key in keyof Type]: Widened<Type[Key]> }
              : Type;

/** Functions, dates, maps and the like: not made of their properties. */
type Opaque = ((...args: never) => unknown) | { readonly [Symbol.toStringTag]: string } | { toJSON(): unknown };
