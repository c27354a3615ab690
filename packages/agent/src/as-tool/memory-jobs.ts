import { type Caller, ToolError } from "@toolrack/core";
import { type Clock, systemClock } from "@toolrack/core/node";
import { messageOf } from "../errors.ts";
import type { AgentJob, AgentJobDraft, AgentJobs } from "./jobs.ts";

export interface MemoryJobsOptions {
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** How many jobs one caller may have running. @default 5 */
  readonly runningPerCaller?: number;
  /** How many jobs that are over are kept. @default 1_000 */
  readonly kept?: number;
}

interface Kept {
  job: AgentJob;
  readonly owner: string;
  readonly callId: string;
  readonly stopping: AbortController;
}

/** Jobs in this process, gone with it. */
export function createMemoryJobs({ clock = systemClock, runningPerCaller = 5, kept = 1_000 }: MemoryJobsOptions = {}): AgentJobs {
  const jobs = new Map<string, Kept>();

  const of = (caller: Caller): Kept[] => [...jobs.values()].filter(({ owner }) => owner === ownerOf(caller));
  const find = (id: string, caller: Caller): Kept | undefined => {
    const found = jobs.get(id);
    return found?.owner === ownerOf(caller) ? found : undefined;
  };

  function begin(draft: AgentJobDraft): Kept {
    const { agent, task, caller, callId } = draft;
    const stopping = new AbortController();
    const job: AgentJob = { id: globalThis.crypto.randomUUID(), agent, task, status: "running", startedAt: clock.now() };
    const one: Kept = { job, owner: ownerOf(caller), callId, stopping };
    jobs.set(job.id, one);
    const end = (outcome: Pick<AgentJob, "status" | "text" | "reason">): void => {
      one.job = { ...job, ...outcome };
      dropOldest();
    };
    void draft.run(stopping.signal).then(
      ({ status, text, reason }) => end({ status, text, reason }),
      (error: unknown) => end({ status: "failed", reason: messageOf(error) }),
    );
    return one;
  }

  function dropOldest(): void {
    const over = [...jobs.values()].filter(({ job }) => job.status !== "running");
    for (const { job } of over.slice(0, Math.max(0, over.length - kept))) jobs.delete(job.id);
  }

  return {
    async start(draft) {
      const own = of(draft.caller);
      const same = own.find(({ callId }) => callId === draft.callId);
      if (same !== undefined) return same.job;
      const running = own.filter(({ job }) => job.status === "running").length;
      if (running < runningPerCaller) return begin(draft).job;
      throw new ToolError("QUEUE_FULL", `${running} jobs are running for you already. Wait for one of them, or cancel it.`, {
        retryable: true,
      });
    },
    get: async (id, caller) => find(id, caller)?.job,
    list: async (caller) =>
      of(caller)
        .map(({ job }) => job)
        .toReversed(),
    async cancel(id, caller) {
      const found = find(id, caller);
      found?.stopping.abort();
      return found?.job;
    },
  };
}

function ownerOf({ tenant, principal, agent }: Caller): string {
  return JSON.stringify([tenant, principal, agent]);
}
