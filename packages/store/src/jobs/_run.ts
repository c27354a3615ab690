import type { Clock } from "@toolrack/core/node";
import type { Engine } from "../engine/engine.ts";
import type { HeldJob, JobMarks, JobRow } from "../engine/jobs.ts";
import type { JsonObject } from "../record/breadcrumb.ts";
import { ended } from "./_claim.ts";
import type { EndWriter } from "./_ends.ts";
import { serverOf } from "./_holder.ts";
import type { JobError, JobEvent, JobHandler, JobOutcome } from "./job-queue.ts";
import { delayAfter, toJob, toText } from "./_rows.ts";

/** One attempt under way. */
export interface JobRunner {
  readonly row: JobRow;
  /** Whether its handler has returned: what is left is to store its end. */
  readonly isOver: boolean;
  /** Once it is settled, or lost. */
  readonly ended: Promise<void>;
  /** What the store says of it now; undefined: it is not running any more. */
  look(held: HeldJob | undefined): void;
  /** Aborts its signal, because the worker closes. */
  stop(): void;
}

export interface RunHost {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly owner: string;
  readonly ends: EndWriter;
  random(): number;
  tell(type: JobEvent["type"], row: JobRow): void;
  onStoreFailed(error: unknown): void;
  /** Its handler has returned. */
  onOver(): void;
}

export function startRun(host: RunHost, row: JobRow, handler: JobHandler): JobRunner {
  const { engine, clock, owner, random, tell, onStoreFailed } = host;
  const controller = new AbortController();
  const own = { state: "running", holder: row.holder, attempt: row.attempt } as const;
  let isCancelled = row.cancelling;
  let isStopped = false;
  let isOver = false;
  let report: JsonObject | undefined;
  let cancelReport: (() => void) | undefined;

  function progress(next: JsonObject): void {
    report = next;
    cancelReport ??= clock.after(reportEveryMs, () => {
      cancelReport = undefined;
      storeReport(report!).catch(onStoreFailed);
    });
  }

  async function storeReport(latest: JsonObject): Promise<void> {
    const text = JSON.stringify(latest);
    if (text.length > maxReport) return;
    const [stored] = await engine.writeAudit((tx) => tx.changeJobs(owner, [row.id], { progress: text }, own));
    if (stored !== undefined) tell("progress", stored);
  }

  async function attempt(): Promise<JobOutcome> {
    try {
      const settledBefore = row.attempt - 1 - row.lostBy.length;
      const lost = row.lostBy.map((holder, index) => ({ attempt: settledBefore + index + 1, holder: serverOf(holder) }));
      return await handler({ job: toJob(row), key: `${row.id}:${settledBefore}`, lost, signal: controller.signal, progress });
    } catch (error) {
      return { retry: { code: "HANDLER_FAILED", message: error instanceof Error ? error.message : String(error) } };
    }
  }

  async function run(): Promise<void> {
    tell("started", row);
    if (isCancelled) controller.abort(cancelled);
    const outcome = await attempt();
    cancelReport?.();
    isOver = true;
    host.onOver();
    await host.ends.write(
      () => {
        const { type, ...marks } = settled(row, outcome, isCancelled, { now: clock.now(), random });
        return { id: row.id, type, marks, expected: own };
      },
      () => isStopped,
    );
  }

  return {
    row,
    get isOver() {
      return isOver;
    },
    ended: run(),
    look(held) {
      if (held === undefined || held.holder !== row.holder) controller.abort(new Error("Another server has this job."));
      else if (held.cancelling && !isCancelled) {
        isCancelled = true;
        controller.abort(cancelled);
      }
    },
    stop() {
      isStopped = true;
      controller.abort(new Error("The server is stopping."));
    },
  };
}

/** The time, and what a delay is lengthened by. */
interface Chances {
  readonly now: number;
  random(): number;
}

type Settled = Partial<JobMarks> & { readonly type: JobEvent["type"] };

function settled(row: JobRow, outcome: JobOutcome, isCancelled: boolean, { now, random }: Chances): Settled {
  const over = { ...ended(now), lostBy: [] };
  if ("done" in outcome) {
    const [result, error] = resultText(outcome.done);
    return { type: "done", ...over, state: "done", result, error };
  }
  if ("release" in outcome && !isCancelled) return { type: "retry", state: "waiting", dueAt: now, holder: "", attempt: row.attempt - 1 };
  if ("wait" in outcome && !isCancelled)
    return {
      type: "retry",
      state: "waiting",
      dueAt: now + outcome.afterMs,
      holder: "",
      attempt: row.attempt - 1,
      error: errorText(outcome.wait),
    };
  const reason = reasonOf(outcome);
  const error = reason && errorText(reason);
  const failed = row.failed + 1;
  if (isCancelled) return { type: "cancelled", ...over, state: "cancelled", error };
  if ("dead" in outcome || failed >= row.tries) return { type: "dead", ...over, state: "dead", failed, error };
  const { afterMs } = outcome as Extract<JobOutcome, { readonly retry: JobError }>;
  const dueAt = now + (afterMs ?? delayAfter(failed, JSON.parse(row.delays) as readonly number[], random));
  return { type: "retry", state: "waiting", dueAt, holder: "", failed, lostBy: [], error };
}

function reasonOf(outcome: Exclude<JobOutcome, { readonly done: unknown }>): JobError | undefined {
  if ("release" in outcome) return undefined;
  return "wait" in outcome ? outcome.wait : "retry" in outcome ? outcome.retry : outcome.dead;
}

/** The work is done, whatever becomes of its result. */
function resultText(result: JsonObject): readonly [text: string | undefined, error: string | undefined] {
  try {
    return [toText(result), undefined];
  } catch (error) {
    return [undefined, errorText({ code: "RESULT_TOO_LARGE", message: (error as Error).message })];
  }
}

function errorText({ code, message }: JobError): string {
  const text = message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message;
  return JSON.stringify({ code, message: text });
}

const cancelled = new Error("Somebody cancelled the job.");
const reportEveryMs = 500;
const maxReport = 10_000;
const maxMessage = 2_000;
