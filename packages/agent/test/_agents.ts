import { type AgentEvent, type AgentOptions, type AgentRun, createAgent, type Message, type RunResult } from "@toolrack/agent";
import { scriptedModel, type ScriptedModel, type ScriptedReply } from "@toolrack/agent/testing";
import { defineTool, type ToolDefinition, type ToolMetadata } from "@toolrack/core";

export interface Noted {
  readonly tool: ToolDefinition;
  readonly calls: readonly unknown[];
}

/** A tool that notes its calls. */
export function noted(name: string, metadata: ToolMetadata = {}, answer: unknown = `${name} done`): Noted {
  const calls: unknown[] = [];
  const tool = defineTool({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: "object", properties: { n: { type: "number" } } },
    metadata,
    handler: (input) => {
      calls.push(input);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { tool, calls };
}

export interface Scripted {
  readonly model: ScriptedModel;
  readonly agent: ReturnType<typeof createAgent>;
}

export function scripted(
  script: Iterable<ScriptedReply>,
  tools: AgentOptions["registry"] = [],
  more: Partial<AgentOptions> = {},
): Scripted {
  const model = scriptedModel(script);
  return { model, agent: createAgent({ name: "helper", instructions: "Help.", model, registry: tools, ...more }) };
}

/** All events of a run, and its result. */
export async function eventsOf(run: AgentRun): Promise<{ readonly events: readonly AgentEvent[]; readonly result: RunResult }> {
  const events: AgentEvent[] = [];
  for await (const event of run) events.push(event);
  return { events, result: await run };
}

export async function messagesOf({ agent }: Pick<Scripted, "agent">, session: string): Promise<readonly Message[]> {
  return (await agent.sessions.messages(session)).map(({ message }) => message);
}
