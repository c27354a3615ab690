import { type CallRecord, type Caller, type ContentBlock, errorCodes, type ToolFailure } from "@toolrack/core";
import type { AuditRow } from "../engine/audit.ts";
import { toIso } from "../store/clock.ts";
import type { BreadcrumbDraft } from "../record/breadcrumb.ts";

/** What the log stores of a call beside its columns. */
export interface CallBody {
  readonly startedAt: number;
  /** How long it waited for people. The column has the duration without that, so that percentiles tell how fast tools are. */
  readonly waitedMs?: number;
  readonly caller: Caller;
  readonly input: unknown;
  readonly version?: string;
  readonly parentCallId?: string;
  /** Where the tool comes from and what it is called there, if it has another name or form here: "mcp:github/create_issue". */
  readonly upstream?: string;
  /** What was known of the arguments, by JSON Pointer: { "/to": ["untrusted"] }. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** Who got the result, if not the model alone. */
  readonly deliver?: NonNullable<CallRecord["deliver"]>;
  readonly output?: unknown;
  /** Images and the like of a result for the user, who sees them by this log. */
  readonly blocks?: readonly ContentBlock[] | CutText;
  readonly error?: ErrorDetails;
}

/** What the log has of a value that is too large for it. */
export interface CutText {
  readonly truncated: true;
  readonly characters: number;
  readonly beginning: string;
}

export function isCutText(value: unknown): value is CutText {
  if (typeof value !== "object" || value === null) return false;
  const { truncated, characters, beginning } = value as Partial<CutText>;
  return truncated === true && typeof characters === "number" && typeof beginning === "string" && Object.keys(value).length === 3;
}

/** A failure, for diagnosis. */
export interface ErrorDetails {
  /** "timeout", "validation", "configuration" … */
  readonly type: string;
  readonly severity: "low" | "medium" | "high";
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly retryable: boolean;
  /** Where the tool threw. */
  readonly stack?: string;
}

/** A call that began, and has no recorded end. */
export interface RunningCall {
  readonly callId: string;
  readonly tool: string;
  /** The server that runs or ran it. */
  readonly server: string;
  readonly startedAt: number;
  readonly caller: Caller;
  readonly input: unknown;
  readonly parentCallId?: string;
}

/** A call, as it is read from the log. */
export interface StoredCall extends CallBody {
  readonly number: number;
  readonly callId: string;
  readonly tool: string;
  readonly ok: boolean;
  readonly code?: string;
  /** From beginning to end, with the time that it waited for people. */
  readonly durationMs: number;
}

export type CallRow = Pick<AuditRow, "number" | "subject" | "callId" | "ok" | "code" | "durationMs" | "body">;

export function toStoredCall(row: CallRow): StoredCall {
  const body = JSON.parse(row.body) as CallBody;
  return {
    number: row.number,
    callId: row.callId ?? "",
    tool: row.subject,
    ok: row.ok === 1,
    ...(row.code !== null && { code: row.code }),
    durationMs: (row.durationMs ?? 0) + (body.waitedMs ?? 0),
    ...body,
  };
}

export function toErrorDetails({ code, status, retryable }: ToolFailure, message: string, stack?: string): ErrorDetails {
  const severity = status >= 500 && !retryable ? "high" : status >= 500 || status === 429 ? "medium" : "low";
  return { type: types.get(code) ?? "execution", severity, code, status, message, retryable, ...(stack !== undefined && { stack }) };
}

/** The recorded error of a call whose server stopped, or lost its lease, before the call ended. */
export const abandoned: ErrorDetails = Object.freeze({
  type: "abandoned",
  severity: "high",
  code: "ABORTED",
  status: errorCodes.ABORTED.status,
  message:
    "The server that ran this call ended, or was out of contact for longer than its lease. Whether the tool did its work is not known.",
  retryable: false,
});

const types: ReadonlyMap<string, string> = new Map([
  ["TIMEOUT", "timeout"],
  ["ABORTED", "cancelled"],
  ["INPUT_INVALID", "validation"],
  ["OUTPUT_INVALID", "validation"],
  ["TOOL_NOT_FOUND", "not-found"],
  ["TOOL_NOT_ALLOWED", "permission"],
  ["APPROVAL_REQUIRED", "permission"],
  ["APPROVAL_DENIED", "permission"],
  ["BLOCKED", "permission"],
  ["NEEDS_CONFIGURATION", "configuration"],
  ["SECRET_MISSING", "configuration"],
  ["SERVICE_MISSING", "configuration"],
  ["TOOL_UNAVAILABLE", "unavailable"],
  ["CIRCUIT_OPEN", "unavailable"],
  ["RATE_LIMITED", "limit"],
  ["BUDGET_EXCEEDED", "limit"],
  ["QUEUE_FULL", "limit"],
]);

/** The call as the records that other systems exchange: a request, and its response or error. */
export function toCallRecords(call: StoredCall): readonly [BreadcrumbDraft, BreadcrumbDraft] {
  const { callId, tool, caller, input, output, error, durationMs, version, parentCallId, startedAt } = call;
  const request: BreadcrumbDraft = {
    id: `request-${callId}`,
    schema_name: "tool.request.v1",
    title: `Request of ${tool}`,
    tags: ["workspace:tools", "tool:request"],
    context: {
      tool,
      input,
      requestId: callId,
      requestedBy: caller.agent ?? null,
      timestamp: toIso(startedAt),
      ...(version !== undefined && { version }),
      ...(parentCallId !== undefined && { parent: parentCallId }),
    },
  };
  const answer = {
    request_id: callId,
    tool,
    execution_time_ms: durationMs,
    requestedBy: caller.agent ?? null,
    timestamp: toIso(startedAt + durationMs),
  };
  const response: BreadcrumbDraft = {
    id: `response-${callId}`,
    schema_name: error === undefined ? "tool.response.v1" : "tool.error.v1",
    title: `${error === undefined ? "Response" : "Error"} of ${tool}`,
    tags: ["workspace:tools", error === undefined ? "tool:response" : "tool:error", `request:${callId}`],
    context: error === undefined ? { ...answer, status: "success", output: output ?? null } : { ...answer, status: "error", error, input },
  };
  return [request, response];
}
