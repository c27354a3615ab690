import { randomUUID } from "node:crypto";
import type { Caller } from "@toolrack/core";
import { inheritTools } from "@toolrack/core/policy";
import type { Clock } from "@toolrack/core/node";
import { agentOf, type KnownAgents, maySpawn, spawnableAgents } from "../allowed-agents.ts";
import { childCaller, originOf } from "../child-caller.ts";
import type { SendOutcome, SessionsHost, SpawnRequest } from "../host.ts";
import { type SpawnLimits, spawnRefusal, steerEveryMs } from "../limits.ts";
import { mayUse, type SessionDeed, type SessionViewer } from "../sight.ts";
import type { SessionRunner } from "./_runner.ts";
import { createMemorySession, type MemorySession, toChildRun, toSummary } from "./_session.ts";

export interface ViewParts extends SpawnLimits {
  readonly viewer: SessionViewer;
  readonly caller: Caller;
  /** The session that the call belongs to. */
  readonly own: MemorySession | undefined;
  readonly agents: KnownAgents;
  readonly models?: readonly string[];
  readonly clock: Clock;
  readonly runner: SessionRunner;
  toolsOf(caller: Caller): readonly { readonly name: string }[];
  find(keyOrId: string): MemorySession | undefined;
  all(): readonly MemorySession[];
  /** Sessions that were spawned, also those that are not kept. */
  spawned(): readonly MemorySession[];
  add(session: MemorySession): void;
}

