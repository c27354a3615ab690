import { type FieldsOf, flag, oneOf } from "../../util/check-fields.ts";

export interface AdaptOptions {
  /** Whether the schema is for the vendor's strict mode, if it has one. @default as the target says: true for "openai-strict" */
  readonly strict?: boolean;
  /**
   * Keys that an object neither declares nor rules out. Strict vendors cannot take them: they are dropped by `encode`
   * and noted as a loss, or carried in one more property of every such object. @default "drop"
   */
  readonly undeclared?: "drop" | "carry";
  /** Values keep their form: what the vendor cannot express is loosened instead of carried. Ignored in strict mode. @default false */
  readonly plain?: boolean;
}

export const adaptFields: FieldsOf<AdaptOptions> = { strict: flag, undeclared: oneOf("drop", "carry"), plain: flag };
