import type { CallAnswer, ProgramResult } from "@toolrack/code";
import { type ToolDefinition, ToolError, type ToolResult } from "@toolrack/core";
import { signatureOf } from "./signature.ts";
import type { ProgramOutcome } from "./programs.ts";

/** What a finished program answers, with what its value and logs carry. Throws where it failed. */
export function toOutcome(result: ProgramResult, labels: readonly string[]): ProgramOutcome {
  const { logs, warnings } = result;
  if (!result.ok) {
    const { kind, message } = result.error;
    const nothingRan = kind === "syntax" || kind === "unsupported";
    throw new ToolError(nothingRan ? "INPUT_INVALID" : "TOOL_FAILED", withLogs(message, logs));
  }
  return {
    value: result.value,
    ...(logs.length > 0 && { logs: logs.map(({ text }) => text) }),
    ...(labels.length > 0 && { labels }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** What a program wrote before it failed helps whoever wrote it. */
function withLogs(message: string, logs: ProgramResult["logs"]): string {
  if (logs.length === 0) return message;
  const last = logs.slice(-maxLogs).map(({ text }) => text.slice(0, maxLogText));
  return `${message}\nLogged before that:\n${last.join("\n")}`;
}

const maxLogs = 20;
const maxLogText = 500;

/**
 * The result of a call as a program gets it: its data, else its text. A failure is thrown in the program as a ToolError; for wrong input
 * it says how the tool is called.
 */
export function toAnswer(callId: string, result: ToolResult, toolOf: () => ToolDefinition | undefined): CallAnswer {
  if (result.ok) return { callId, result: result.data === undefined ? result.content : result.data };
  const { error, code, retryable } = result;
  const tool = code === "INPUT_INVALID" ? toolOf() : undefined;
  const message = tool === undefined ? error : `${error}\nSignature: ${signatureOf(tool, { comments: true })}`;
  return { callId, error: { message, code, retryable } };
}

/** What was thrown by a function of the server itself. */
export function failureOf(thrown: unknown): { readonly message: string; readonly code: string; readonly retryable: boolean } {
  const code = (thrown as { readonly code?: unknown } | undefined)?.code;
  return {
    message: thrown instanceof Error ? thrown.message : String(thrown),
    code: typeof code === "string" ? code : "TOOL_FAILED",
    retryable: false,
  };
}