/** The sessions of a memory, seen with the eyes of one caller. */
export function viewSessions(parts: ViewParts): SessionsHost {
  const { viewer, caller, own, agents, models, clock, runner } = parts;
  const seen = (session: string, deed: SessionDeed): MemorySession | undefined => {
    const found = parts.find(session);
    return found !== undefined && mayUse(found, viewer, deed) ? found : undefined;
  };
  const isRunning = ({ spawned }: MemorySession): boolean => spawned?.status === "running";

  return {
    own: own?.key,
    async list({ kinds, agentId, label, search, activeSince = 0, limit, offset }) {
      const part = search?.toLowerCase();
      return parts
        .all()
        .filter((session) => mayUse(session, viewer, "list"))
        .map(toSummary)
        .filter((row) => kinds?.includes(row.kind) !== false && (agentId === undefined || row.agent === agentId))
        .filter((row) => (label === undefined || row.label === label) && row.updatedAt >= activeSince)
        .filter((row) => part === undefined || row.key.toLowerCase().includes(part) || row.label?.toLowerCase().includes(part) === true)
        .sort((one, other) => other.updatedAt - one.updatedAt || (one.key < other.key ? -1 : 1))
        .slice(offset, offset + limit);
    },
    async history(session, { limit, offset }) {
      const found = seen(session, "read");
      if (found === undefined) return undefined;
      const end = Math.max(0, found.messages.length - offset);
      const start = Math.max(0, end - limit);
      return { session: toSummary(found), messages: found.messages.slice(start, end), more: start > 0 };
    },
    async send(session, message, { waitMs, signal }) {
      const found = seen(session, "send");
      if (found === undefined) return undefined;
      if (found.status === "ended") return { status: "error", error: `The session ${found.key} has ended, and takes no messages.` };
      if (found.inbox.length >= maxWaiting)
        return { status: "error", error: `${maxWaiting} messages already wait for ${found.key}. Try again when it has read some.` };
      const { runId, outcome } = runner.send(found, message, originOf(caller, own?.key));
      return waitMs === 0 ? { status: "accepted", runId } : waitFor(outcome, runId, waitMs, signal);
    },
    async spawn(request) {
      const agent = request.agentId ?? caller.agent;
      if (own === undefined || agent === undefined) return { status: "forbidden", error: "Only a session can spawn others." };
      const children = parts.spawned().filter(isRunning);
      const refusal = spawnRefusal(
        {
          depth: own.depth,
          children: children.filter(({ parent }) => parent === own).length,
          running: children.length,
          agentId: agent,
          isAllowedAgent: maySpawn(own.agent, agent, agents),
        },
        parts,
      );
      if (refusal !== undefined) return { status: "forbidden", error: refusal };
      if (request.model !== undefined && models?.includes(request.model) === false)
        return { status: "error", error: unknownModel(request.model, models) };
      const { inherited, missing } = inheritTools(parts.toolsOf(caller), request.tools);
      if (missing.length > 0)
        return { status: "forbidden", error: `A child gets only tools that you have, and you have none that is ${missing.join(", ")}.` };
      return start(own, agent, inherited, request);
    },
    async children({ endedSince }) {
      return parts
        .spawned()
        .filter((session) => mayUse(session, viewer, "cancel") && (session.spawned!.endedAt ?? Infinity) >= endedSince)
        .map(toChildRun)
        .reverse();
    },
    async steer(child, message) {
      const found = seen(child, "steer");
      if (found?.spawned === undefined) return undefined;
      if (!isRunning(found)) return { status: "ended" };
      const waitMs = (found.spawned.steeredAt ?? -Infinity) + steerEveryMs - clock.now();
      if (waitMs > 0) return { status: "wait", retryAfterMs: waitMs };
      found.spawned.steeredAt = clock.now();
      runner.send(found, message, originOf(caller, own?.key));
      return { status: "steered" };
    },
    async cancel(child) {
      const found = seen(child, "cancel");
      if (found === undefined) return undefined;
      const wasThere = found.status !== "ended";
      const below = parts.all().filter(({ ancestors }) => ancestors.includes(found.id));
      for (const session of [found, ...below]) runner.end(session, "cancelled", "The session was ended by the one that spawned it.");
      return wasThere;
    },
    async status(session) {
      const found = session === undefined ? own : seen(session, "read");
      if (found === undefined) return undefined;
      const { inputTokens, outputTokens } = found.usage;
      const runningChildren = parts.spawned().filter((child) => child.parent === found && isRunning(child)).length;
      return { ...toSummary(found), inputTokens, outputTokens, queued: found.inbox.length, runningChildren };
    },
    async setModel(session, model) {
      const found = seen(session, "change-model");
      if (found === undefined) return undefined;
      if (model !== undefined && models?.includes(model) === false) return { ok: false, error: unknownModel(model, models) };
      const next = model ?? agentOf(found.agent, agents)?.model;
      const changed = found.model !== next;
      found.model = next;
      return { ok: true, changed };
    },
    agents: async () => spawnableAgents(caller.agent ?? "unknown", agents),
  };

  function start(
    parent: MemorySession,
    agent: string,
    inherited: readonly string[],
    request: SpawnRequest,
  ): ReturnType<SessionsHost["spawn"]> {
    const key = `agent:${agent}:subagent:${randomUUID()}`;
    const model = request.model ?? agentOf(agent, agents)?.model ?? (agent === parent.agent ? parent.model : undefined);
    const runId = randomUUID();
    const { task, mode, cleanup, runTimeoutSeconds } = request;
    const child = createMemorySession(
      {
        key,
        agent,
        label: request.label,
        model,
        parent,
        caller: childCaller(caller, { agent, session: key, depth: parent.depth + 1, model, inherited }),
        spawned: {
          runId,
          task,
          mode,
          cleanup,
          runTimeoutMs: runTimeoutSeconds * 1_000,
          thinking: request.thinking,
          startedAt: clock.now(),
          status: "running",
          endedAt: undefined,
          steeredAt: undefined,
        },
      },
      clock.now(),
    );
    parts.add(child);
    runner.send(child, request.task, originOf(caller, parent.key));
    return Promise.resolve({ status: "accepted", childSessionKey: key, runId });
  }

  /** The end of the wait is not the end of the run. */
  function waitFor(outcome: Promise<SendOutcome>, runId: string, waitMs: number, signal: AbortSignal): Promise<SendOutcome> {
    return new Promise((resolve) => {
      const giveUp = (): void => done({ status: "timeout", runId });
      const cancelTimer = clock.after(waitMs, giveUp);
      signal.addEventListener("abort", giveUp, { once: true });
      const done = (told: SendOutcome): void => {
        cancelTimer();
        signal.removeEventListener("abort", giveUp);
        resolve(told);
      };
      void outcome.then(done);
    });
  }
}

/** Messages that wait for one session. */
const maxWaiting = 1_000;

function unknownModel(model: string, models: readonly string[]): string {
  return `There is no model ${JSON.stringify(model)} here. Models: ${models.join(", ") || "none"}.`;
}
