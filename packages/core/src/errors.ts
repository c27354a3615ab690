/** The HTTP status of every code. What each code means is in `error-codes.ts`, which only those load who print it. */
export const errorStatus = {
  // Mistakes in a schema: thrown by @toolrack/json-schema.
  SCHEMA_INVALID: 400,
  SCHEMA_UNCONVERTIBLE: 400,
  // Mistakes in a definition: thrown, because they are bugs.
  DEFINITION_INVALID: 400,
  NAME_INVALID: 400,
  NAME_TAKEN: 409,
  CAPABILITY_UNKNOWN: 400,
  SERVICE_MISSING: 409,
  BUNDLE_INVALID: 400,
  CONFIG_INVALID: 400,
  REPLY_INVALID: 400,
  POLICY_INVALID: 400,
  PLUGIN_INVALID: 400,
  SOURCE_FAILED: 502,
  // Outcomes of a call: returned, because calls fail in ordinary ways.
  TOOL_NOT_FOUND: 404,
  TOOL_NOT_ALLOWED: 403,
  TOOL_DISABLED: 403,
  TOOL_HELD: 403,
  TOOL_UNAVAILABLE: 503,
  NEEDS_CONFIGURATION: 409,
  INPUT_INVALID: 400,
  OUTPUT_INVALID: 502,
  RESULT_INVALID: 502,
  RESULT_TOO_LARGE: 502,
  PATH_OUTSIDE_WORKSPACE: 403,
  BLOCKED: 403,
  APPROVAL_REQUIRED: 403,
  APPROVAL_DENIED: 403,
  ANSWER_UNAVAILABLE: 403,
  RATE_LIMITED: 429,
  BUDGET_EXCEEDED: 429,
  LOOP_DETECTED: 429,
  QUEUE_FULL: 429,
  CIRCUIT_OPEN: 503,
  CALL_NOT_RECORDED: 503,
  DEPTH_EXCEEDED: 508,
  OUTCOME_UNKNOWN: 409,
  WORKER_LOST: 502,
  ABORTED: 499,
  TIMEOUT: 504,
  SECRET_MISSING: 409,
  STORE_UNAVAILABLE: 503,
  TOOL_FAILED: 500,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Codes of calls that fail before a handler does anything, or that have to be repeated with a person's answer. */
export const refusalCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "TOOL_NOT_FOUND",
  "TOOL_NOT_ALLOWED",
  "TOOL_DISABLED",
  "TOOL_HELD",
  "TOOL_UNAVAILABLE",
  "NEEDS_CONFIGURATION",
  "SERVICE_MISSING",
  "INPUT_INVALID",
  "PATH_OUTSIDE_WORKSPACE",
  "BLOCKED",
  "APPROVAL_REQUIRED",
  "APPROVAL_DENIED",
  "RATE_LIMITED",
  "BUDGET_EXCEEDED",
  "LOOP_DETECTED",
  "QUEUE_FULL",
  "CIRCUIT_OPEN",
  "CALL_NOT_RECORDED",
  "DEPTH_EXCEEDED",
]);

const brand = Symbol.for("toolrack.error"); // survives two copies of the package in one process

/** A mistake or a failure with a code. Its message names the thing, the fact and the next step. */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
  readonly code: ErrorCode;
  readonly status: number;
  /** Whether the same call may succeed later; the retry wrapper uses only this. */
  readonly retryable: boolean;
  /** How long to wait before trying again, if known. */
  declare readonly retryAfterMs?: number;

  constructor(code: ErrorCode, message: string, options?: ToolErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = errorStatus[code];
    this.retryable = options?.retryable ?? options?.retryAfterMs !== undefined;
    if (options?.retryAfterMs !== undefined) Object.assign(this, { retryAfterMs: options.retryAfterMs });
    Object.defineProperty(this, brand, { value: true });
  }

  static is(value: unknown): value is ToolError {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/** Set on errors of a part that calls depend on, such as a store, that is not available at the moment: the call fails with 503. */
export const outageMark: unique symbol = Symbol.for("toolrack.outage") as never;

export interface Outage extends Error {
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
}

export function isOutage(value: unknown): value is Outage {
  return typeof value === "object" && value !== null && outageMark in value;
}

export interface ToolErrorOptions extends ErrorOptions {
  /** @default true if `retryAfterMs` is given, else false */
  retryable?: boolean;
  retryAfterMs?: number;
}

/** Thrown by a handler for input that its schema cannot exclude: the call fails with 400. */
export class ToolInputError extends ToolError {
  override readonly name: string = "ToolInputError";
  constructor(message: string, options?: ToolErrorOptions & { code?: ErrorCode }) {
    super(options?.code ?? "INPUT_INVALID", message, options);
  }
}

/** Thrown by a handler for a caller who may not do this: the call fails with 403. */
export class ToolAuthorizationError extends ToolInputError {
  override readonly name: string = "ToolAuthorizationError";
  constructor(message: string, options?: ToolErrorOptions) {
    super(message, { ...options, code: "TOOL_NOT_ALLOWED" });
  }
}
