import type { ChatNamedChoice, ChatTool } from "./chat.ts";
import type { PlainShapes } from "./shapes.ts";

/** Mistral, in the spelling of its API. Replies are read in both spellings. */
export interface MistralShapes extends Omit<PlainShapes, "sdkIsCamelCase"> {
  readonly declaration: ChatTool;
  readonly tool: ChatTool;
  readonly message: MistralMessage;
  readonly choice: { tool_choice: "auto" | "none" | "any" | ChatNamedChoice; parallel_tool_calls?: boolean };
  readonly reply: MistralReply | MistralAssistant | readonly (MistralChunk | { readonly data: MistralChunk })[];
  readonly sdkIsCamelCase: true;
}

export interface MistralMessage {
  role: "tool";
  tool_call_id: string;
  name: string;
  content: string | ({ type: "text"; text: string } | { type: "image_url"; image_url: string })[];
}

export interface MistralReply {
  readonly choices: readonly { readonly message?: object | undefined }[];
}

export interface MistralAssistant {
  readonly role?: "assistant" | undefined;
  readonly prefix?: boolean | undefined;
  readonly toolCalls?: readonly object[] | null | undefined;
  readonly tool_calls?: readonly object[] | null | undefined;
}

export interface MistralChunk {
  readonly choices: readonly { readonly delta: object }[];
}
