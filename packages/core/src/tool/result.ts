import type { Issue } from "@toolrack/json-schema";
import { type ErrorCode, errorStatus, isOutage, refusalCodes, ToolError } from "../errors.ts";
import { isPlainData } from "./plain-data.ts";
import { withFetchCause } from "../util/fetch-cause.ts";

/** The result of every call. `content` is accessible only after checking `ok`. */
export type ToolResult<Output = unknown> = ToolSuccess<Output> | ToolFailure;

export interface ToolSuccess<Output = unknown> {
  readonly ok: true;
  /** The text a model reads. Data is shown as JSON. */
  readonly content: string;
  readonly blocks?: readonly ContentBlock[];
  /** The machine-readable value, if the handler returned one. */
  readonly data?: Output;
  readonly effects?: readonly Effect[];
  readonly meta: CallMeta;
}

export interface ToolFailure {
  readonly ok: false;
  /** Names the thing, the fact and the next step. */
  readonly error: string;
  readonly code: ErrorCode;
  readonly status: number;
  readonly issues?: readonly Issue[];
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** For APPROVAL_REQUIRED: what the person has to decide on. */
  readonly approval?: ApprovalTicket;
  readonly meta: CallMeta;
}

export interface ApprovalTicket {
  readonly tool: string;
  /** Binds an answer to exactly these arguments. */
  readonly digest: string;
  readonly reason?: string;
}

export interface CallMeta {
  readonly callId: string;
  readonly tool: string;
  readonly version?: string;
  /** From beginning to end, with the time that it waited for people. */
  readonly durationMs: number;
  /** How long it waited for people: for approval, and for answers to its questions. */
  readonly waitedMs?: number;
  readonly attempts?: number;
  readonly repairs?: readonly string[];
  readonly warnings?: readonly string[];
  readonly parentCallId?: string;
}

export type ContentBlock =
  | ({ readonly type: "text"; readonly text: string } & BlockFacts)
  | ({ readonly type: "json"; readonly data: unknown } & BlockFacts)
  | ({ readonly type: "image"; readonly data: string; readonly mimeType: string } & BlockFacts)
  | ({ readonly type: "audio"; readonly data: string; readonly mimeType: string } & BlockFacts)
  | ({
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly mimeType?: string;
      readonly description?: string;
      readonly title?: string;
      readonly size?: number;
    } & BlockFacts);

