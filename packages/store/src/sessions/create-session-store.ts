import { requireRole } from "../access.ts";
import type { Writes } from "../engine/engine.ts";
import type { SessionMarks, SessionRow } from "../engine/sessions.ts";
import { StoreError } from "../errors.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { addToInbox, checkRoom, takeInbox } from "./_inbox.ts";
import { createSessionLeases } from "./_leases.ts";
import {
  checkContent,
  checkNewSession,
  isStorable,
  readCount,
  readMessage,
  readOrigin,
  readPatch,
  readResult,
  readText,
  readTime,
} from "./_read.ts";
import { full, requireLast, requireWritable, unknown } from "./_refuse.ts";
import { toInboxMessage, toMs, toSession, toSessionRow, toStoredMessage } from "./_rows.ts";
import type { Session, SessionFilter, SessionMessage, SessionStore, SessionStoreOptions } from "./session-store.ts";

/**
 * The sessions of the store's owner. Needs the role "curator": what a single agent may see and do is for the server to decide.
 * `Message` is what the one who runs the sessions appends; the store keeps it as JSON.
 */
export function createSessionStore<Message extends SessionMessage = SessionMessage>(
  store: BreadcrumbStore,
  options: SessionStoreOptions = {},
): SessionStore<Message> {
  const { maxSessions = 10_000, maxInbox = 1_000, maxSessionBytes = 268_435_456 } = options;
  requireRole(store.actor, "curator", "use the sessions of agents");
  const { engine, clock } = insideOf(store);
  const { owner } = store.actor;
  const limits = { maxInbox, maxSessionBytes };
  const listeners = new Set<(session: string) => void>();
  let lastTouched = 0;

  /** In microseconds since 1970, and later than every change before. */
  const touch = (row?: SessionRow): number =>
    (lastTouched = Math.max(Math.floor(clock.now()) * 1_000, lastTouched + 1, (row?.touched ?? 0) + 1));

  /** A listener that throws does not make a write reject that is committed. */
  const tell = (...sessions: readonly string[]): void => {
    for (const session of sessions) for (const listener of listeners) queueMicrotask(() => listener(session));
  };

  /** Runs one transaction in which nobody else writes the session. */
  const inSession = async <Result>(session: string, work: (tx: Writes, row: SessionRow) => Promise<Result>): Promise<Result> => {
    if (!isStorable(session)) throw unknown(session);
    return engine.writeAudit(async (tx) => {
      const locked = await tx.lockSession(owner, session);
      if (locked === undefined) throw unknown(session);
      return work(tx, locked.row);
    });
  };

  async function change(tx: Writes, row: SessionRow, marks: Partial<SessionMarks>): Promise<Session> {
    await tx.changeSession(owner, row.id, marks);
    return toSession({ ...row, ...marks });
  }

  async function find(idOrKey: string): Promise<SessionRow | undefined> {
    if (!isStorable(idOrKey)) return undefined;
    return (await engine.session(owner, idOrKey)) ?? engine.sessionWithKey(owner, idOrKey);
  }

  return {
    async create(draft) {
      checkNewSession(draft);
      const parent = draft.parent === undefined ? undefined : await find(draft.parent);
      if (draft.parent !== undefined && parent === undefined) throw unknown(draft.parent);
      const row = toSessionRow(owner, draft, parent, touch());
      await engine.writeAudit(async (tx) => {
        if (!(await tx.addSession(row)))
          throw new StoreError("SESSION_EXISTS", `There is a session with the key "${row.key}" already. Use it, or choose another key.`);
        if ((await tx.countSessions(owner)) > maxSessions)
          throw full(`"${row.key}" was not begun: there are ${maxSessions} sessions already. Remove some that have ended.`);
      });
      tell(row.id);
      return toSession(row);
    },

    async get(idOrKey) {
      const row = await find(idOrKey);
      return row && toSession(row);
    },

    async list(filter = {}) {
      const { limit = 100, offset = 0, activeSince, ...same } = filter;
      const wanted = {
        ...same,
        ...(activeSince !== undefined && { touchedSince: readTime("activeSince", activeSince) * 1_000 }),
      };
      const page = [readCount("limit", limit, 1, 200), readCount("offset", offset, 0, Number.MAX_SAFE_INTEGER)] as const;
      return textsOf(filter).every(isStorable) ? (await engine.sessions(owner, wanted, ...page)).map(toSession) : [];
    },

    async messages(session, { after = 0, limit = 1_000 } = {}) {
      if (!isStorable(session)) throw unknown(session);
      const [begin, most] = [readCount("after", after, 0, Number.MAX_SAFE_INTEGER), readCount("limit", limit, 1, 10_000)];
      const rows = await engine.sessionMessages(owner, session, begin, most);
      if (rows.length === 0 && (await engine.session(owner, session)) === undefined) throw unknown(session);
      return rows.map((row) => toStoredMessage<Message>(row));
    },

    async append(session, messages, { after, lease, patch = {} }) {
      const bodies = messages.map(readMessage);
      const marks = readPatch(patch);
      const last = await inSession(session, async (tx, row) => {
        requireWritable(row, lease);
        requireLast(row, after);
        const touched = touch(row);
        const rows = bodies.map((body, index) => ({ owner, session, seq: row.last + 1 + index, at: toMs(touched), body }));
        const bytes = checkRoom(row, bodies, limits);
        await tx.addSessionMessages(rows);
        return (await change(tx, row, { ...marks, last: row.last + rows.length, bytes, touched })).last;
      });
      tell(session);
      return last;
    },

    async update(session, patch, lease) {
      const marks = readPatch(patch);
      const changed = await inSession(session, async (tx, row) => {
        requireWritable(row, lease);
        return change(tx, row, { ...marks, touched: touch(row) });
      });
      tell(session);
      return changed;
    },

    ...createSessionLeases(engine, owner),

    async send(session, { content, from, source }) {
      checkContent(content);
      const origin = readOrigin(from);
      if (source !== undefined) readText("source", source);
      const { message, isNew } = await inSession(session, async (tx, row) => {
        const first = source === undefined ? undefined : await tx.inboxMessageFrom(owner, session, source);
        if (first !== undefined) return { message: toInboxMessage(first), isNew: false };
        requireWritable(row, undefined);
        return { message: await addToInbox(tx, row, { content, from: origin, source, touched: touch(row), limits }), isNew: true };
      });
      if (isNew) tell(session);
      return message;
    },

    async takeInbox(session, { after, lease }) {
      const taken = await inSession(session, async (tx, row) => {
        requireWritable(row, lease);
        requireLast(row, after);
        return takeInbox(tx, row, { touched: touch(row), limits });
      });
      if (taken.taken.length > 0) tell(session);
      return taken;
    },

    async end(session, result, lease) {
      const { text, status, toParent } = readResult(result);
      const { ended, told } = await inSession(session, async (tx, row) => {
        if (row.status === "ended") return { ended: toSession(row), told: [] };
        requireWritable(row, lease);
        const touched = touch(row);
        const marks = { status: "ended", result: JSON.stringify({ text, status }), endedAt: toMs(touched), touched } as const;
        const changed = await change(tx, row, { ...marks, holder: "", leaseEndsAt: 0 });
        // A child is locked before its parent, never the other way round.
        const parent = row.parent === undefined ? undefined : (await tx.lockSession(owner, row.parent))?.row;
        if (toParent === false || parent === undefined || parent.status === "ended") return { ended: changed, told: [session] };
        await addToInbox(tx, parent, { content: toParent, from: { kind: "session", id: row.key }, touched: touch(parent) });
        return { ended: changed, told: [session, parent.id] };
      });
      tell(...told);
      return ended;
    },

    async remove(session) {
      if (!isStorable(session)) return false;
      const isThere = await engine.writeAudit(async (tx) => {
        const locked = await tx.lockSession(owner, session);
        if (locked !== undefined) await tx.removeSession(owner, session);
        return locked !== undefined;
      });
      if (isThere) tell(session);
      return isThere;
    },

    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function textsOf({ agent, kinds = [], parent, label, search, status }: SessionFilter): readonly string[] {
  return [...kinds, ...[agent, parent, label, search, status].filter((text) => text !== undefined)];
}
