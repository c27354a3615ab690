import type { ContentBlock, ToolResult } from "@toolrack/core";
import type { ToolCall } from "@toolrack/core/vendors";

/** Who a message comes from, written by whoever keeps the session and never by the message itself. */
export interface MessageOrigin {
  readonly kind: "person" | "session" | "schedule" | "webhook" | "agent" | "system";
  /** Who exactly: a key of a session, a name of a schedule, a principal. */
  readonly id?: string;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of `inputTokens` that the vendor read from its cache. */
  readonly cachedTokens?: number;
  readonly costUsd?: number;
}

/** What one vendor wants back unchanged: signatures of thoughts, reasoning items. Left out for any other vendor. */
export interface RawItems {
  readonly vendor: string;
  readonly items: readonly unknown[];
}

export interface UserMessage {
  readonly role: "user";
  readonly content: string;
  readonly blocks?: readonly ContentBlock[];
  readonly from: MessageOrigin;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: string;
  /** With the tools' own names. */
  readonly calls: readonly ToolCall[];
  readonly usage?: Usage;
  readonly raw?: RawItems;
}

/** The answers to all calls of the assistant message before it, in their order. */
export interface ToolMessage {
  readonly role: "tool";
  readonly results: readonly ToolResult[];
}

/** Stands for all messages up to `upTo`, which stay stored. */
export interface SummaryMessage {
  readonly role: "summary";
  readonly content: string;
  readonly upTo: number;
}

export type Message = UserMessage | AssistantMessage | ToolMessage | SummaryMessage;
