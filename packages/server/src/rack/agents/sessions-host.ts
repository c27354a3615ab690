import type { Caller, Registry } from "@toolrack/core";
import { ToolError } from "@toolrack/core";
import type { Clock } from "@toolrack/core/node";
import type { Session, SessionFilter } from "@toolrack/store";
import {
  mayUse,
  type OpenSessions,
  originOf,
  type SendOutcome,
  type SessionDeed,
  type SessionsHost,
  type SessionSummary,
  type SightedSession,
  type SightOptions,
  spawnableAgents,
  type SpawnLimits,
  steerEveryMs,
  viewerOf,
} from "@toolrack/tools";
import type { ShowInput } from "../calls/shown-input.ts";
import { modelNames, withModel } from "../../config/agents.ts";
import type { AgentManager } from "./create-agents.ts";
import { lastText } from "./last-text.ts";
import { toChildRun, toSummary } from "./session-summary.ts";
import { createSpawn, knownAgents, type SpawnSession, unfitModel } from "./spawn-session.ts";

export interface SessionsHostOptions {
  readonly agents: AgentManager;
  readonly registry: Pick<Registry, "view">;
  readonly clock: Clock;
  readonly showInput: ShowInput;
}

/** What sessions see of each other, and how many they spawn. */
type SessionsLimits = SightOptions & SpawnLimits;

/** Sessions as the tools of the pack get them. */
export function createSessionsOpener(options: SessionsHostOptions, limits: SessionsLimits = {}): OpenSessions {
  const steered = new Map<string, number>();
  const spawn = createSpawn({ ...options, limits });
  return ({ caller }) => openSessionsHost(caller, { ...options, limits, steered, spawn });
}

interface HostParts extends SessionsHostOptions {
  readonly limits: SessionsLimits;
  /** When each child was last steered; shared by all callers. */
  readonly steered: Map<string, number>;
  readonly spawn: SpawnSession;
}

/** The sessions of a server, seen with the eyes of one caller. */
async function openSessionsHost(caller: Caller, { agents, clock, showInput, limits, steered, spawn }: HostParts): Promise<SessionsHost> {
  const { sessions } = agents;
  const own = caller.session === undefined ? undefined : await sessions.get(caller.session);
  const viewer = viewerOf(caller, own && (await sightedOf(own)), limits);
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
    const children = await sessions.list({ parent, limit: pageSize });
    return [...children, ...(await Promise.all(children.map(({ id }) => below(id)))).flat()];
  }

  /** Of its next run. */
  function modelOf({ agent, model }: Session): string | undefined {
    const known = agents.list().find(({ id }) => id === agent);
    return known === undefined ? model : modelNames(withModel(known, model))[0];
  }

  const summaryOf = (session: Session): SessionSummary => toSummary(session, modelOf(session));

  return {
    own: isInside ? own.key : undefined,
    async list({ kinds, agentId, label, search, activeSince, limit, offset }) {
      const filter: SessionFilter = {
        ...(kinds !== undefined && { kinds }),
        ...(agentId !== undefined && { agent: agentId }),
        ...(label !== undefined && { label }),
        ...(search !== undefined && { search }),
        ...(activeSince !== undefined && { activeSince }),
      };
      const rows: SessionSummary[] = [];
      for (let read = 0; rows.length < offset + limit; read += pageSize) {
        const page = await sessions.list({ ...filter, limit: pageSize, offset: read });
        for (const session of page) if (mayUse(await sightedOf(session), viewer, "list")) rows.push(summaryOf(session));
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
      // The calls of a model in them have inputs.
      const shown = messages.map(({ message, ...rest }) => ({ ...rest, message: showInput(message) as typeof message }));
      return { session: summaryOf(found), messages: shown, more: begin > 0 };
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
      return waiting.aborted ? { status: "timeout", runId } : replyOf(runId);
    },
    async spawn(request) {
      if (!isInside) return { status: "forbidden", error: "Only a session can spawn others." };
      return spawn({ parent: own, caller, origin }, request);
    },
    async children({ endedSince }) {
      if (!isInside) return [];
      const isThere = (session: Session): boolean => session.status !== "ended" || agents.spawnedOf(session)?.cleanup !== "delete";
      const listed = [...(await below(own.id)).filter(isThere), ...agents.removedBelow(own.id)];
      const all = listed.sort((one, other) => other.createdAt - one.createdAt);
      return all
        .map((session) => toChildRun(session, agents.spawnedOf(session), modelOf(session)))
        .filter(({ endedAt = Infinity }) => endedAt >= endedSince);
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
        await sessions.end(session.id, { text, status: "cancelled", toParent: false });
        await agents.cancel(session.id, text);
      }
      return found.status !== "ended";
    },
    async status(name) {
      const found = name === undefined ? (isInside ? own : undefined) : await seen(name, "read");
      if (found === undefined) return undefined;
      const children = await sessions.list({ parent: found.id, limit: pageSize });
      const { inputTokens, outputTokens } = found.usage;
      const runningChildren = children.filter(({ status }) => status === "running" || status === "waiting").length;
      return { ...summaryOf(found), inputTokens, outputTokens, queued: found.inbox, runningChildren };
    },
    async setModel(name, model) {
      const found = await seen(name, "change-model");
      if (found === undefined) return undefined;
      const error = unfitModel(agents, found.agent, model);
      if (error !== undefined) return { ok: false, error };
      const next = model ?? modelNames(agents.list().find(({ id }) => id === found.agent)!)[0]!;
      const changed = modelOf(found) !== next;
      if (changed) await sessions.update(found.id, { model: next });
      return { ok: true, changed };
    },
    agents: async () => spawnableAgents(caller.agent ?? "unknown", knownAgents(agents)),
  };

  /** What the session answered; a run on another server tells no more than its text. */
  async function replyOf(runId: string): Promise<SendOutcome> {
    const ended = agents.lastResult(runId);
    if (ended?.status === "failed") return { status: "error", error: ended.reason, runId };
    return { status: "ok", runId, reply: await lastText(sessions, runId) };
  }
}

const maxAncestors = 20;
const maxSteered = 10_000;
const pageSize = 200;
