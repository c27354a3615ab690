import type { Place } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import type { Codec } from "./codec.ts";
import type { AdaptContext } from "../pass.ts";

/** What a vendor's schemas cannot express, and in which form such values are sent ("carried") instead. */
export interface ShapeRules {
  /** A legal property name. Others are renamed. @default every name is legal */
  readonly legalKey?: RegExp;
  /** Every object says `additionalProperties: false`. */
  readonly closed?: boolean;
  /** Objects with free keys: unchanged, or sent as a list of keys and values. @default "keep" */
  readonly maps?: "keep" | "carry";
  /** Undeclared keys of an object that does not say whether it is open: dropped, or sent in one more property. @default "drop" */
  readonly undeclared?: "drop" | "carry";
  /** A schema that accepts any value: unchanged, or a string with JSON text. @default "keep" */
  readonly anything?: "keep" | "text";
  /** How a property is left out: by leaving it out, or by null because every property is required. @default "missing" */
  readonly absence?: "missing" | "null";
  /** A null in place of an optional value means that it is absent. */
  readonly nullIsAbsent?: boolean;
  /** `$ref`: unchanged, or replaced by what it refers to. @default "keep" */
  readonly references?: "keep" | "open";
  /** `enum` may hold only strings, so null is sent as a word. */
  readonly nullWord?: boolean;
  /** Values keep their form: what would be carried is loosened instead. */
  readonly plain?: boolean;
  /** Lists and objects nested deeper than this are carried as JSON text. */
  readonly maxDepth?: number;
  /** Optional properties in the whole schema; the rest is carried as JSON text. */
  readonly maxOptional?: number;
  /** Unions and lists of types in the whole schema; the rest is carried as JSON text. */
  readonly maxUnions?: number;
}

/** A schema in its new form; without a codec its values stay as they are. */
export interface Shaped {
  readonly schema: JsonSchema;
  readonly codec?: Codec;
  /** The value is sent as JSON text. */
  readonly isText?: boolean;
}

export interface At {
  readonly place: Place | undefined;
  readonly depth: number;
  /** The definitions that were opened on the way here. */
  readonly opened: readonly string[];
  readonly isRoot?: boolean;
}

/** What the parts of the shape step share; each part may shape an inner schema. */
export interface Shaper {
  readonly rules: ShapeRules;
  readonly context: AdaptContext;
  readonly definitions: JsonSchema;
  readonly budget: { optional: number; unions: number };
  shape(node: JsonSchema, at: At): Shaped;
  /** Whether a value matches a schema of the original, or one that is already shaped. */
  matcher(node: JsonSchema, side: "original" | "shaped"): (value: unknown) => boolean;
}
