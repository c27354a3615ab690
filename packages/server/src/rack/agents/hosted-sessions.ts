import type { Message, SessionStore } from "@toolrack/agent";
import type { Session, SessionLease, SessionStore as StoredSessions } from "@toolrack/store";
import { hasEnded } from "../cluster/server-name.ts";
import type { HostState, HostStates, OpenRun } from "./host-state.ts";

export interface HostedOptions {
  readonly sessions: StoredSessions<Message>;
  readonly states: HostStates;
  /** The present name of this server. */
  ownName(): string;
  /** What changes with this run, once the session is ours. */
  change(host: HostState): HostState;
  /** Told before the loop reads the session. */
  onTaken(run: TakenRun): void;
}

/** A run that has the session. */
export interface TakenRun {
  readonly run: number;
  /** The runs before it that may have left calls without an answer. */
  readonly before: readonly OpenRun[];
  readonly session: Session;
}

/**
 * The sessions as one run sees them: whoever takes a session writes down that it does, in the session itself. So the next one knows whose calls may
 * lack an answer, and need not wait for the lease of a process that is gone.
 */
export function createHostedSessions(options: HostedOptions): SessionStore {
  const { sessions, states, ownName, change, onTaken } = options;

  async function take(id: string, holder: string, ttlMs: number): Promise<SessionLease | undefined> {
    const lease = await sessions.acquire(id, holder, ttlMs);
    if (lease !== undefined) return lease;
    const found = await sessions.get(id);
    const last = found && states.read(found)?.host.open.at(-1);
    if (last === undefined || !hasEnded(last.server)) return undefined;
    // Its process is gone: as its holder, we give its lease back. Of several that do, one gets the session.
    const left = await sessions.acquire(id, last.holder, ttlMs);
    if (left === undefined) return undefined;
    await sessions.release(left);
    return sessions.acquire(id, holder, ttlMs);
  }

  return {
    ...sessions,
    async acquire(id, name, ttlMs) {
      const server = ownName();
      const holder = `${server}/${name}`;
      const lease = await take(id, holder, ttlMs);
      if (lease === undefined) return undefined;
      const session = await sessions.get(id);
      const known = session && states.read(session);
      if (session === undefined || known === undefined) return lease;
      const run = known.host.runs + 1;
      // A session that is not "running" was given back by its last run, which left nothing open.
      const before = session.status === "running" ? known.host.open : [];
      const open = [...before, { run, server, holder, last: session.last }].slice(-maxOpen);
      const host = change({ ...known.host, runs: run, open });
      await sessions.update(id, { state: { ...session.state, server: host } }, lease);
      onTaken({ run, before, session });
      return lease;
    },
  };
}

/** A session whose every run is cut off is cut off by itself. */
const maxOpen = 20;
