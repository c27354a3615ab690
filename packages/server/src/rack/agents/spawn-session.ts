import { randomUUID } from "node:crypto";
import { type Caller, type Registry, ToolError } from "@toolrack/core";
import { inheritTools } from "@toolrack/core/policy";
import type { Session } from "@toolrack/store";
import {
  type KnownAgents,
  maySpawn,
  type SessionOrigin,
  type SpawnLimits,
  type SpawnOutcome,
  spawnRefusal,
  type SpawnRequest,
} from "@toolrack/tools";
import { modelNames } from "../../config/agents.ts";
import type { AgentManager } from "./create-agents.ts";

export interface SpawnOptions {
  readonly agents: AgentManager;
  readonly registry: Pick<Registry, "view">;
  readonly limits: SpawnLimits;
}

export interface Spawner {
  readonly parent: Session;
  /** Of the call: a child has no tool that it lacks. */
  readonly caller: Caller;
  readonly origin: SessionOrigin;
}

export type SpawnSession = (spawner: Spawner, request: SpawnRequest) => Promise<SpawnOutcome>;

/** One after the other, so that a limit which is looked at holds until the child runs. */
export function createSpawn({ agents, registry, limits }: SpawnOptions): SpawnSession {
  const { sessions } = agents;
  let last: Promise<unknown> = Promise.resolve();

  async function spawn(spawner: Spawner, request: SpawnRequest): Promise<SpawnOutcome> {
    const { parent, caller } = spawner;
    const agentId = request.agentId ?? parent.agent;
    const running = await Promise.all([
      sessions.list({ kinds: ["subagent"], status: "running", limit: 200 }),
      sessions.list({ kinds: ["subagent"], status: "waiting", limit: 200 }),
    ]);
    const all = running.flat();
    const children = all.filter((session) => session.parent === parent.id).length;
    const isAllowedAgent = maySpawn(parent.agent, agentId, knownAgents(agents));
    const refusal = spawnRefusal({ depth: parent.depth, children, running: all.length, agentId, isAllowedAgent }, limits);
    if (refusal !== undefined) return { status: "forbidden", error: refusal };
    const unfit = unfitModel(agents, agentId, request.model) ?? (await unfitThinking(agentId, request));
    if (unfit !== undefined) return { status: "error", error: unfit };
    const { inherited, missing } = inheritTools(registry.view(caller).tools, request.tools);
    if (missing.length > 0)
      return { status: "forbidden", error: `A child gets only tools that you have, and you have none that is ${missing.join(", ")}.` };
    return begin(spawner, agentId, inherited, request);
  }

  async function unfitThinking(agentId: string, { model, thinking }: SpawnRequest): Promise<string | undefined> {
    if (thinking === undefined || (await agents.canThink(agentId, model))) return undefined;
    return `The model of agent "${agentId}" cannot be told how much to think. Leave thinking out.`;
  }

  async function begin(
    { parent, caller, origin }: Spawner,
    agentId: string,
    inherited: readonly string[],
    request: SpawnRequest,
  ): Promise<SpawnOutcome> {
    const key = `agent:${agentId}:subagent:${randomUUID()}`;
    const { task, label, model, thinking, mode, cleanup, runTimeoutSeconds } = request;
    try {
      const run = await agents.spawn(agentId, {
        input: task,
        session: key,
        caller: { ...caller, inherited, owner: false },
        from: origin,
        depth: parent.depth + 1,
        parent: parent.id,
        spawned: { mode, cleanup, runTimeoutMs: runTimeoutSeconds * 1_000, task, ...(thinking !== undefined && { thinking }) },
        ...(label !== undefined && { label }),
        ...(model !== undefined && { model }),
      });
      return { status: "accepted", childSessionKey: key, runId: run.session };
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      return { status: "error", error: error.message };
    }
  }

  return (spawner, request) => {
    const next = last.then(() => spawn(spawner, request));
    last = next.catch(() => undefined);
    return next;
  };
}

export function knownAgents(agents: Pick<AgentManager, "list">): KnownAgents {
  return Object.fromEntries(
    agents
      .list()
      .map(({ id, name, subagents }) => [
        id,
        { ...(name !== undefined && { name }), ...(subagents !== undefined && { allowAgents: subagents }) },
      ]),
  );
}

/** Why a session of an agent cannot have a model. */
export function unfitModel(agents: Pick<AgentManager, "list">, agentId: string, model: string | undefined): string | undefined {
  const agent = agents.list().find(({ id }) => id === agentId);
  if (agent === undefined) return `No agent "${agentId.slice(0, 128)}" runs here. agents_list names those that do.`;
  const names = modelNames(agent);
  if (model === undefined || names.includes(model)) return undefined;
  return `Agent "${agentId}" has no model ${JSON.stringify(model)}. Models: ${names.join(", ")}.`;
}
