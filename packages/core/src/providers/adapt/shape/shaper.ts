import type { Place } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import type { Codec } from "./codec.ts";
import type { AdaptContext } from "../pass.ts";

/** What a vendor's schemas can express, and how the rest is carried. */
export interface ShapeRules {
  /** A legal property name. Others are renamed. @default every name is legal */
  readonly legalKey?: RegExp;
  /** Every object says `additionalProperties: false`. */
  readonly closed?: boolean;
  /** How objects with free keys are written: as they are, or as a list of keys and values. @default "keep" */
  readonly maps?: "keep" | "carry";
  /** What becomes of further keys where an object does not say whether it is open. @default "drop" */
  readonly undeclared?: "drop" | "carry";
  /** How "any value" is written. @default "keep" */
  readonly anything?: "keep" | "text";
  /** How a property is left out: as always, or by null because every property is required. @default "missing" */
  readonly absence?: "missing" | "null";
  /** A null in place of an optional value means that it is absent. */
  readonly nullIsAbsent?: boolean;
  /** @default "keep" */
  readonly references?: "keep" | "open";
  /** Lists of values hold only texts, so that null is written as a word. */
  readonly nullWord?: boolean;
  /** Nothing is carried: what would be is loosened. */
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
  /** The value travels as JSON text. */
  readonly isText?: boolean;
}

export interface At {
  readonly place: Place | undefined;
  readonly depth: number;
  /** The definitions that were opened on the way here. */
  readonly opened: readonly string[];
  readonly isRoot?: boolean;
}

/** What the parts of the shape step share; each part may ask for the shape of a schema further in. */
export interface Shaper {
  readonly rules: ShapeRules;
  readonly context: AdaptContext;
  readonly definitions: JsonSchema;
  readonly budget: { optional: number; unions: number };
  shape(node: JsonSchema, at: At): Shaped;
  /** Whether a value fits a schema of the original side, or one that is already shaped. */
  matcher(node: JsonSchema, side: "original" | "shaped"): (value: unknown) => boolean;
}
