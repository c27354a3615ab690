import type { ImageType, ObjectRootSchema, WireShapes } from "./shapes.ts";

/** Anthropic Messages. */
export interface AnthropicShapes extends WireShapes {
  readonly declaration: AnthropicTool;
  readonly tool: AnthropicTool;
  readonly message: AnthropicMessage;
  readonly choice: { tool_choice: AnthropicChoice };
  readonly reply: AnthropicReply | readonly AnthropicEvent[];
  readonly caller: AnthropicCaller;
  readonly search: { type: "tool_search_tool_bm25_20251119"; name: "tool_search_tool_bm25" };
  readonly found: { type: "tool_result"; tool_use_id: string; content: { type: "tool_reference"; tool_name: string }[] };
  readonly sdkIsCamelCase: false;
}

export type AnthropicCaller = "direct" | "code_execution_20250825" | "code_execution_20260120" | "code_execution_20260521";

export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: ObjectRootSchema;
  strict?: boolean;
  input_examples?: { [key: string]: unknown }[];
  defer_loading?: boolean;
  allowed_callers?: AnthropicCaller[];
}

export interface AnthropicMessage {
  role: "user";
  content: AnthropicResult[];
}

export interface AnthropicResult {
  type: "tool_result";
  tool_use_id: string;
  content: string | AnthropicBlock[];
  is_error?: boolean;
}

export type AnthropicBlock =
  | { type: "text"; text: string }
  | { type: "image"; source: { type: "base64"; media_type: ImageType; data: string } };

export type AnthropicChoice =
  | { type: "auto" | "any"; disable_parallel_tool_use?: boolean }
  | { type: "tool"; name: string; disable_parallel_tool_use?: boolean }
  | { type: "none" };

/** A message, whole. */
export interface AnthropicReply {
  readonly content: string | readonly object[];
}

/** An event of a streamed message. */
export interface AnthropicEvent {
  readonly type: `message_${"start" | "delta" | "stop"}` | `content_block_${"start" | "delta" | "stop"}` | "ping" | "error";
}
