import type { JsonSchema } from "../../schema/schema.ts";

/** One thing a vendor would refuse. */
export interface Violation {
  /** A JSON pointer into the schema. */
  readonly path: string;
  readonly keyword: string;
  /** "additionalProperties must be false on every object." */
  readonly message: string;
}

export type Report = (path: string, keyword: string, message: string) => void;

/** Looks at a whole schema and reports what a vendor would refuse. */
export type VendorRule = (schema: JsonSchema, report: Report) => void;
