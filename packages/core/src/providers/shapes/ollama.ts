import type { ChatTool } from "./chat.ts";
import type { PlainShapes } from "./shapes.ts";

/** Ollama. */
export interface OllamaShapes extends PlainShapes {
  readonly declaration: ChatTool;
  readonly tool: ChatTool;
  readonly message: OllamaMessage;
  /** Ollama's chat request has no such field. */
  readonly choice: Record<never, never>;
  readonly reply: OllamaReply | OllamaAssistant | readonly OllamaReply[];
}

export interface OllamaMessage {
  role: "tool";
  tool_name: string;
  content: string;
  images?: string[];
}

export interface OllamaReply {
  readonly message: object;
}

export interface OllamaAssistant {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly object[];
}
