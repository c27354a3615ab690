import { type CallContext, type HandlerResult, ToolError } from "@toolrack/core";
import type { RunResult } from "@toolrack/agent";
import type { AgentManager } from "./create-agents.ts";
import { withoutRun } from "./answered-once.ts";
import { askClient, type AskClientOptions } from "./ask-client.ts";
import { lastText } from "./last-text.ts";
import { nextChange } from "./wait-for-session.ts";
import { waitingCalls } from "./waiting-calls.ts";

/** How deep agents may call agents. */
export const maxDepth = 3;

export interface RunAsToolOptions extends AskClientOptions {
  readonly agents: AgentManager;
}

/**
 * Gives an agent a task, and waits for its answer.
 * @param name the same for the same call in whichever attempt: one that was cut off goes on where it was
 */
export async function runAsTool(
  agent: string,
  task: string,
  context: CallContext,
  options: RunAsToolOptions,
  name: string = withoutRun(context.callId),
): Promise<HandlerResult> {
  const { agents } = options;
  const signal = context.signal as AbortSignal;
  const session = await beginOrGoOn(agent, task, context, agents, name);
  const cancel = (): void =>
    void agents
      .cancel(session, "Whoever called the agent left.")
      .catch((error: Error) => context.log.warn("The run of an agent could not be cancelled.", { session, error: error.message }));
  signal.addEventListener("abort", cancel, { once: true });
  let last: RunResult | undefined;
  try {
    for (let asked = "[]"; ;) {
      for await (const event of agents.running(session)?.events ?? []) {
        if (event.type === "call") context.progress({ message: `${agent} calls ${event.tool}.` });
        if (event.type === "waiting") context.progress({ message: `${agent} waits for a person's approval.` });
        if (event.type === "end") last = event.result;
      }
      const found = await agents.settled(session, signal, "or waits");
      if (signal.aborted || found?.status !== "waiting") break;
      // Whether the client answers or somebody else does: the session goes on.
      const calls = waitingCalls(found.state);
      if (asked !== (asked = JSON.stringify(calls))) void askClient(context, calls, options).catch(() => undefined);
      await nextChange(agents.sessions, session, signal);
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
  signal.throwIfAborted();
  return answerOf(agents, session, last);
}

async function beginOrGoOn(agent: string, input: string, context: CallContext, agents: AgentManager, name: string): Promise<string> {
  const { caller } = context;
  const parent = agents.runOf(context);
  const above = parent === undefined ? undefined : await agents.sessions.get(parent.session);
  const depth = Math.max(above?.depth ?? 0, caller.subagentDepth ?? 0) + 1;
  if (depth > maxDepth)
    throw new ToolError("DEPTH_EXCEEDED", `Agents may call agents ${maxDepth} deep, and this would be ${depth}. Do it yourself.`);
  const key = `agent:${agent}:subagent:${name}`;
  const begun = await agents.sessions.get(key);
  if (begun !== undefined) {
    await agents.wake(begun.id);
    return begun.id;
  }
  const isPerson = parent === undefined && caller.owner === true;
  const id = parent?.key ?? caller.principal ?? caller.agent;
  const from = { kind: isPerson ? "person" : "agent", ...(id !== undefined && { id }) } as const;
  const shared = parent === undefined ? {} : { parent: parent.session };
  return (await agents.start(agent, { input, session: key, caller, from, depth, ...shared })).session;
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
