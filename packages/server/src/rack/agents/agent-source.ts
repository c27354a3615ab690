import { type CallContext, defineTool, type HandlerResult, ToolError, type ToolDefinition, type ToolSource } from "@toolrack/core";
import type { RunResult } from "@toolrack/agent";
import type { RunnableAgent } from "../../config/agents.ts";
import type { AgentManager } from "./create-agents.ts";
import { withoutRun } from "./answered-once.ts";
import { lastText } from "./last-text.ts";

export const agentSourceId = "agents";
/** How deep agents may call agents. */
export const maxDepth = 3;

export interface AgentSourceOptions {
  readonly agents: AgentManager;
  /** Calls the listener after every change of the settings. */
  subscribe(listener: () => void): () => void;
}

/** Every agent that this server runs, as a tool: policy, approvals, limits and the log hold for it as for any other. */
export function agentSource({ agents, subscribe }: AgentSourceOptions): ToolSource {
  const described = (): string => JSON.stringify(agents.list().map(({ id, description }) => [id, description]));
  return {
    id: agentSourceId,
    list: () => agents.list().map((agent) => toTool(agent, agents)),
    watch(onChange) {
      let last = described();
      return subscribe(() => {
        if (last !== (last = described())) onChange();
      });
    },
  };
}

function toTool({ id, description }: RunnableAgent, agents: AgentManager): ToolDefinition {
  return defineTool({
    name: id,
    description: description ?? `Gives a task to the agent "${id}".`,
    inputSchema: {
      type: "object",
      properties: { task: { type: "string", minLength: 1, description: "The whole task: the agent knows nothing of this conversation." } },
      required: ["task"],
      additionalProperties: false,
    },
    metadata: { category: "agents", annotations: { openWorld: true }, limits: { timeoutMs: false } },
    handler: ({ task }, context) => runAsTool(agents, id, task, context as CallContext),
  });
}

/** The run is one of the same call in whichever attempt: a call that was cut off goes on where it was. */
async function runAsTool(agents: AgentManager, agent: string, task: string, context: CallContext): Promise<HandlerResult> {
  const { callId, caller } = context;
  const parent = agents.runOf(context);
  const above = parent === undefined ? undefined : await agents.sessions.get(parent.session);
  const depth = Math.max(above?.depth ?? 0, caller.subagentDepth ?? 0) + 1;
  if (depth > maxDepth)
    throw new ToolError("DEPTH_EXCEEDED", `Agents may call agents ${maxDepth} deep, and this would be ${depth}. Do it yourself.`);
  const signal = context.signal as AbortSignal;
  const key = `agent:${agent}:subagent:${withoutRun(callId)}`;
  const begun = await agents.sessions.get(key);
  const isPerson = parent === undefined && caller.owner === true;
  const id = parent?.key ?? caller.principal ?? caller.agent;
  let last: RunResult | undefined;
  const session =
    begun?.id ??
    (
      await agents.start(agent, {
        input: task,
        session: key,
        caller,
        from: { kind: isPerson ? "person" : "agent", ...(id !== undefined && { id }) },
        depth,
        ...(parent !== undefined && { parent: parent.session }),
      })
    ).session;
  if (begun !== undefined) await agents.wake(session);
  const cancel = (): void => void agents.cancel(session, "Whoever called the agent left.");
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for (let run = agents.running(session); run !== undefined;) {
      for await (const event of run.events) {
        if (event.type === "call") context.progress({ message: `${agent} calls ${event.tool}.` });
        if (event.type === "waiting") context.progress({ message: `${agent} waits for a person's approval.` });
        if (event.type === "end") last = event.result;
      }
      await agents.settled(session, signal);
      const next = agents.running(session);
      run = next === run ? undefined : next;
    }
    await agents.settled(session, signal);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
  signal.throwIfAborted();
  return answerOf(agents, session, last);
}

async function answerOf(agents: AgentManager, session: string, last: RunResult | undefined): Promise<HandlerResult> {
  const { sessions } = agents;
  const found = await sessions.get(session);
  if (found?.result !== undefined) return { ok: true, content: found.result.text, data: { status: found.result.status, session } };
  const { status = "done", text = await lastText(sessions, session), reason = "" } = last?.status === "waiting" ? {} : (last ?? {});
  if (status === "failed") return { ok: false, code: "TOOL_FAILED", error: reason };
  await sessions.end(session, { text, status });
  if (status === "done") return { ok: true, content: text, data: { status, session } };
  return { ok: true, content: `${text}\n[This is not complete. ${reason}]`.trim(), data: { status, session } };
}
