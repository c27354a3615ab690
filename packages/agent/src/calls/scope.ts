import type { Approval, Caller, Registry, ToolResult } from "@toolrack/core";
import { toFailure } from "@toolrack/core/internal";
import { type ErrorCode, ToolError } from "@toolrack/core";
import type { Meter } from "../budget/meter.ts";
import type { ProgressLog } from "../criteria/progress.ts";
import type { Emit } from "../events.ts";
import type { Offer } from "../turn/offer-tools.ts";

/** What the calls of a run need. */
export interface CallScope {
  readonly registry: Registry;
  readonly caller: Caller;
  readonly offer: Offer;
  readonly progress: ProgressLog;
  readonly meter: Meter;
  /** The answers of people that the run was resumed with. */
  readonly approvals: readonly Approval[];
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** What a call of `finish` is told that comes too early; undefined: it may end the run. */
  tooEarly(): Promise<string | undefined>;
}

/** An answer to a call that is not made. */
export function refuse(code: ErrorCode, message: string, callId: string, tool: string): ToolResult {
  return toFailure(new ToolError(code, message), { callId, tool, durationMs: 0 });
}
