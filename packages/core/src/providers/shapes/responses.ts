import type { WireShapes } from "./shapes.ts";

/** OpenAI Responses. */
export interface ResponsesShapes extends WireShapes {
  readonly declaration: ResponsesTool;
  readonly tool: ResponsesTool;
  readonly message: ResponsesOutput;
  readonly choice: { tool_choice: ResponsesChoice; parallel_tool_calls?: boolean };
  readonly reply: { readonly output: readonly { readonly type: string }[] } | readonly { readonly type: ResponsesItemType }[];
  readonly caller: ResponsesCaller;
  readonly search: { type: "tool_search" };
  readonly found: { type: "tool_search_output"; call_id: string; execution: "client"; status: "completed"; tools: ResponsesTool[] };
  readonly sdkIsCamelCase: false;
}

export type ResponsesCaller = "direct" | "programmatic";

export interface ResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: { [keyword: string]: unknown };
  strict: boolean;
  defer_loading?: boolean;
  allowed_callers?: ResponsesCaller[];
  output_schema?: { [keyword: string]: unknown };
}

export interface ResponsesOutput {
  type: "function_call_output";
  call_id: string;
  output: string | ResponsesPart[];
}

export type ResponsesPart = { type: "input_text"; text: string } | { type: "input_image"; image_url: string };

export type ResponsesChoice =
  | "auto"
  | "none"
  | "required"
  | { type: "function"; name: string }
  | { type: "allowed_tools"; mode: "auto" | "required"; tools: { [key: string]: unknown }[] };

/** The events of a stream are named "response.…"; the others are items of an output. */
export type ResponsesItemType =
  | `response.${string}`
  | `${string}_call`
  | `${string}_output`
  | `mcp_${string}`
  | "error"
  | "keepalive"
  | "message"
  | "reasoning"
  | "program"
  | "compaction"
  | "additional_tools";
