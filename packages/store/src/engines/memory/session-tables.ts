import type { SessionInboxRow, SessionMessageRow, SessionRow } from "../../engine/sessions.ts";
import { createLayer, type Layer } from "./layer.ts";

/** The rows of sessions, or a draft of changes on top of them that `commit` applies. Keys are those of `keyOf(owner, id)`. */
export interface SessionTables {
  /** Written by `put`. */
  readonly sessions: Layer<string, SessionRow>;
  /** Undefined removes it with its messages and its inbox. */
  put(key: string, row: SessionRow | undefined): void;
  message(key: string, seq: number): SessionMessageRow | undefined;
  addMessage(key: string, row: SessionMessageRow): void;
  inbox(key: string): readonly SessionInboxRow[];
  putInbox(key: string, rows: readonly SessionInboxRow[]): void;
  commit(): void;
}

export function createSessionTables(base?: SessionTables): SessionTables {
  const sessions = createLayer(base?.sessions);
  const messages = new Map<string, SessionMessageRow[]>();
  const inboxes = new Map<string, readonly SessionInboxRow[]>();
  /** What the base has of a session that was removed no longer counts. */
  const isGone = (key: string): boolean => sessions.get(key) === undefined;
  return {
    sessions,
    put(key, row) {
      if (row === undefined) {
        messages.delete(key);
        inboxes.delete(key);
      }
      sessions.put(key, row);
    },
    message(key, seq) {
      const own = messages.get(key);
      const row = own?.[seq - own[0]!.seq];
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
      for (const [key, row] of sessions.own) base.put(key, row);
      for (const [key, rows] of messages) for (const row of rows) base.addMessage(key, row);
      for (const [key, rows] of inboxes) base.putInbox(key, rows);
    },
  };
}
