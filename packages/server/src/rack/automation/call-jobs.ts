import type { Caller } from "@toolrack/core";
import type { BreadcrumbStore, Job } from "@toolrack/store";
import type { CallJob } from "../jobs/jobs.ts";

/** What automation needs of jobs. */
export interface CallJobs {
  /** Throws where the caller may not call the tool, or has as many waiting jobs as are allowed. */
  add(job: CallJob, transaction?: BreadcrumbStore): Promise<{ readonly job: { readonly id: string }; readonly isNew: boolean }>;
  get(id: string): Promise<SeenJob | undefined>;
  /** The newest first. */
  list(query: { readonly limit: number }): Promise<readonly SeenJob[]>;
  cancel(id: string): Promise<unknown>;
}

/** A job, as far as it matters here. */
export interface SeenJob extends Pick<Job, "id" | "state" | "startedAt" | "endedAt"> {
  readonly caller: Caller | undefined;
}

/** "automation 2 schedule:daily": how deep a call is in a chain of jobs that made each other. Written by the server as the run of the caller. */
export function runOf(depth: number, origin: string): string {
  return `${runPrefix}${depth} ${origin}`.slice(0, 200);
}

/** How many jobs led to this caller; undefined if it is not of a job. */
export function depthOf({ run }: { readonly run?: string | undefined }): number | undefined {
  const found = run?.startsWith(runPrefix) === true ? /^\d{1,3}/.exec(run.slice(runPrefix.length)) : null;
  return found === null ? undefined : Number(found[0]);
}

const runPrefix = "automation ";

/** Whether it will still do something. */
export function isOpen(job: SeenJob | undefined): boolean {
  return job?.state === "waiting" || job?.state === "running";
}
