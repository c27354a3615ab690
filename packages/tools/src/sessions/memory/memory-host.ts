import { type Caller, ToolError } from "@toolrack/core";
import { type Clock, systemClock } from "@toolrack/core/node";
import { agentOf, type KnownAgents } from "../allowed-agents.ts";
import type { OpenSessions, SessionMessage, SessionOrigin } from "../host.ts";
import type { SpawnLimits } from "../limits.ts";
import { type SightOptions, viewerOf } from "../sight.ts";
import { createSessionRunner } from "./_runner.ts";
import { append, createMemorySession, type MemorySession } from "./_session.ts";
import { viewSessions } from "./_view.ts";
import type { RunSession } from "./run-session.ts";

export interface MemorySessionsOptions extends SightOptions, SpawnLimits {
  /** Lets a session answer. */
  readonly run: RunSession;
  /** The tools that a caller has in view, of which its children inherit: `(caller) => registry.view(caller).tools`. */
  readonly toolsOf: (caller: Caller) => readonly { readonly name: string }[];
  /** The agents, by id. @default none is configured: sessions spawn those of their own agent alone */
  readonly agents?: KnownAgents;
  /** The models that a session may be switched to. @default any */
  readonly models?: readonly string[];
  /** @default the time of the machine */
  readonly clock?: Clock;
}

export interface NewSession {
  readonly agent: string;
  /** @default "agent:<agent>:main" */
  readonly key?: string;
  readonly label?: string;
  /** @default that of the agent */
  readonly model?: string;
  /** Who it runs for: its calls are made with these facts. */
  readonly caller?: Caller;
}

/**
 * Sessions in the memory of this program, for agents without a server. They are gone when it ends, and those that were spawned a day after
 * their end.
 */
export interface MemorySessions {
  /** For `createSessionsTools`. */
  readonly open: OpenSessions;
  /** Throws INPUT_INVALID if the key is taken. The caller is that of the calls that belong to the session. */
  create(session: NewSession): { readonly key: string; readonly id: string; readonly caller: Caller };
  /** Adds messages of an earlier conversation; nothing runs. */
  restore(session: string, messages: readonly SessionMessage[]): void;
  /** Says something in a session, and resolves with its answer. Rejects if there is none. @param from a person, if absent */
  say(session: string, text: string, from?: SessionOrigin): Promise<string>;
  /** Ends every session. */
  close(): void;
}

export function createMemorySessionsHost(options: MemorySessionsOptions): MemorySessions {
  const { agents = {}, clock = systemClock } = options;
  const byKey = new Map<string, MemorySession>();
  const byId = new Map<string, MemorySession>();
  const find = (keyOrId: string): MemorySession | undefined => byKey.get(keyOrId) ?? byId.get(keyOrId);
  const add = (session: MemorySession): void => {
    byKey.set(session.key, session);
    byId.set(session.id, session);
  };
  const forget = ({ key, id }: MemorySession): void => {
    byKey.delete(key);
    byId.delete(id);
  };
  const runner = createSessionRunner({ run: options.run, clock, forget });
  /** Also sessions whose messages are gone: how they ended is told for a day. */
  const spawned = new Set<MemorySession>();

  function forgetOld(): void {
    const yesterday = clock.now() - 86_400_000;
    for (const session of spawned) {
      if (session.status !== "ended" || session.updatedAt >= yesterday) continue;
      spawned.delete(session);
      forget(session);
    }
  }

  function requireOpen(keyOrId: string): MemorySession {
    const found = find(keyOrId);
    if (found !== undefined && found.status !== "ended") return found;
    throw new ToolError("INPUT_INVALID", `There is no session "${keyOrId}" that takes messages. Create it first.`);
  }

  return {
    open({ caller }) {
      const own = caller.session === undefined ? undefined : find(caller.session);
      const viewer = viewerOf(caller, own, options);
      forgetOld();
      return viewSessions({
        ...options,
        agents,
        clock,
        runner,
        viewer,
        caller,
        own: viewer.session === undefined ? undefined : own,
        find,
        all: () => [...byKey.values()],
        spawned: () => [...spawned],
        add(session) {
          add(session);
          spawned.add(session);
        },
      });
    },
    create({ agent, key = `agent:${agent}:main`, label, model = agentOf(agent, agents)?.model, caller = {} }) {
      if (byKey.has(key)) throw new ToolError("INPUT_INVALID", `There is already a session "${key}". Choose another key.`);
      const facts = Object.freeze({ ...caller, agent, session: key });
      const session = createMemorySession({ key, agent, label, model, parent: undefined, spawned: undefined, caller: facts }, clock.now());
      add(session);
      return { key, id: session.id, caller: facts };
    },
    restore(session, messages) {
      const found = requireOpen(session);
      for (const message of messages) append(found, message, clock.now());
    },
    async say(session, text, from = { kind: "person" }) {
      const outcome = await runner.send(requireOpen(session), text, from).outcome;
      if (outcome.status === "ok") return outcome.reply;
      throw new ToolError("TOOL_FAILED", "error" in outcome ? outcome.error : "The session did not answer.");
    },
    close() {
      for (const session of byKey.values()) runner.end(session, "cancelled", "The program has closed its sessions.");
    },
  };
}
