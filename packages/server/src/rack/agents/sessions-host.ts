import { randomUUID } from "node:crypto";
import { type Caller, type Registry, ToolError } from "@toolrack/core";
import { inheritTools } from "@toolrack/core/policy";
import type { Clock } from "@toolrack/core/node";
import type { Session, SessionFilter } from "@toolrack/store";
import {
  type ChildRun,
  type KnownAgents,
  maySpawn,
  mayUse,
  type OpenSessions,
  originOf,
  type SessionDeed,
  sessionKind,
  type SessionsHost,
  type SessionSummary,
  type SightedSession,
  spawnableAgents,
  spawnRefusal,
  type SpawnRequest,
  steerEveryMs,
  viewerOf,
} from "@toolrack/tools";
import type { AgentManager } from "./create-agents.ts";
import { lastText } from "./last-text.ts";

export interface SessionsHostOptions {
  readonly agents: AgentManager;
  readonly registry: Pick<Registry, "view">;
  readonly clock: Clock;
  /** When each child was last steered; shared by all callers. */
  readonly steered: Map<string, number>;
}

/** Sessions as the tools of the pack get them. */
export function createSessionsOpener(options: Omit<SessionsHostOptions, "steered">): OpenSessions {
  const steered = new Map<string, number>();
  return ({ caller }) => openSessionsHost(caller, { ...options, steered });
}

/** The sessions of a server, seen with the eyes of one caller. */
async function openSessionsHost(caller: Caller, options: SessionsHostOptions): Promise<SessionsHost> {
  const { agents, registry, clock, steered } = options;
  const { sessions } = agents;
  const own = caller.session === undefined ? undefined : await sessions.get(caller.session);
  const viewer = viewerOf(caller, own && (await sightedOf(own)), {});
  const isInside = own !== undefined && viewer.session === own.id;
  const origin = originOf(caller, isInside ? own.key : undefined);

  /** The sessions that it comes from, the nearest first. */
  async function sightedOf(session: Session): Promise<SightedSession> {
    const ancestors: string[] = [];
    for (let above = session.parent; above !== undefined && ancestors.length < maxAncestors; above = (await sessions.get(above))?.parent)
      ancestors.push(above);
    const starter = agents.starterOf(session);
    return { id: session.id, agent: session.agent, tenant: starter?.tenant, principal: starter?.principal, ancestors };
  }

  async function seen(name: string, deed: SessionDeed): Promise<Session | undefined> {
    const found = await sessions.get(name);
    return found !== undefined && mayUse(await sightedOf(found), viewer, deed) ? found : undefined;
  }

  async function below(parent: string): Promise<readonly Session[]> {
    const children = await sessions.list({ parent, limit: 200 });
    return [...children, ...(await Promise.all(children.map(({ id }) => below(id)))).flat()];
  }

  const known = (): KnownAgents =>
    Object.fromEntries(agents.list().map(({ id, subagents }) => [id, { ...(subagents !== undefined && { allowAgents: subagents }) }]));

  async function start(
    parent: Session,
    agent: string,
    inherited: readonly string[],
    request: SpawnRequest,
  ): ReturnType<SessionsHost["spawn"]> {
    const key = `agent:${agent}:subagent:${randomUUID()}`;
    const { task, label, mode, cleanup, runTimeoutSeconds } = request;
    try {
      const run = await agents.spawn(agent, {
        input: task,
        session: key,
        caller: { ...caller, inherited, owner: false },
        from: origin,
        depth: parent.depth + 1,
        parent: parent.id,
        spawned: { mode, cleanup, runTimeoutMs: runTimeoutSeconds * 1_000, task },
        ...(label !== undefined && { label }),
      });
      return { status: "accepted", childSessionKey: key, runId: run.session };
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      return { status: "error", error: error.message };
    }
  }

  return {
    own: isInside ? own.key : undefined,
    async list({ kinds, agentId, label, search, activeSince, limit, offset }) {
      const filter: SessionFilter = {
        ...(kinds !== undefined && { kinds: kinds.filter((kind) => kind !== "node") }),
        ...(agentId !== undefined && { agent: agentId }),
        ...(label !== undefined && { label }),
        ...(search !== undefined && { search }),
        ...(activeSince !== undefined && { activeSince }),
      };
      const rows: SessionSummary[] = [];
      for (let read = 0; rows.length < offset + limit; read += pageSize) {
        const page = await sessions.list({ ...filter, limit: pageSize, offset: read });
        for (const session of page) if (mayUse(await sightedOf(session), viewer, "list")) rows.push(toSummary(session));
        if (page.length < pageSize) break;
      }
      return rows.slice(offset, offset + limit);
    },
    async history(name, { limit, offset }) {
      const found = await seen(name, "read");
      if (found === undefined) return undefined;
      const end = Math.max(0, found.last - offset);
      const begin = Math.max(0, end - limit);
      const messages = end === begin ? [] : await sessions.messages(found.id, { after: begin, limit: end - begin });
      return { session: toSummary(found), messages, more: begin > 0 };
    },
    async send(name, message, { waitMs, signal }) {
      const found = await seen(name, "send");
      if (found === undefined) return undefined;
      const runId = found.id;
      if (found.status === "ended") return { status: "error", error: `The session ${found.key} has ended, and takes no messages.` };
      try {
        await agents.send(found.id, message, origin);
      } catch (error) {
        if (!ToolError.is(error)) throw error;
        return { status: "error", error: error.message, runId };
      }
      if (waitMs === 0) return { status: "accepted", runId };
      const waiting = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
      await agents.settled(found.id, waiting);
      if (waiting.aborted) return { status: "timeout", runId };
      return { status: "ok", runId, reply: await lastText(sessions, found.id) };
    },
    async spawn(request) {
      const agent = request.agentId ?? caller.agent;
      if (!isInside || agent === undefined) return { status: "forbidden", error: "Only a session can spawn others." };
      const running = await Promise.all([
        sessions.list({ kinds: ["subagent"], status: "running", limit: 200 }),
        sessions.list({ kinds: ["subagent"], status: "waiting", limit: 200 }),
      ]);
      const children = running.flat();
      const refusal = spawnRefusal(
        {
          depth: own.depth,
          children: children.filter(({ parent }) => parent === own.id).length,
          running: children.length,
          agentId: agent,
          isAllowedAgent: maySpawn(own.agent, agent, known()),
        },
        {},
      );
      if (refusal !== undefined) return { status: "forbidden", error: refusal };
      if (request.model !== undefined) return { status: "error", error: fixedModel(agent) };
      const { inherited, missing } = inheritTools(registry.view(caller).tools, request.tools);
      if (missing.length > 0)
        return { status: "forbidden", error: `A child gets only tools that you have, and you have none that is ${missing.join(", ")}.` };
      return start(own, agent, inherited, request);
    },
    async children({ endedSince }) {
      if (!isInside) return [];
      const all = await below(own.id);
      return all
        .filter(({ endedAt }) => (endedAt ?? Infinity) >= endedSince)
        .sort((one, other) => other.createdAt - one.createdAt)
        .map((session) => toChildRun(session, agents.taskOf(session)));
    },
    async steer(name, message) {
      const found = await seen(name, "steer");
      if (found === undefined) return undefined;
      if (found.status === "ended") return { status: "ended" };
      const waitMs = (steered.get(found.id) ?? -Infinity) + steerEveryMs - clock.now();
      if (waitMs > 0) return { status: "wait", retryAfterMs: waitMs };
      steered.delete(found.id);
      steered.set(found.id, clock.now());
      if (steered.size > maxSteered) steered.delete(steered.keys().next().value!);
      await agents.send(found.id, message, origin);
      return { status: "steered" };
    },
    async cancel(name) {
      const found = await seen(name, "cancel");
      if (found === undefined) return undefined;
      const text = "The session was ended by the one that spawned it.";
      for (const session of [found, ...(await below(found.id))]) {
        await sessions.end(session.id, { text, status: "cancelled" });
        await agents.cancel(session.id, text);
      }
      return found.status !== "ended";
    },
    async status(name) {
      const found = name === undefined ? (isInside ? own : undefined) : await seen(name, "read");
      if (found === undefined) return undefined;
      const children = await sessions.list({ parent: found.id, limit: 200 });
      const { inputTokens, outputTokens } = found.usage;
      const runningChildren = children.filter(({ status }) => status === "running" || status === "waiting").length;
      return { ...toSummary(found), inputTokens, outputTokens, queued: found.inbox, runningChildren };
    },
    async setModel(name, model) {
      const found = await seen(name, "change-model");
      if (found === undefined) return undefined;
      return model === undefined || model === found.model ? { ok: true, changed: false } : { ok: false, error: fixedModel(found.agent) };
    },
    agents: async () => spawnableAgents(caller.agent ?? "unknown", known()),
  };
}

