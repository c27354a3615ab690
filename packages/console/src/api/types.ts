import type { Caller, JsonSchema } from "@toolrack/server";

// What the console reads of the API's answers. The server's own schemas say the whole of it: /openapi.json.

export type {
  AgentInfo,
  Caller,
  Issue,
  JsonSchema,
  PolicyMatrix,
  ToolDetails,
  ToolExplanation,
  ToolResult,
  ToolState,
  ToolSuccess,
  ToolSummary,
} from "@toolrack/server";

export interface StoredCall {
  readonly number: number;
  readonly callId: string;
  readonly tool: string;
  readonly ok: boolean;
  readonly code?: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly caller: Caller;
  readonly parentCallId?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: { readonly message?: string };
  readonly children?: readonly StoredCall[];
}

export interface Usage {
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
  readonly tools: readonly ToolUsage[];
}

export interface ToolUsage {
  readonly tool: string;
  readonly calls: number;
  readonly errors: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly buckets: readonly {
    readonly at: number;
    readonly calls: number;
    readonly errors: number;
    readonly p50Ms: number;
    readonly p95Ms: number;
  }[];
}

/** A call that waits for a person. */
export interface WaitingCall {
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  readonly message: string;
  readonly input: unknown;
  readonly digest: string;
  readonly schema?: JsonSchema;
  readonly caller: Caller;
  readonly askedAt: number;
  /** In a list: something was cut. */
  readonly isCut?: true;
}
