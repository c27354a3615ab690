import type { Json, PlainShapes } from "./shapes.ts";

/** Bedrock Converse. */
export interface BedrockShapes extends PlainShapes {
  readonly declaration: BedrockTool;
  readonly tool: BedrockTool;
  readonly message: BedrockMessage;
  /** Goes into `toolConfig`, beside the tools. */
  readonly choice: { toolChoice?: { auto: object } | { any: object } | { tool: { name: string } } };
  readonly reply: BedrockReply | BedrockAssistant | readonly BedrockEvent[];
}

export interface BedrockTool {
  toolSpec: { name: string; description: string; inputSchema: { json: Json }; strict?: boolean };
}

export interface BedrockMessage {
  role: "user";
  content: { toolResult: { toolUseId: string; content: BedrockContent[]; status: "success" | "error" } }[];
}

export type BedrockContent = { text: string } | { json: Json } | { image: BedrockImage };

export interface BedrockImage {
  format: "png" | "jpeg" | "gif" | "webp";
  source: { bytes: Uint8Array };
}

export interface BedrockReply {
  readonly output: { readonly message?: object } | undefined;
}

/** Blocks have no `type` here. */
export interface BedrockAssistant {
  readonly role: string | undefined;
  readonly content: readonly { readonly text?: string; readonly toolUse?: object; readonly type?: never }[] | undefined;
}

export interface BedrockEvent {
  readonly messageStart?: object;
  readonly contentBlockStart?: object;
  readonly contentBlockDelta?: object;
  readonly contentBlockStop?: object;
  readonly messageStop?: object;
  readonly metadata?: object;
}
