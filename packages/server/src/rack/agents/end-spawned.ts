import type { Message, RunResult } from "@toolrack/agent";
import type { Clock } from "@toolrack/core/node";
import type { Session, SessionStore } from "@toolrack/store";
import type { Spawned } from "./host-state.ts";

export interface SpawnedEndsOptions {
  readonly sessions: SessionStore<Message>;
  readonly clock: Clock;
  spawnedOf(session: Session): Spawned | undefined;
}

export type EndedRun = Pick<RunResult, "status" | "code" | "reason" | "text">;

/** What becomes of spawned sessions when their run is over. */
export interface SpawnedEnds {
  /** The result of a spawned session is a message to its parent, in one transaction with its end; one that stays tells it once. */
  end(id: string, run: EndedRun): Promise<void>;
  /** Removes the messages of a session that ended, where that was asked for. */
  cleanUp(session: Session): Promise<void>;
  /** Sessions below a parent whose messages are gone. How they ended is told by this server for a while. */
  removedBelow(parent: string): readonly Session[];
}

export function createSpawnedEnds({ sessions, clock, spawnedOf }: SpawnedEndsOptions): SpawnedEnds {
  const removed = new Map<string, Session>();

  async function cleanUp(session: Session): Promise<void> {
    if (session.status !== "ended" || spawnedOf(session)?.cleanup !== "delete") return;
    await sessions.remove(session.id);
    removed.set(session.id, session);
    if (removed.size > maxRemoved) removed.delete(removed.keys().next().value!);
  }

  return {
    async end(id, run) {
      const session = await sessions.get(id);
      const spawned = session && spawnedOf(session);
      if (spawned === undefined || run.status === "waiting" || session!.inbox > 0) return;
      if (session!.status === "ended") return cleanUp(session!);
      const { status, text } = outcomeOf(run, clock.now() - session!.createdAt, spawned);
      const toParent = messageOf(session!, status, text);
      if (spawned.mode === "run") return cleanUp(await sessions.end(id, { text, status, toParent }));
      const { parent, key } = session!;
      const from = { kind: "session", id: key } as const;
      if (parent !== undefined) await sessions.send(parent, { content: toParent, from, source: `answer of ${id}` }).catch(unlessEnded);
    },
    cleanUp,
    removedBelow: (parent) => [...removed.values()].filter((session) => session.parent === parent),
  };
}

/** Sessions that are gone, on one server. */
const maxRemoved = 1_000;

function outcomeOf(run: EndedRun, tookMs: number, { runTimeoutMs }: Spawned): { readonly status: string; readonly text: string } {
  const { status, code, reason, text } = run;
  if (status === "done") return { status, text };
  const isLate = code === "budget" && runTimeoutMs > 0 && tookMs >= runTimeoutMs;
  return { status: isLate ? "timeout" : "failed", text: `${text}\n${reason}`.trim() };
}

function messageOf({ key, label }: Session, status: string, text: string): string {
  return `The sub-agent ${label === undefined ? key : `${JSON.stringify(label)} (${key})`} is ${status}.\n\n${text}`;
}

/** A parent that has ended or is gone is told nothing. */
function unlessEnded(error: { readonly code?: string }): void {
  if (error.code !== "SESSION_ENDED" && error.code !== "SESSION_UNKNOWN") throw error;
}
