import type { Caller, InvokeOptions } from "@toolrack/core";
import type { StartupConfig } from "../../config/jobs.ts";
import type { BreadcrumbStore, Job, JobChange, JobCounts, JobEvent, JobQuery, JobState } from "@toolrack/store";

/** A call that runs later, or longer than anybody waits for it. */
export interface CallJob {
  readonly tool: string;
  readonly input: unknown;
  /** "startup": it may run forever, and takes no slot of other jobs. @default "call" */
  readonly kind?: "call" | "startup";
  /** As whom it runs, with no more rights than it has by then. */
  readonly caller: Caller;
  /** A second job of the same caller with the same key is not added. */
  readonly key?: string;
  /** What made it: "call", "schedule:daily", "trigger:x", "hook:x", "startup:x". @default "call" */
  readonly origin?: string;
  /** When it is due, in milliseconds since 1970. @default now */
  readonly at?: number;
  readonly timeoutMs?: number | false;
  /** Who gets the result. @default what the tool says */
  readonly deliver?: InvokeOptions["deliver"];
  /** How many attempts; only a failure that may be repeated is. @default 1 */
  readonly tries?: number;
  readonly delaysMs?: readonly number[];
}

/** A job, as people see it. Input and caller are those of a call. */
export interface ShownJob extends Omit<Job, "payload" | "caller" | "delaysMs" | "lost"> {
  /** As whom it runs; undefined where what is stored was changed by somebody else than a server. */
  readonly caller: Caller | undefined;
  /** As people see it. */
  readonly input: unknown;
  /** The call of the latest attempt; undefined before the first. */
  readonly callId: string | undefined;
}

/** A tool that is called at the start, and what became of that. */
export interface StartupTool {
  readonly tool: string;
  readonly mode: NonNullable<StartupConfig["mode"]>;
  readonly priority: number;
  /** "pending": not called yet, because of its mode, or of tools that come first. */
  readonly state: JobState | "pending";
  /** The newest job that calls it. */
  readonly job?: string;
  readonly error?: string;
}

/** A change of a job. */
export interface JobNotice extends JobEvent {
  /** As whom it runs. */
  caller(): Caller | undefined;
}

/** The jobs of this store. Nothing looks for jobs before the first one is there. */
export interface Jobs {
  /** Throws as a call would be refused: for a tool that the caller may not use now, or with too many waiting jobs. */
  add(job: CallJob, transaction?: BreadcrumbStore): Promise<{ readonly job: Job; readonly isNew: boolean }>;
  get(id: string): Promise<ShownJob | undefined>;
  list(query?: JobQuery): Promise<readonly ShownJob[]>;
  counts(): Promise<JobCounts>;
  /** Since when the job of these kinds has been due that waits longest; undefined if none is due. */
  oldestDueAt(kinds: readonly string[]): Promise<number | undefined>;
  cancel(id: string): Promise<JobChange>;
  retry(id: string): Promise<JobChange>;
  replay(id: string): Promise<JobChange>;
  /** Changes that this server makes. */
  subscribe(listener: (notice: JobNotice) => void): () => void;
  /** Resolves when the job has ended, on any server, or after `timeoutMs`, with what it is then. */
  waitFor(id: string, options: { readonly timeoutMs: number; readonly signal?: AbortSignal }): Promise<ShownJob | undefined>;
  /** The tools that are called at the start; none without a configuration. */
  startup(): Promise<readonly StartupTool[]>;
  /** How many run here, and whether this server looks for jobs. */
  state(): { readonly running: number; readonly isLooking: boolean };
  /** Claims nothing more, and waits for what runs; what runs longer is left to another server. */
  close(graceMs: number): Promise<void>;
}
