import type { ChatImageMessage, ChatTool, ChatToolMessage } from "./chat.ts";
import type { PlainShapes } from "./shapes.ts";

/** Cohere v2, in the spelling of its API. Replies are read in both spellings. */
export interface CohereShapes extends Omit<PlainShapes, "sdkIsCamelCase"> {
  readonly declaration: ChatTool;
  readonly tool: ChatTool;
  readonly message: ChatToolMessage | ChatImageMessage;
  readonly choice: { tool_choice?: "REQUIRED" | "NONE" };
  readonly reply: { readonly message: object } | CohereMessage | readonly CohereEvent[];
  readonly sdkIsCamelCase: true;
}

export interface CohereMessage {
  readonly role: "assistant";
  readonly toolCalls?: readonly object[] | undefined;
  readonly tool_calls?: readonly object[] | undefined;
  readonly toolPlan?: string | undefined;
  readonly tool_plan?: string | undefined;
}

export interface CohereEvent {
  readonly type: `${"message" | "content" | "citation"}-${"start" | "delta" | "end"}` | `tool-${string}` | "debug";
}
