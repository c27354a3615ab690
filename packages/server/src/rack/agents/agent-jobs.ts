import type { AgentJob, AgentJobs } from "@toolrack/agent";
import type { Caller } from "@toolrack/core";
import type { Jobs, ShownJob } from "../jobs/jobs.ts";
import type { AgentManager } from "./create-agents.ts";
import { isSame } from "./starter.ts";

/** The id of the job that makes a call of an agent; undefined for every other call, whatever id it has. */
export async function jobOfCall(jobs: Jobs, agent: string, callId: string): Promise<string | undefined> {
  const id = /^(.+)\.\d+$/.exec(callId)?.[1];
  const job = id === undefined ? undefined : await jobs.get(id);
  return job?.callId === callId && job.subject === agent && job.state === "running" ? id : undefined;
}

/** The jobs of agents, as the tool `job` tells of them: each caller has its own. */
export function agentJobs(jobs: Jobs, agents: Pick<AgentManager, "list">): Pick<AgentJobs, "get" | "list" | "cancel"> {
  const isOwn = (job: ShownJob | undefined, caller: Caller): job is ShownJob =>
    job !== undefined && isSame(job.caller, caller) && agents.list().some(({ id }) => id === job.subject);
  const find = async (id: string, caller: Caller): Promise<ShownJob | undefined> => {
    const job = await jobs.get(id);
    return isOwn(job, caller) ? job : undefined;
  };
  return {
    async get(id, caller) {
      const job = await find(id, caller);
      return job && toAgentJob(job);
    },
    async list(caller) {
      const listed = await jobs.list({ kind: "call", limit: maxListed });
      return listed.filter((job) => isOwn(job, caller)).map(toAgentJob);
    },
    async cancel(id, caller) {
      if ((await find(id, caller)) === undefined) return undefined;
      await jobs.cancel(id);
      const job = await find(id, caller);
      return job && toAgentJob(job);
    },
  };
}

/** The newest jobs that are looked through for those of one caller. */
const maxListed = 1_000;

function toAgentJob({ id, subject, input, state, createdAt, result, error }: ShownJob): AgentJob {
  const content = result?.["content"];
  const data = result?.["data"] as { readonly status?: AgentJob["status"] } | undefined;
  return {
    id,
    agent: subject,
    task: (input as { readonly task?: string } | undefined)?.task ?? "",
    status: state === "done" ? (data?.status ?? "done") : state === "dead" ? "failed" : state === "cancelled" ? "stopped" : "running",
    startedAt: createdAt,
    ...(typeof content === "string" && { text: content }),
    ...(error !== undefined && { reason: error.message }),
  };
}
