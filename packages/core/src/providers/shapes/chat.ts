import type { PlainShapes } from "./shapes.ts";

/** OpenAI's Chat Completions, and the vendors that took them over. */
export interface ChatShapes extends PlainShapes {
  readonly declaration: ChatTool;
  readonly tool: ChatTool;
  readonly message: ChatToolMessage | ChatImageMessage;
  readonly choice: { tool_choice: ChatChoice; parallel_tool_calls?: boolean };
  readonly reply: ChatReply | ChatMessage | readonly ChatChunk[];
}

export interface ChatTool {
  type: "function";
  function: { name: string; description: string; parameters: { [keyword: string]: unknown }; strict?: boolean };
}

export interface ChatToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

/** A tool message holds only text, so images follow in a message of the user. */
export interface ChatImageMessage {
  role: "user";
  content: ({ type: "text"; text: string } | { type: "image_url"; image_url: { url: string } })[];
}

export type ChatChoice = "auto" | "none" | "required" | ChatNamedChoice | ChatAllowedTools;

export interface ChatNamedChoice {
  type: "function";
  function: { name: string };
}

export interface ChatAllowedTools {
  type: "allowed_tools";
  allowed_tools: { mode: "auto" | "required"; tools: { [key: string]: unknown }[] };
}

export interface ChatReply {
  readonly choices: readonly { readonly message: object }[];
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: string | null | readonly { readonly type: "text" | "refusal" }[];
  readonly tool_calls?: readonly object[] | null;
}

export interface ChatChunk {
  readonly choices: readonly { readonly delta: object }[];
}
