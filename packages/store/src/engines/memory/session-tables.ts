import type { SessionInboxRow, SessionMessageRow, SessionRow } from "../../engine/sessions.ts";

/** The rows of sessions, or a draft of changes on top of them that `commit` applies. Keys are those of `keyOf(owner, id)`. */
export interface SessionTables {
  session(key: string): SessionRow | undefined;
  sessions(): Iterable<readonly [key: string, row: SessionRow]>;
  /** Undefined removes it with its messages and its inbox. */
  put(key: string, row: SessionRow | undefined): void;
  message(key: string, seq: number): SessionMessageRow | undefined;
  addMessage(key: string, row: SessionMessageRow): void;
  inbox(key: string): readonly SessionInboxRow[];
  putInbox(key: string, rows: readonly SessionInboxRow[]): void;
  commit(): void;
}

export function createSessionTables(base?: SessionTables): SessionTables {
  const sessions = new Map<string, SessionRow | undefined>();
  const messages = new Map<string, SessionMessageRow[]>();
  const inboxes = new Map<string, readonly SessionInboxRow[]>();
  /** Removed in this draft: what the base has of it no longer counts. */
  const isGone = (key: string): boolean => sessions.has(key) && sessions.get(key) === undefined;
  return {
    session: (key) => (sessions.has(key) ? sessions.get(key) : base?.session(key)),
    *sessions() {
      for (const entry of base?.sessions() ?? []) if (!sessions.has(entry[0])) yield entry;
      for (const [key, row] of sessions) if (row !== undefined) yield [key, row];
    },
    put(key, row) {
      if (row === undefined) {
        messages.delete(key);
        inboxes.delete(key);
      }
      if (row === undefined && base === undefined) sessions.delete(key);
      else sessions.set(key, row);
    },
    message(key, seq) {
      const own = messages.get(key);
      const row = own?.[seq - (own[0]?.seq ?? 1)];
      return row ?? (isGone(key) ? undefined : base?.message(key, seq));
    },
    addMessage(key, row) {
      const own = messages.get(key);
      if (own === undefined) messages.set(key, [row]);
      else own.push(row);
    },
    inbox: (key) => inboxes.get(key) ?? (isGone(key) ? [] : (base?.inbox(key) ?? [])),
    putInbox: (key, rows) => void inboxes.set(key, rows),
    commit() {
      if (base === undefined) return;
      for (const [key, row] of sessions) base.put(key, row);
      for (const [key, rows] of messages) for (const row of rows) base.addMessage(key, row);
      for (const [key, rows] of inboxes) base.putInbox(key, rows);
    },
  };
}
