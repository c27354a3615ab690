import type { SessionMessageRow, SessionReads, SessionRow, SessionRowFilter, SessionWrites } from "../../engine/sessions.ts";
import { keyOf, type MemoryTables } from "./tables.ts";

export function createSessionReads(current: () => MemoryTables): SessionReads {
  const all = (): SessionRow[] => [...current().sessions.sessions.values()];
  return {
    session: async (owner, id) => current().sessions.sessions.get(keyOf(owner, id)),
    sessionWithKey: async (owner, key) => all().find((row) => row.owner === owner && row.key === key),
    async sessions(owner, filter, limit, offset) {
      const found = all().filter((row) => row.owner === owner && isWanted(row, filter));
      return found.sort((a, b) => b.touched - a.touched || (a.id < b.id ? 1 : -1)).slice(offset, offset + limit);
    },
    countSessions: async (owner) => all().filter((row) => owner === undefined || row.owner === owner).length,
    async sessionMessages(owner, session, after, limit) {
      const found: SessionMessageRow[] = [];
      for (let seq = after + 1; found.length < limit; seq++) {
        const row = current().sessions.message(keyOf(owner, session), seq);
        if (row === undefined) break;
        found.push(row);
      }
      return found;
    },
    inboxMessages: async (owner, session) =>
      current()
        .sessions.inbox(keyOf(owner, session))
        .filter(({ taken }) => !taken),
    inboxMessageFrom: async (owner, session, source) =>
      current()
        .sessions.inbox(keyOf(owner, session))
        .find((row) => row.source === source),
  };
}

function isWanted(row: SessionRow, { kinds, search, touchedSince, hasInbox, ...equal }: SessionRowFilter): boolean {
  for (const name of ["agent", "parent", "label", "status"] as const)
    if (equal[name] !== undefined && row[name] !== equal[name]) return false;
  if (kinds !== undefined && !kinds.includes(row.kind)) return false;
  if (touchedSince !== undefined && row.touched < Math.floor(touchedSince)) return false;
  if (hasInbox === true && row.inboxCount === 0) return false;
  const part = lower(search ?? "");
  return lower(row.key).includes(part) || (row.label !== undefined && lower(row.label).includes(part));
}

/** As the other engines do it. */
function lower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function createSessionWrites(current: () => MemoryTables): SessionWrites {
  const reads = createSessionReads(current);
  return {
    async addSession(row) {
      if ((await reads.sessionWithKey(row.owner, row.key)) !== undefined) return false;
      current().sessions.put(keyOf(row.owner, row.id), row);
      return true;
    },
    async lockSession(owner, id) {
      const row = await reads.session(owner, id);
      return row && { row, now: Date.now() };
    },
    async changeSession(owner, id, change) {
      const row = await reads.session(owner, id);
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      if (row !== undefined) current().sessions.put(keyOf(owner, id), { ...row, ...given });
    },
    async addSessionMessages(rows) {
      for (const row of rows) current().sessions.addMessage(keyOf(row.owner, row.session), row);
    },
    async addInboxMessages(rows) {
      for (const row of rows) {
        const key = keyOf(row.owner, row.session);
        current().sessions.putInbox(key, [...current().sessions.inbox(key), row]);
      }
    },
    async takeInboxMessages(owner, session, upTo) {
      const key = keyOf(owner, session);
      const rows = current().sessions.inbox(key);
      const kept = rows.filter(({ source, place }) => source !== undefined || place > upTo);
      current().sessions.putInbox(
        key,
        kept.map((row) => (row.place <= upTo ? { ...row, taken: true } : row)),
      );
    },
    async removeSession(owner, id) {
      current().sessions.put(keyOf(owner, id), undefined);
    },
    async trimSessions(owner, endedBefore, limit) {
      const old = [...current().sessions.sessions.entries()].filter(
        ([, row]) => row.owner === owner && row.endedAt !== undefined && row.endedAt <= Math.floor(endedBefore),
      );
      old.sort(([, a], [, b]) => a.endedAt! - b.endedAt!);
      for (const [key] of old.slice(0, limit)) current().sessions.put(key, undefined);
      return Math.min(limit, old.length);
    },
  };
}
