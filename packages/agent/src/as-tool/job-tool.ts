import { defineTool, type HandlerResult, type ToolDefinition } from "@toolrack/core";
import type { AgentJob, AgentJobs } from "./jobs.ts";

/** The tool `job`: how the jobs of the caller are, what they answered, and an end to one. */
export function createJobTool(jobs: Pick<AgentJobs, "get" | "list" | "cancel">): ToolDefinition {
  return defineTool({
    name: "job",
    description: "Tells how a job is and what it answered (get), lists your jobs (list), or ends one (cancel).",
    inputSchema: {
      type: "object",
      properties: {
        action: { type: "string", enum: ["get", "list", "cancel"] },
        job_id: { type: "string", description: "For get and cancel: the id that the call gave which began the job." },
      },
      required: ["action"],
    },
    metadata: { category: "agents" },
    async handler({ action, job_id: id }, { caller }) {
      if (action === "list") return { jobs: (await jobs.list(caller)).map(toAnswer) };
      if (id === undefined) return refuse("INPUT_INVALID", `job: ${action} needs job_id. Use list to see your jobs.`);
      const job = await (action === "get" ? jobs.get(id, caller) : jobs.cancel(id, caller));
      return job === undefined
        ? refuse("INPUT_INVALID", `You have no job ${JSON.stringify(id)}. Use list to see your jobs.`)
        : toAnswer(job);
    },
  });
}

function refuse(code: "INPUT_INVALID", error: string): HandlerResult {
  return { ok: false, code, error };
}

function toAnswer({ id, agent, task, status, text, reason }: AgentJob): Readonly<Record<string, string>> {
  return { job_id: id, agent, task, status, ...(text !== undefined && { text }), ...(reason !== undefined && { reason }) };
}
