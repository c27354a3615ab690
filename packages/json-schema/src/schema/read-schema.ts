import { compilePattern } from "../pattern/pattern.ts";
import { invalidAt, patternsOf, readSchemaShape } from "./read-shape.ts";
import type { JsonSchema } from "./schema.ts";

const known = new WeakSet<object>();

/**
 * Reads a schema from anywhere: a frozen copy of its plain JSON, with every keyword's argument checked, and every pattern ready to be run
 * in linear time. Throws SCHEMA_INVALID with the pointer of the fault. A schema that was read before is returned as it is.
 */
export function readSchema(schema: unknown): JsonSchema {
  const read = readSchemaShape(schema);
  if (known.has(read)) return read;
  for (const { source, path } of patternsOf(read)) {
    try {
      compilePattern(source);
    } catch (error) {
      throw invalidAt(path, (error as Error).message);
    }
  }
  known.add(read);
  return read;
}
