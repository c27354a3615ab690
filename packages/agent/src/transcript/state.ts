import type { ToolResult } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import type { Spent } from "../budget/budget.ts";
import type { WaitingCall } from "../events.ts";

/** What a run keeps in its session beside the messages, so that another process can go on with it. Written together with each message. */
export interface RunState {
  /** While a run is not over: what it has used up. */
  readonly spent?: Spent | undefined;
  /** The messages of the run are those after this one. */
  readonly since?: number | undefined;
  readonly reminders?: number | undefined;
  /** The number of the phase, from 0. */
  readonly phase?: number | undefined;
  /** Results up to this message are shown to the model in short. */
  readonly shortenedUpTo?: number | undefined;
  /** Which registry was to make the calls of the newest message. */
  readonly callsBy?: string | undefined;
  readonly waiting?: WaitingState | undefined;
  /** A limit ended the run before it was done. */
  readonly isUnfinished?: boolean | undefined;
}

export interface WaitingState {
  /** The message whose calls wait. */
  readonly seq: number;
  /** What the other calls answered; null where there is no answer yet. A call without one that does not wait has not begun. */
  readonly results: readonly (ToolResult | null)[];
  readonly calls: readonly WaitingCall[];
}

/** What the loop left in a session; a state of another form counts as none. */
export function readState(state: Readonly<Record<string, unknown>> | undefined): RunState {
  const run = state?.["run"];
  return isObject(run) ? (run as RunState) : {};
}

/** With what others keep in the state of the session. */
export function writeState(state: Readonly<Record<string, unknown>> | undefined, run: RunState): Readonly<Record<string, unknown>> {
  return { ...state, run };
}
