// What the console reads of the API's answers. The server's own schemas say the whole of it: /openapi.json.

export type ToolState = "ready" | "deprecated" | "resting" | "disabled" | "unavailable" | "needs-configuration" | "draft" | "archived";
export type JsonSchema = { readonly [keyword: string]: unknown };

export interface ToolSummary {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly version?: string;
  readonly category?: string;
  readonly optionality?: string;
  readonly tags?: readonly string[];
  readonly groups?: readonly string[];
  readonly source: string;
  readonly sourceFailed?: true;
  readonly state: ToolState;
  readonly reason?: string;
  readonly hash: string;
  readonly allowed: boolean;
  readonly asks: boolean;
  readonly annotations?: Readonly<Record<"readOnly" | "destructive" | "idempotent" | "openWorld", boolean | undefined>>;
  readonly secrets?: readonly string[];
  readonly configurable: boolean;
  readonly origin?: string;
}

export interface ToolExample {
  readonly description?: string;
  readonly input: unknown;
  readonly output?: unknown;
  readonly usage?: string;
}

export interface ToolDetails extends ToolSummary {
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly metadata?: { readonly [key: string]: unknown; readonly examples?: readonly ToolExample[]; readonly usageHint?: string };
  readonly wrappers?: readonly string[];
  readonly explanation: Explanation;
}

export interface Explanation {
  readonly name: string;
  readonly known: boolean;
  readonly allowed: boolean;
  readonly decision?: {
    readonly ask?: unknown;
    readonly reason?: string;
    readonly label?: string;
    readonly entry?: string;
    readonly source?: string;
  };
  readonly trace: readonly TraceLine[];
  readonly checks: readonly { readonly label: string; readonly source?: string; readonly text: string }[];
  readonly sentences: readonly string[];
}

export interface TraceLine {
  readonly outcome: "hides" | "keeps" | "asks" | "sets-aside";
  readonly step?: string;
  readonly rule: string;
  readonly label: string;
  readonly entry?: string;
  readonly source?: string;
  readonly reason?: string;
  readonly remedy?: string;
}

export interface Caller {
  readonly agent?: string;
  readonly [fact: string]: unknown;
}

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

export interface ToolResult {
  readonly ok: boolean;
  readonly content?: string;
  readonly data?: unknown;
  readonly blocks?: readonly { readonly type: string; readonly text?: string; readonly data?: unknown; readonly mimeType?: string }[];
  readonly error?: string;
  readonly code?: string;
  readonly issues?: readonly { readonly path: string; readonly message: string; readonly suggestion?: string }[];
  readonly meta: { readonly callId: string; readonly tool: string; readonly durationMs: number; readonly warnings?: readonly string[] };
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

export interface AgentInfo {
  readonly id: string;
  readonly description?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly origin?: string;
  readonly tools: number;
  readonly keys: number;
}

/** Tools against agents: one letter for each pair. The row without an agent is a stranger. */
export interface PolicyMatrix {
  readonly tools: readonly string[];
  readonly rows: readonly { readonly agent?: string; readonly cells: string }[];
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
}
