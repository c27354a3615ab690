import type { JsonObject } from "@toolrack/json-schema/internal";
import type { EventLog } from "../events.ts";
import type { Caller, Logger, PathCheck, Progress } from "../tool/context.ts";
import type { ToolFailure, ToolResult } from "../tool/result.ts";
import type { Clock } from "../util/clock.ts";
import type { ApprovalHost } from "./approval.ts";
import type { CallPlan } from "./call-plan.ts";
import type { Approval } from "./ports/approver.ts";
import type { ConfigPort } from "./ports/config.ts";
import type { Recorder } from "./ports/recorder.ts";
import type { SecretsPort } from "./ports/secrets.ts";
import type { Call } from "./wrapper.ts";

/** How one call is to be made. */
export interface InvokeOptions {
  /** Who asks. @default a caller of whom nothing is known */
  readonly caller?: Caller;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** How long the handler may take, its turn in a queue and further attempts included; wins over the tool's own limit. */
  readonly timeoutMs?: number;
  /** Names the call in events, records and results. @default a new one */
  readonly callId?: string;
  /** The call that makes this one; set by `context.call`. */
  readonly parent?: { readonly callId: string; readonly depth: number };
  /** The same key, tool and caller again: the first answer is given, and nothing runs. */
  readonly idempotencyKey?: string;
  readonly onProgress?: (update: Progress) => void;
  /** The answer of a person to an earlier APPROVAL_REQUIRED. */
  readonly approval?: Approval | readonly Approval[];
  /** Handed on to events and to the calls that this one makes. */
  readonly trace?: unknown;
}

/** What a call needs of the registry it is made in. */
export interface CallHost extends ApprovalHost {
  readonly clock: Clock;
  readonly log: Logger;
  readonly events: EventLog;
  readonly config: ConfigPort | undefined;
  readonly secrets: SecretsPort;
  readonly recorder: Recorder | undefined;
  /** Every call is recorded, or leaves services to be closed. */
  readonly keeps: boolean;
  readonly outputValidation: "off" | "warn" | "strict";
  readonly repairInputs: boolean;
  readonly maxDepth: number;
  /** Takes out of what a handler tells while it runs what is taken out of results; absent where nothing is. */
  readonly redactProgress: ((update: Progress) => Progress) | undefined;
  nextCallId(): string;
  /** The tool made ready, by exact name, else by its normalised name or version range. */
  find(name: string, caller: Caller): CallPlan | undefined;
  /** Why the caller may not call this tool now; undefined means go ahead. */
  refuse(plan: CallPlan, call: Call): ToolResult | undefined;
  /** Rules that look at the arguments: refuses, or waits for a person. Absent while there is no policy. */
  examine: ((call: Call) => ToolResult | undefined | Promise<ToolResult | undefined>) | undefined;
  /** Moves on whenever a tool, its switch or the policy changes. */
  readonly revision: number;
  /** The decision about a call again, as tools and policy are now; `input` is what was decided about. Undefined means go ahead. */
  refuseNow(call: Call, input: JsonObject): ToolFailure | undefined;
  /** What the path rules say about the places that a handler reaches; undefined where none holds for the call. */
  pathRules(call: Call): PathCheck | undefined;
  nearest(name: string, caller: Caller): readonly string[];
  openServices?(call: Call): unknown;
  closeServices?(services: unknown, result: ToolResult): void | Promise<void>;
  invoke(name: string, input: unknown, options: InvokeOptions): Promise<ToolResult>;
}
