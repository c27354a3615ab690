import { deepFreeze } from "@toolrack/core/internal";
import { type Clock, systemClock } from "@toolrack/core/node";
import { SessionError } from "./errors.ts";
import type { Message } from "./message.ts";
import type { InboxMessage, Session, SessionFilter, SessionLease, SessionPatch, SessionStore, StoredMessage } from "./sessions.ts";

export interface MemorySessionsOptions {
  /** @default the machine's clock */
  readonly clock?: Clock;
}

/** How many messages wait in one inbox at most. */
export const maxInbox = 1_000;

const defaultLimit = 100;
const maxLimit = 200;
const defaultMessages = 1_000;

interface Kept {
  session: Session;
  readonly messages: StoredMessage[];
  inbox: InboxMessage[];
  fence: number;
  lease: { readonly holder: string; readonly fence: number; readonly until: number } | undefined;
}

/** Sessions in this process, gone with it. What is handed in is copied, and what is handed out is frozen. */
export function createMemorySessions({ clock = systemClock }: MemorySessionsOptions = {}): SessionStore {
  const byId = new Map<string, Kept>();
  const byKey = new Map<string, Kept>();
  const listeners = new Set<(session: string) => void>();
  let inboxCount = 0;

  const find = (idOrKey: string): Kept | undefined => byId.get(idOrKey) ?? byKey.get(idOrKey);
  const tell = (id: string): void => listeners.forEach((listener) => listener(id));

  function kept(id: string): Kept {
    const found = find(id);
    if (found === undefined)
      throw new SessionError("SESSION_UNKNOWN", `There is no session "${id}". List the sessions to see which there are.`);
    return found;
  }

  /** The session, if whoever writes has not lost it to another holder. */
  function held(id: string, lease: SessionLease | undefined): Kept {
    const found = kept(id);
    if (lease === undefined || found.fence === lease.fence) return found;
    throw new SessionError(
      "LEASE_LOST",
      `Another runner has taken over session "${found.session.key}". Stop, and write nothing more to it.`,
    );
  }

  function checkLast({ session }: Kept, after: number): void {
    if (session.last === after) return;
    const fact = `Session "${session.key}" has ${session.last} messages, not ${after}.`;
    throw new SessionError("SESSION_CHANGED", `${fact} Read the new ones before you append.`);
  }

  function change(one: Kept, patch: SessionPatch & { readonly last?: number }): Session {
    return (one.session = Object.freeze({ ...one.session, ...patch, ...copyOf(patch), updatedAt: clock.now() }));
  }

  function push(one: Kept, messages: readonly Message[], patch?: SessionPatch): number {
    const { id, last } = one.session;
    const at = clock.now();
    for (const [index, message] of messages.entries()) one.messages.push(copyOf({ session: id, seq: last + index + 1, at, message }));
    return change(one, { ...patch, last: last + messages.length }).last;
  }

  function put(one: Kept, message: Pick<InboxMessage, "content" | "from">): InboxMessage {
    if (one.inbox.length >= maxInbox) {
      const fact = `${maxInbox} messages wait in the inbox of session "${one.session.key}".`;
      throw new SessionError("INBOX_FULL", `${fact} Let its agent run before you send more.`);
    }
    const { content, from } = message;
    const added = copyOf({ id: String(++inboxCount), content, from, at: clock.now() });
    one.inbox.push(added);
    return added;
  }

  return {
    async create({ key, agent, kind, label, parent, depth = 0, model, state }) {
      if (byKey.has(key)) throw new SessionError("SESSION_EXISTS", `There is already a session "${key}". Use it, or choose another key.`);
      const now = clock.now();
      const session: Session = copyOf({
        id: globalThis.crypto.randomUUID(),
        key,
        agent,
        kind,
        ...(label !== undefined && { label }),
        ...(parent !== undefined && { parent }),
        depth,
        status: "idle",
        ...(model !== undefined && { model }),
        usage: { inputTokens: 0, outputTokens: 0, turns: 0, calls: 0 },
        createdAt: now,
        updatedAt: now,
        last: 0,
        ...(state !== undefined && { state }),
      });
      const one: Kept = { session, messages: [], inbox: [], fence: 0, lease: undefined };
      byId.set(session.id, one);
      byKey.set(key, one);
      tell(session.id);
      return session;
    },
    async get(idOrKey) {
      return find(idOrKey)?.session;
    },
    async list(filter = {}) {
      const { limit = defaultLimit, offset = 0 } = filter;
      const found = [...byId.values()].map(({ session }) => session).filter((session) => fits(session, filter));
      return found.toSorted((a, b) => b.updatedAt - a.updatedAt).slice(offset, offset + Math.min(limit, maxLimit));
    },
    async messages(session, { after = 0, limit = defaultMessages } = {}) {
      return kept(session).messages.slice(after, after + limit);
    },
    async append(session, messages, { after, lease, patch }) {
      const one = held(session, lease);
      checkLast(one, after);
      const last = push(one, messages, patch);
      tell(one.session.id);
      return last;
    },
    async update(session, patch, lease) {
      const changed = change(held(session, lease), patch);
      tell(changed.id);
      return changed;
    },
    async acquire(session, holder, ttlMs) {
      const one = kept(session);
      const now = clock.now();
      if (one.lease !== undefined && one.lease.holder !== holder && one.lease.until > now) return undefined;
      one.lease = { holder, fence: ++one.fence, until: now + ttlMs };
      return Object.freeze({ session: one.session.id, holder, fence: one.fence });
    },
    async renew({ session, fence, holder }, ttlMs) {
      const one = find(session);
      if (one?.lease?.fence !== fence) return false;
      one.lease = { holder, fence, until: clock.now() + ttlMs };
      return true;
    },
    async release({ session, fence }) {
      const one = find(session);
      if (one?.lease?.fence === fence) one.lease = undefined;
    },
    async send(session, message) {
      const one = kept(session);
      const added = put(one, message);
      tell(one.session.id);
      return added;
    },
    async takeInbox(session, { after, lease }) {
      const one = held(session, lease);
      checkLast(one, after);
      const taken = one.inbox;
      if (taken.length === 0) return { taken, last: after };
      one.inbox = [];
      const last = push(
        one,
        taken.map(({ content, from }) => ({ role: "user", content, from })),
      );
      tell(one.session.id);
      return { taken, last };
    },
    async end(session, { text, status }, lease) {
      const one = held(session, lease);
      if (one.session.status === "ended") return one.session;
      const parent = one.session.parent === undefined ? undefined : find(one.session.parent);
      if (parent !== undefined) put(parent, { content: `${status}: ${text}`, from: { kind: "session", id: one.session.key } });
      const ended = change(one, { status: "ended" });
      tell(ended.id);
      if (parent !== undefined) tell(parent.session.id);
      return ended;
    },
    async remove(session) {
      const one = find(session);
      if (one === undefined) return false;
      byId.delete(one.session.id);
      byKey.delete(one.session.key);
      tell(one.session.id);
      return true;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** As a table of a database would keep it: JSON, apart from what was handed in. */
function copyOf<Value>(value: Value): Value {
  return deepFreeze(JSON.parse(JSON.stringify(value)) as Value);
}

function fits(session: Session, { agent, kinds, parent, label, search, status, activeSince }: SessionFilter): boolean {
  if (agent !== undefined && session.agent !== agent) return false;
  if (kinds !== undefined && !kinds.includes(session.kind)) return false;
  if (parent !== undefined && session.parent !== parent) return false;
  if (label !== undefined && session.label !== label) return false;
  if (status !== undefined && session.status !== status) return false;
  if (activeSince !== undefined && session.updatedAt < activeSince) return false;
  if (search === undefined) return true;
  const wanted = search.toLowerCase();
  return [session.key, session.label ?? ""].some((text) => text.toLowerCase().includes(wanted));
}
