import type { Approval, Caller } from "@toolrack/core";
import type { Meter } from "../budget/meter.ts";
import type { Emit } from "../events.ts";

/** What a tool that is called in a run can know of the run: by `caller.session`, which the loop sets. */
export interface ActiveRun {
  readonly session: string;
  readonly key: string;
  readonly depth: number;
  readonly meter: Meter;
  readonly caller: Caller;
  /** The answers of people that the run was resumed with. */
  readonly approvals: readonly Approval[];
  readonly emit: Emit;
}

const runs = new Map<string, ActiveRun>();

/** Until the returned function is called, the run is found by its session. */
export function addActiveRun(run: ActiveRun): () => void {
  runs.set(run.session, run);
  return () => {
    if (runs.get(run.session) === run) runs.delete(run.session);
  };
}

/** The run of this process in which a call is made. */
export function activeRunOf(session: string | undefined): ActiveRun | undefined {
  return session === undefined ? undefined : runs.get(session);
}
