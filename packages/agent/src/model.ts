import type { ExportedTools, ProviderTarget, ToolChoice } from "@toolrack/core/vendors";
import type { AssistantMessage, Message, Usage } from "./message.ts";

/** A language model behind one interface: a vendor's API, a local one, or a script for tests. */
export interface Model {
  readonly name: string;
  /** The vendor whose form the tools are exported in. */
  readonly target: ProviderTarget;
  readonly contextTokens?: number;
  /** Whether a request can say how much it thinks. @default false */
  readonly canThink?: boolean;
  /** Never throws. The last event is always "end". */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

/** How much a model thinks before it answers. */
export const thinkingLevels = ["off", "low", "medium", "high"] as const;
export type Thinking = (typeof thinkingLevels)[number];

export interface ModelRequest {
  readonly instructions: string;
  readonly messages: readonly Message[];
  /** Undefined: no tools are offered. */
  readonly tools?: ExportedTools;
  readonly choice?: ToolChoice;
  readonly maxOutputTokens?: number;
  /** How much the model thinks before it answers. @default as the vendor has it */
  readonly thinking?: Thinking;
  readonly signal: AbortSignal;
}

export type ModelEvent = { readonly type: "text"; readonly text: string } | { readonly type: "thinking"; readonly text: string } | ModelEnd;

/**
 * Why the model stopped: it was finished, wants tools called, was cut by its length limit, refused, was cancelled by the signal, or failed
 * (the connection was lost, the vendor answered with an error).
 */
export type StopReason = "finished" | "calls" | "length" | "refused" | "cancelled" | "failed";

export interface ModelEnd {
  readonly type: "end";
  /** What came until then; after a failure it may be incomplete, and its calls are not run. */
  readonly message: AssistantMessage;
  readonly stop: StopReason;
  readonly usage: Usage;
  readonly failure?: ModelFailure;
}

export interface ModelFailure {
  /** Names the model, the fact and the next step; no keys, no tokens in URLs. */
  readonly message: string;
  /** True if the same request may succeed later and no event came before it failed. */
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly status?: number;
}
