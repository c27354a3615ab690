/** Every code that this package throws: the HTTP status it maps to, and the sentence that the reference page prints. */
export const schemaErrorCodes = {
  SCHEMA_INVALID: { status: 400, sentence: "A schema is not valid JSON Schema, or is too large to be safe." },
  SCHEMA_UNCONVERTIBLE: { status: 400, sentence: "A Standard Schema cannot describe itself as JSON Schema." },
} as const;

export type SchemaErrorCode = keyof typeof schemaErrorCodes;

const codes: ReadonlySet<unknown> = new Set<SchemaErrorCode>(["SCHEMA_INVALID", "SCHEMA_UNCONVERTIBLE"]);

/** The mark of every error of Toolrack, shared by its packages: `ToolError.is` of @toolrack/core accepts a SchemaError. */
const brand = Symbol.for("toolrack.error");

/** A schema that cannot be used. Values that do not match a schema are never thrown: they are returned as issues. */
export class SchemaError extends Error {
  override readonly name: string = "SchemaError";
  readonly code: SchemaErrorCode;
  readonly status: number = 400;
  readonly retryable: boolean = false;

  constructor(code: SchemaErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Also true for an error of another copy of this package in the same process. */
  static is(value: unknown): value is SchemaError {
    if (typeof value !== "object" || value === null || !(brand in value)) return false;
    return codes.has((value as { code?: unknown }).code);
  }
}
