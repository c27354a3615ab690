import { defineTool, type ToolResult } from "@toolrack/core";
import { exportTools, type ExportedTools, type ProviderTarget, type ToolCall } from "@toolrack/core/vendors";
import type { AssistantMessage, Message, UserMessage } from "../../src/message.ts";
import type { ModelRequest } from "../../src/model.ts";

const inputSchema = { type: "object", properties: { path: { type: "string", description: "Where." } }, required: ["path"] } as const;

/** Two tools, one of them with a name that most vendors do not take. */
export const tools = [
  defineTool({ name: "files.read", description: "Reads a file.", inputSchema, handler: () => "text" }),
  defineTool({ name: "list", description: "Lists a folder.", inputSchema, handler: () => "names" }),
];

export function exported(target: ProviderTarget): ExportedTools {
  return exportTools(tools, target) as ExportedTools;
}

/** The vendor's name of a tool. */
export function wireName(from: ExportedTools, own: string): string {
  return Object.entries(from.names).find(([, name]) => name === own)![0];
}

export function user(content: string, blocks?: UserMessage["blocks"]): UserMessage {
  return { role: "user", content, from: { kind: "person" }, ...(blocks && { blocks }) };
}

export function request(messages: readonly Message[], rest: Partial<ModelRequest> = {}): ModelRequest {
  return { instructions: "Be brief.", messages, signal: new AbortController().signal, ...rest };
}

export function succeeded(content: string, rest: Partial<Extract<ToolResult, { ok: true }>> = {}): ToolResult {
  return { ok: true, content, meta: { callId: "c", tool: "t", durationMs: 1 }, ...rest };
}

export function failed(error: string): ToolResult {
  return { ok: false, error, code: "TOOL_FAILED", status: 500, retryable: false, meta: { callId: "c", tool: "t", durationMs: 1 } };
}

export function called(...calls: readonly (readonly [id: string, name: string, input: unknown])[]): AssistantMessage {
  return {
    role: "assistant",
    content: "",
    calls: calls.map(([id, name, input]): ToolCall => ({ id, name, wireName: "of-another-vendor", input })),
  };
}

/** One pixel. */
export const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
export const image = { type: "image", mimeType: "image/png", data: pixel } as const;
