import { SchemaError } from "../errors.ts";
import { readSchema } from "../schema/read-schema.ts";
import type { JsonSchema } from "../schema/schema.ts";
import { mergeAllOf } from "./all-of.ts";
import { replaceBooleans } from "./booleans.ts";
import { replaceConst } from "./const.ts";
import { replaceLegacyKeywords } from "./drafts.ts";
import { replaceNullable } from "./nullable.ts";
import { resolveReferences } from "./references.ts";
import { moveTuples } from "./tuples.ts";
import { simplifyTypes } from "./types.ts";
import { closeUnevaluated } from "./unevaluated.ts";
import { type NormalPass, usedKeywords } from "./walk.ts";

/** One thing a pass did: { path: "/properties/a", pass: "const", note: "const became a list of one value" }. */
export interface SchemaChange {
  /** A JSON pointer into the schema, as it stood when the pass ran. */
  readonly path: string;
  readonly pass: string;
  readonly note: string;
}

export interface NormalSchema {
  readonly schema: JsonSchema;
  readonly changes: readonly SchemaChange[];
}

/**
 * The same meaning in fewer words, in draft 2020-12. In a normal schema
 * - `$ref` is always "#/$defs/<name>", and stands only where a schema contains itself (or would grow beyond bounds if copied);
 *   `$defs` stands only at the root;
 * - `true` and `false` are `{}` and `{ not: {} }`, except `additionalProperties: false`;
 * - there is no `const`, `nullable`, `dependencies`, `additionalItems`, no list in `items`, no `items: false`;
 * - `allOf` holds only what could not be merged without changing the meaning;
 * - `type` is a list only where it names several types.
 *
 * Throws SCHEMA_INVALID for a schema that cannot be read, and for a `$ref` that leads nowhere.
 */
export function normalizeSchema(schema: unknown): NormalSchema {
  let current = readSchema(schema);
  const changes: SchemaChange[] = [];
  try {
    let used = usedKeywords(current);
    for (const { pass, needs, run } of normalPasses) {
      if (!needs.some((keyword) => used.has(keyword))) continue;
      const next = run(current, (path, note) => changes.push({ path, pass, note }));
      if (next !== current) used = usedKeywords(next);
      current = next;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SchemaError(
      "SCHEMA_INVALID",
      "The schema is nested too deeply to be brought to its normal form. Flatten it, or split the tool.",
    );
  }
  return { schema: current, changes };
}

/** References come first because no later pass sees through `$ref`; `allOf` is merged last, when every branch is in normal form. */
export const normalPasses: readonly NormalPass[] = [
  resolveReferences,
  replaceLegacyKeywords,
  moveTuples,
  replaceBooleans,
  replaceNullable,
  replaceConst,
  simplifyTypes,
  closeUnevaluated,
  mergeAllOf,
  closeUnevaluated,
];
