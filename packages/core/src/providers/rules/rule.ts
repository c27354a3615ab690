import type { JsonSchema } from "@toolrack/json-schema";

/** One thing a vendor would refuse. */
export interface Violation {
  /** A JSON pointer into the schema. */
  readonly path: string;
  readonly keyword: string;
  /** "additionalProperties must be false on every object" */
  readonly message: string;
}

/** Something a vendor demands, of the schema as a whole or of every schema in it. */
export type VendorRule = WholeRule | NodeRule;

export interface WholeRule {
  readonly whole: (schema: JsonSchema, report: (path: string, keyword: string, message: string) => void) => void;
}

export interface NodeRule {
  readonly node: (node: JsonSchema, report: (keyword: string, message: string) => void, root: JsonSchema) => void;
}
