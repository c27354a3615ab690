import type { Caller } from "@toolrack/core";
import type { RunResult } from "../events.ts";

/** Runs of agents that nobody waits for: in memory for a library, in the queue of a server. */
export interface AgentJobs {
  /** The same job for the same call, however often it is started. */
  start(draft: AgentJobDraft): Promise<AgentJob>;
  /** Undefined for a job that does not exist, and for one of somebody else. */
  get(id: string, caller: Caller): Promise<AgentJob | undefined>;
  /** Newest first. */
  list(caller: Caller): Promise<readonly AgentJob[]>;
  cancel(id: string, caller: Caller): Promise<AgentJob | undefined>;
}

export interface AgentJobDraft {
  readonly agent: string;
  readonly task: string;
  readonly caller: Caller;
  readonly callId: string;
  /** Does the work in this process. */
  run(signal: AbortSignal): PromiseLike<RunResult>;
}

export interface AgentJob {
  readonly id: string;
  readonly agent: string;
  readonly task: string;
  readonly status: "running" | RunResult["status"];
  readonly startedAt: number;
  /** What it answered, once it is over or waits. */
  readonly text?: string;
  readonly reason?: string;
}
