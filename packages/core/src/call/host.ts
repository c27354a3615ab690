import type { JsonObject } from "@toolrack/json-schema/internal";
import type { ErrorCode } from "../errors.ts";
import type { EventLog } from "../events.ts";
import type { Caller, Logger, PathCheck, Progress } from "../tool/context.ts";
import type { Deliver } from "../tool/deliver.ts";
import type { ToolFailure, ToolResult } from "../tool/result.ts";
import type { Clock } from "../util/clock.ts";
import type { ApprovalHost } from "./approval.ts";
import type { CallPlan } from "./call-plan.ts";
import type { Approval } from "./ports/approver.ts";
import type { ConfigPort } from "./ports/config.ts";
import type { Recorder } from "./ports/recorder.ts";
import type { RecordOutage } from "./record-outage.ts";
import type { SecretsPort } from "./ports/secrets.ts";
import type { UserChannel } from "./ports/user-channel.ts";
import type { Call } from "./wrapper.ts";
import type { AbortSignal } from "../util/abort-signal.ts";

/** Options of one call. */
export interface InvokeOptions {
  /** Who calls. @default an unknown caller */
  readonly caller?: Caller;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Time limit of the handler in milliseconds, including queueing and retries; overrides the tool's own limit. False: no limit. */
  readonly timeoutMs?: number | false;
  /** The id of the call in events, records and results. @default a new id */
  readonly callId?: string | undefined;
  /** The call that makes this one; set by `context.call`. */
  readonly parent?: { readonly callId: string; readonly depth: number };
  /** A repeated call with the same key, tool and caller gets the first result, and nothing runs. */
  readonly idempotencyKey?: string;
  readonly onProgress?: (update: Progress) => void;
  /** Who gets the result. @default what the tool says in `metadata.deliver`, else "model" */
  readonly deliver?: Deliver | undefined;
  /** The answer of a person to an earlier APPROVAL_REQUIRED. */
  readonly approval?: Approval | readonly Approval[];
  /** What is known of the arguments, by JSON Pointer: { "/to": ["untrusted"] }. Recorded with the call; decides nothing. */
  readonly labels?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The trace context: passed to events, records and the calls that this one makes. */
  readonly trace?: unknown;
}

/** A call that begins, as a tracer sees it. */
export interface TracedCall {
  readonly callId: string;
  /** The name that was called: of a tool, or of none. */
  readonly tool: string;
  readonly caller: Caller;
  /** What the call was made with. */
  readonly trace: unknown;
  readonly parentCallId: string | undefined;
}

/** Why a name has no tool now. */
export interface MissingTool {
  readonly code: ErrorCode;
  readonly error: string;
  /** When the tool may be there, if it comes back by itself. */
  readonly retryAfterMs?: number | undefined;
}

/** What a call needs from its registry. */
export interface CallHost extends ApprovalHost {
  readonly clock: Clock;
  readonly log: Logger;
  readonly events: EventLog;
  readonly config: ConfigPort | undefined;
  readonly secrets: SecretsPort;
  readonly recorder: Recorder | undefined;
  readonly recordOutage: RecordOutage;
  readonly userChannel: UserChannel | undefined;
  readonly traceCall: ((call: TracedCall) => unknown) | undefined;
  /** What a call of a name without a tool is told. */
  readonly missingTool: ((name: string, caller: Caller) => MissingTool | undefined) | undefined;
  /** Every call is recorded, or has services to close. */
  readonly recordsOrCloses: boolean;
  readonly outputValidation: "off" | "warn" | "strict";
  readonly repairInputs: boolean;
  readonly maxDepth: number;
  /** How many keys an input may have. */
  readonly inputKeys: number;
  /** Redacts progress updates as results are redacted; absent if nothing is. */
  readonly redactProgress: ((update: Progress) => Progress) | undefined;
  nextCallId(): string;
  /** The plan of a tool, by exact name, else by its normalised name or version range. */
  find(name: string, caller: Caller): CallPlan | undefined;
  /** Why the caller may not call this tool now; undefined: it may. */
  refuse(plan: CallPlan, call: Call): ToolResult | undefined;
  /** Checks the arguments: refuses, or waits for a person's approval. Absent while there is no policy. */
  examine: ((call: Call) => ToolResult | undefined | Promise<ToolResult | undefined>) | undefined;
  /** Changes whenever a tool, its switch or the policy changes. */
  readonly revision: number;
  /** Decides about a call again, with the current tools and policy; `input` is what was checked before. Undefined: it is permitted. */
  refuseNow(call: Call, input: JsonObject): ToolFailure | undefined;
  /** Checks the files that a handler opens against the path rules; undefined if none applies to the call. */
  pathRules(call: Call): PathCheck | undefined;
  nearest(name: string, caller: Caller): readonly string[];
  openServices?(call: Call): unknown;
  closeServices?(services: unknown, result: ToolResult): void | Promise<void>;
  invoke(name: string, input: unknown, options: InvokeOptions): Promise<ToolResult>;
}
