import type { Caller } from "@toolrack/core";
import type { BreadcrumbStore, Job, JobChange, JobQueue, JsonObject } from "@toolrack/store";

/** A call that something other than a request makes: a schedule, a trigger, a webhook. */
export interface CallJob {
  readonly tool: string;
  readonly input: JsonObject;
  readonly caller: Caller;
  /** "schedule:daily", "trigger:x", "hook:x" */
  readonly origin: string;
  /** A second job of the same caller with the same key is not added. */
  readonly key: string;
  /** When it is due. @default now */
  readonly at?: number;
}

/** What automation needs of jobs. */
export interface CallJobs {
  /** Throws RATE_LIMITED where the caller has as many waiting jobs as are allowed. */
  add(job: CallJob, transaction?: BreadcrumbStore): Promise<{ readonly job: Job; readonly isNew: boolean }>;
  get: JobQueue["get"];
  list: JobQueue["list"];
  cancel(id: string): Promise<JobChange>;
}

/** "automation 2 schedule:daily": how deep a call is in a chain of jobs that made each other. Written by the server as the run of the caller. */
export function runOf(depth: number, origin: string): string {
  return `${runPrefix}${depth} ${origin}`.slice(0, 200);
}

/** How many jobs led to this caller; undefined if it is not of a job. */
export function depthOf({ run }: Pick<Caller, "run">): number | undefined {
  const found = run?.startsWith(runPrefix) === true ? /^\d{1,3}/.exec(run.slice(runPrefix.length)) : null;
  return found === null ? undefined : Number(found[0]);
}

const runPrefix = "automation ";

/** Whether it will still do something. */
export function isOpen(job: Job | undefined): boolean {
  return job?.state === "waiting" || job?.state === "running";
}
