import {
  type ApprovalTicket,
  type CallContext,
  defineTool,
  type HandlerResult,
  type ToolAnnotations,
  type ToolDefinition,
  ToolError,
} from "@toolrack/core";
import type { Agent } from "../agent.ts";
import type { Budget } from "../budget/budget.ts";
import { markResumable } from "../calls/resumable.ts";
import type { RunResult } from "../events.ts";
import { type ActiveRun, activeRunOf } from "../running/active-runs.ts";
import type { MessageOrigin } from "../message.ts";
import type { AgentJobs } from "./jobs.ts";

export interface AgentToolOptions {
  /** Whether a call waits for the answer, or gives the id of a job. @default "result" */
  readonly answer?: "result" | "job";
  /** Where jobs run; needed for "job". The tool of `createJobTool` tells how they are. */
  readonly jobs?: AgentJobs;
  /** @default the agent's name */
  readonly name?: string;
  /** @default the agent's description */
  readonly description?: string;
  /** Of each run; it also draws from the budget of the run that calls. */
  readonly budget?: Budget;
  /** How deep agents may call agents. @default 3 */
  readonly maxDepth?: number;
  readonly annotations?: ToolAnnotations;
}

interface Task {
  readonly task: string;
}

/** An agent as a tool for others: its run is a child of the run that calls it, with a session of its own. */
export function agentTool(agent: Agent, options: AgentToolOptions = {}): ToolDefinition {
  const { answer = "result", jobs, annotations, maxDepth = 3 } = options;
  if (answer === "job" && jobs === undefined) {
    throw new ToolError("CONFIG_INVALID", `agentTool: agent "${agent.name}" is to answer with a job, so give it jobs: createMemoryJobs().`);
  }

  async function result({ task }: Task, context: CallContext): Promise<HandlerResult> {
    const parent = mayBegin(context, maxDepth);
    return toResult(await runChild({ agent, task, context, parent, signal: context.signal as AbortSignal, budget: options.budget }));
  }

  async function job({ task }: Task, context: CallContext): Promise<unknown> {
    const parent = mayBegin(context, maxDepth);
    const { callId, caller } = context;
    const started = await jobs!.start({
      agent: agent.name,
      task,
      caller,
      callId,
      run: (signal) => runChild({ agent, task, context, parent, signal, budget: options.budget }),
    });
    return { job_id: started.id, status: started.status };
  }

  return defineTool({
    name: options.name ?? agent.name,
    description: options.description ?? agent.description ?? `Gives a task to the agent "${agent.name}".`,
    inputSchema: {
      type: "object",
      properties: { task: { type: "string", description: "The whole task: the agent knows nothing of this conversation." } },
      required: ["task"],
    },
    metadata: { category: "agents", ...(annotations !== undefined && { annotations }), limits: { timeoutMs: false } },
    handler: markResumable(answer === "job" ? job : result),
  });
}

/** The run that calls, if there is one. Throws where another run would be too deep, or has no budget left. */
function mayBegin({ caller }: CallContext, maxDepth: number): ActiveRun | undefined {
  const parent = activeRunOf(caller.session);
  const depth = (parent?.depth ?? caller.subagentDepth ?? 0) + 1;
  if (depth > maxDepth)
    throw new ToolError("DEPTH_EXCEEDED", `Agents may call agents ${maxDepth} deep, and this would be ${depth}. Do it yourself.`);
  const over = parent?.meter.over();
  if (over !== undefined) throw new ToolError("BUDGET_EXCEEDED", `${over}, so no other agent can be asked. Answer with what you have.`);
  return parent;
}

interface Child extends Task {
  readonly agent: Agent;
  readonly context: CallContext;
  readonly parent: ActiveRun | undefined;
  readonly signal: AbortSignal;
  readonly budget: Budget | undefined;
}

/** Begins the child, or goes on with it if this very call had begun it before. */
async function runChild({ agent, task, context, parent, signal, budget }: Child): Promise<RunResult> {
  const session = `agent:${agent.name}:subagent:${context.callId}`;
  const shared = { signal, ...(budget !== undefined && { budget }), ...(parent !== undefined && { parent: parent.session }) };
  const begun = await agent.sessions.get(session);
  const id = parent?.key ?? context.caller.agent;
  const from: MessageOrigin = { kind: "agent", ...(id !== undefined && { id }) };
  const run = begun !== undefined && begun.last > 0 ? agent.resume(session, shared) : agent.run(task, { ...shared, session, from });
  for await (const event of run) if (event.type === "call") context.progress({ message: `${agent.name} calls ${event.tool}.` });
  return run;
}

/** What the model that called reads: an answer that is not complete says so. */
function toResult({ status, code, text, reason, session, waiting }: RunResult): HandlerResult & { readonly approval?: ApprovalTicket } {
  if (status === "done") return { ok: true, content: text, data: { status, session } };
  if (status === "waiting")
    return { ok: false, code: "APPROVAL_REQUIRED", error: reason, ...(waiting?.[0] && { approval: waiting[0].approval }) };
  if (code === "cancelled") return { ok: false, code: "ABORTED", error: reason };
  if (status === "stopped") return { ok: true, content: `${text}\n[This is not complete. ${reason}]`.trim(), data: { status, session } };
  return { ok: false, code: "TOOL_FAILED", error: reason };
}
