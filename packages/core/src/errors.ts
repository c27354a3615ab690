import { schemaErrorCodes } from "@toolrack/json-schema";

/** The codes that are about tools; those about schemas come from @toolrack/json-schema. */
const toolErrorCodes = {
  // Mistakes in a definition: thrown, because they are bugs.
  DEFINITION_INVALID: { status: 400, sentence: "A tool definition has a wrong or missing field." },
  NAME_INVALID: { status: 400, sentence: "A name must be 1 to 128 of the characters A-Z a-z 0-9 _ . -" },
  NAME_TAKEN: { status: 409, sentence: "Another tool already has this name." },
  CAPABILITY_UNKNOWN: { status: 400, sentence: "No check exists for a capability that a tool requires." },
  BUNDLE_INVALID: { status: 400, sentence: "A bundle has a wrong or missing field." },
  CONFIG_INVALID: { status: 400, sentence: "A configuration has a wrong key or value." },
  POLICY_INVALID: { status: 400, sentence: "A policy has a wrong key or value." },
  PLUGIN_INVALID: { status: 400, sentence: "A plugin cannot be loaded." },
  SOURCE_FAILED: { status: 502, sentence: "A source of tools failed." },
  // Outcomes of a call: returned, because calls fail in ordinary ways.
  TOOL_NOT_FOUND: { status: 404, sentence: "No tool has this name." },
  TOOL_NOT_ALLOWED: { status: 403, sentence: "The caller's policy hides this tool." },
  TOOL_DISABLED: { status: 403, sentence: "This tool is switched off." },
  TOOL_UNAVAILABLE: { status: 503, sentence: "Something that this tool needs is missing on this machine." },
  NEEDS_CONFIGURATION: { status: 409, sentence: "This tool has a required setting or secret that is not set." },
  INPUT_INVALID: { status: 400, sentence: "The input does not match the tool's schema." },
  OUTPUT_INVALID: { status: 502, sentence: "The tool's output does not match its output schema." },
  RESULT_INVALID: { status: 502, sentence: "The tool returned something that cannot be a result." },
  RESULT_TOO_LARGE: { status: 502, sentence: "The tool's result is larger than its limit." },
  PATH_OUTSIDE_WORKSPACE: { status: 403, sentence: "A path leads outside of the workspace." },
  BLOCKED: { status: 403, sentence: "A before-call hook blocked the call." },
  APPROVAL_REQUIRED: { status: 403, sentence: "A person must approve this call first." },
  APPROVAL_DENIED: { status: 403, sentence: "A person denied this call." },
  ANSWER_UNAVAILABLE: { status: 403, sentence: "The tool has to ask a person, and nobody can be asked." },
  RATE_LIMITED: { status: 429, sentence: "Too many calls in this period." },
  BUDGET_EXCEEDED: { status: 429, sentence: "The run has made all calls that it may make." },
  LOOP_DETECTED: { status: 429, sentence: "The same call was repeated with the same result." },
  QUEUE_FULL: { status: 429, sentence: "Too many calls are already waiting for this tool." },
  CIRCUIT_OPEN: { status: 503, sentence: "The tool failed repeatedly and is not called for now." },
  CALL_NOT_RECORDED: { status: 503, sentence: "The start of the call could not be recorded, so the tool did not run." },
  DEPTH_EXCEEDED: { status: 508, sentence: "Tools called tools in more levels than allowed." },
  OUTCOME_UNKNOWN: { status: 409, sentence: "The server that made this call is gone; it is not known whether the tool did its work." },
  ABORTED: { status: 499, sentence: "The call was cancelled before it ended: by its caller, or because the server shut down." },
  TIMEOUT: { status: 504, sentence: "The tool did not finish in time." },
  SECRET_MISSING: { status: 409, sentence: "A secret that the tool needs is not set, or the tool does not declare it." },
  STORE_UNAVAILABLE: { status: 503, sentence: "The database that the call needs is not available at the moment." },
  TOOL_FAILED: { status: 500, sentence: "The tool threw an error." },
} as const;

/** Every code once: the HTTP status it maps to, and the sentence that the reference page prints. */
export const errorCodes: typeof schemaErrorCodes & typeof toolErrorCodes = { ...schemaErrorCodes, ...toolErrorCodes };

export type ErrorCode = keyof typeof errorCodes;

/** Codes of calls that fail before a handler does anything, or that have to be repeated with a person's answer. */
export const refusalCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "TOOL_NOT_FOUND",
  "TOOL_NOT_ALLOWED",
  "TOOL_DISABLED",
  "TOOL_UNAVAILABLE",
  "NEEDS_CONFIGURATION",
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
    this.status = errorCodes[code].status;
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
