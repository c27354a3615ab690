import { type CallContext, defineTool, type HandlerResult, type ToolDefinition, type ToolSource } from "@toolrack/core";
import type { RunnableAgent } from "../../config/agents.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { agentJobs, jobOfCall } from "./agent-jobs.ts";
import { runAsTool, type RunAsToolOptions } from "./run-as-tool.ts";

export const agentSourceId = "agents";

export interface AgentSourceOptions extends RunAsToolOptions {
  readonly jobs: Jobs;
  /** Calls the listener after every change of the settings. */
  subscribe(listener: () => void): () => void;
}

/**
 * Every agent that this server runs, as a tool: policy, approvals, limits and the log hold for it as for any other. With agents that answer by a
 * job, also the tool that tells how jobs are.
 */
export function agentSource(options: AgentSourceOptions): ToolSource {
  const { agents, jobs, subscribe } = options;
  const described = (): string => JSON.stringify(agents.list().map(({ id, description, answer }) => [id, description, answer]));
  return {
    id: agentSourceId,
    list: () => {
      const tools = agents.list().map((agent) => toTool(agent, options));
      if (!agents.list().some(({ answer }) => answer === "job")) return tools;
      return import("@toolrack/agent").then(({ createJobTool }) => [...tools, createJobTool(agentJobs(jobs, agents))]);
    },
    watch(onChange) {
      let last = described();
      return subscribe(() => {
        if (last !== (last = described())) onChange();
      });
    },
  };
}

function toTool({ id, description, answer }: RunnableAgent, options: AgentSourceOptions): ToolDefinition {
  return defineTool({
    name: id,
    description: `${description ?? `Gives a task to the agent "${id}".`}${answer === "job" ? " It answers with a job; the tool job tells the rest." : ""}`,
    inputSchema: {
      type: "object",
      properties: { task: { type: "string", minLength: 1, description: "The whole task: the agent knows nothing of this conversation." } },
      required: ["task"],
      additionalProperties: false,
    },
    metadata: { category: "agents", annotations: { openWorld: true }, limits: { timeoutMs: false } },
    handler: ({ task }, context) => callAgent(id, task, context as CallContext, answer === "job", options),
  });
}

/** A call that a job makes is named after the job: its next attempt goes on with the same run. */
async function callAgent(
  agent: string,
  task: string,
  context: CallContext,
  answersWithJob: boolean,
  options: AgentSourceOptions,
): Promise<HandlerResult | Readonly<Record<string, string>>> {
  const { jobs } = options;
  const job = await jobOfCall(jobs, agent, context.callId);
  if (job !== undefined) return runAsTool(agent, task, context, options, job);
  if (!answersWithJob) return runAsTool(agent, task, context, options);
  const { caller, callId } = context;
  const added = await jobs.add({ tool: agent, input: { task }, caller, key: callId, timeoutMs: false });
  return { job_id: added.job.id, status: "running" };
}