/** What MCP says of a block besides its content; clients of MCP get it. */
export interface BlockFacts {
  /** Such as `{ audience: ["user"], priority: 0.5 }`. */
  readonly annotations?: Readonly<Record<string, unknown>>;
  /** The resource that the block is the content of. */
  readonly resource?: Readonly<Record<string, unknown>> & { readonly uri: string };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Something a call changed in the world: { kind: "file", action: "write", target: "notes.md" }. */
export interface Effect {
  readonly kind: string;
  readonly action: string;
  readonly target: string;
}

/** A result as a handler writes it: the runner adds `meta`, and the fields that follow from the code. */
export type HandlerResult<Output = unknown> =
  | {
      readonly ok: true;
      readonly content: string;
      readonly blocks?: readonly ContentBlock[];
      readonly data?: Output;
      readonly effects?: readonly Effect[];
    }
  | { readonly ok: false; readonly error: string; readonly code?: ErrorCode; readonly retryable?: boolean; readonly retryAfterMs?: number };

/** A result as a server of MCP writes it. */
export interface McpResult<Output = unknown> {
  readonly content: readonly (ContentBlock | { readonly type: "resource"; readonly resource: Readonly<Record<string, unknown>> })[];
  readonly structuredContent?: Output;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Text, plain data, content blocks, a full result, a result of MCP, an error, or a stream that is told as progress. */
export type HandlerReturn<Output = unknown> =
  | string
  | Output
  | readonly ContentBlock[]
  | HandlerResult<Output>
  | McpResult<Output>
  | Error
  | AsyncIterable<unknown>;

/** The form of systems that report success: { success, data, error, execution_time_ms }. */
export interface StructuredResult<Output = unknown> {
  readonly success: boolean;
  readonly data: Output | string | null;
  readonly error: string | null;
  readonly execution_time_ms: number;
}

/** A result without data carries its text as data, so nothing is lost. */
export function toStructured<Output>(result: ToolResult<Output>): StructuredResult<Output> {
  if (typeof result?.ok !== "boolean" || typeof result.meta !== "object")
    throw new ToolError("CONFIG_INVALID", "toStructured must be given the result of a call: await registry.invoke(name, input).");
  return result.ok
    ? {
        success: true,
        data: result.data === undefined ? result.content : result.data,
        error: null,
        execution_time_ms: result.meta.durationMs,
      }
    : { success: false, data: null, error: result.error, execution_time_ms: result.meta.durationMs };
}

/** The result that text, plain data or a result of a handler stand for. `readReturned` reads everything else. */
export function toResult(returned: unknown, meta: CallMeta): ToolResult {
  if (typeof returned === "string") return { ok: true, content: returned, meta };
  if (returned === undefined || returned === null) return { ok: true, content: "", meta };
  if (isHandlerResult(returned)) return completeResult(returned, meta);
  return { ok: true, content: JSON.stringify(returned), data: returned, meta };
}

/** Turns whatever was thrown into a failure: an Error's message, a string as it is, anything else described. Never throws itself. */
export function toFailure(thrown: unknown, meta: CallMeta): ToolFailure {
  const error = describeThrown(thrown);
  try {
    if (isOutage(thrown)) {
      const { retryable, retryAfterMs } = thrown;
      return failure("STORE_UNAVAILABLE", error, meta, { retryable, ...delayOf(retryAfterMs) });
    }
    if (!ToolError.is(thrown) || !Object.hasOwn(errorStatus, thrown.code)) return failure("TOOL_FAILED", error, meta);
    const { approval, retryAfterMs } = thrown as { approval?: ApprovalTicket; retryAfterMs?: number };
    return failure(thrown.code, error, meta, {
      retryable: thrown.retryable === true,
      ...(approval !== undefined && { approval }),
      ...delayOf(retryAfterMs),
    });
  } catch {
    return failure("TOOL_FAILED", error, meta);
  }
}

export function failure(code: ErrorCode, error: string, meta: CallMeta, more?: FailureDetails): ToolFailure {
  return { ok: false, error, code, status: errorStatus[code], retryable: false, ...more, meta };
}

/** A tool may say anything: what is no number of milliseconds is left out, and nobody waits longer than a day. */
function delayOf(retryAfterMs: unknown): Pick<FailureDetails, "retryAfterMs"> {
  if (typeof retryAfterMs !== "number" || !(retryAfterMs >= 0)) return {};
  return { retryAfterMs: Math.min(retryAfterMs, longestDelayMs) };
}

const longestDelayMs = 86_400_000;

/**
 * Whether the same call under the same idempotency key is made again, instead of being answered so again: it ended before its handler did
 * anything, or it was cut off and another one does nothing twice.
 */
export function leavesKeyFree(result: ToolResult): boolean {
  return !result.ok && (refusalCodes.has(result.code) || (result.code === "ABORTED" && result.retryable));
}

export type FailureDetails = Partial<Pick<ToolFailure, "issues" | "retryable" | "retryAfterMs" | "approval" | "status">>;

function completeResult(returned: HandlerResult, meta: CallMeta): ToolResult {
  if (returned.ok) {
    const { content, blocks, data, effects } = returned;
    return { ok: true, content, ...(blocks && { blocks }), ...(data !== undefined && { data }), ...(effects && { effects }), meta };
  }
  const code = returned.code !== undefined && Object.hasOwn(errorStatus, returned.code) ? returned.code : "TOOL_FAILED";
  const error = returned.error === "" ? noReason(meta, code) : returned.error;
  // A failure of another tool that is passed on still has the question for a person.
  const { approval } = returned as { approval?: ApprovalTicket };
  return failure(code, error, meta, {
    retryable: returned.retryable === true,
    ...delayOf(returned.retryAfterMs),
    ...(approval !== undefined && { approval }),
  });
}

export function noReason({ tool }: CallMeta, code: ErrorCode): string {
  return `Tool "${tool}" failed with ${code}, and gave no reason.`;
}

function isHandlerResult(value: unknown): value is HandlerResult {
  if (typeof value !== "object" || value === null || !("ok" in value)) return false;
  const { ok, content, error } = value as { ok: unknown; content?: unknown; error?: unknown };
  return (ok === true && typeof content === "string") || (ok === false && typeof error === "string");
}

/** What a model that reads only text is shown for a list of blocks. */
export function textOfBlocks(blocks: readonly ContentBlock[]): string {
  return blocks.map(textOfBlock).join("\n");
}

function textOfBlock(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "json":
      return JSON.stringify(block.data) ?? "";
    case "image":
    case "audio":
      return `[${block.type} ${block.mimeType}]`;
    case "resource_link":
      return `[${block.name}](${block.uri})`;
  }
}

/** Never throws, whatever was thrown: even an error whose `message` throws is described. */
export function describeThrown(thrown: unknown): string {
  try {
    if (typeof thrown === "string") return thrown || "The tool threw an empty text.";
    if (typeof thrown === "object" && thrown !== null) {
      const { message, name } = thrown as { message?: unknown; name?: unknown };
      if (typeof message === "string" && message !== "") return withFetchCause(message, thrown);
      if (thrown instanceof Error) return typeof name === "string" ? name : "Error";
    }
    return `The tool threw ${thrown === null ? "null" : typeof thrown !== "object" ? String(thrown) : isPlainData(thrown) ? JSON.stringify(thrown) : "an object"}.`;
  } catch {
    return "The tool threw a value that cannot be described.";
  }
}