const maxAncestors = 20;
const maxSteered = 10_000;
const pageSize = 200;

function fixedModel(agent: string): string {
  return `This server runs agent "${agent}" with the model of its configuration. Leave the model out.`;
}

function toSummary(session: Session): SessionSummary {
  const { label, model, usage } = session;
  const { id, key, agent, status, createdAt, updatedAt } = session;
  const tokens = usage.inputTokens + usage.outputTokens;
  const known = { id, key, agent, kind: sessionKind(key), status, createdAt, updatedAt, tokens };
  return { ...known, ...(label !== undefined && { label }), ...(model !== undefined && { model }), ...costOf(usage) };
}

function costOf({ costUsd }: Session["usage"]): Pick<SessionSummary, "costUsd"> {
  return costUsd === undefined ? {} : { costUsd };
}

function toChildRun(session: Session, task: string): ChildRun {
  const { id, key, label, agent, model, status, createdAt, endedAt, result } = session;
  const ended = result?.status;
  const isKnown = ended === "failed" || ended === "timeout" || ended === "cancelled";
  return {
    id,
    sessionKey: key,
    ...(label !== undefined && { label }),
    task,
    agent,
    ...(model !== undefined && { model }),
    status: status === "running" || status === "waiting" ? "running" : isKnown ? ended : "done",
    startedAt: createdAt,
    ...(endedAt !== undefined && { endedAt }),
  };
}
