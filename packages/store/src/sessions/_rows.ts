import { randomBytes } from "node:crypto";
import type { SessionInboxRow, SessionMessageRow, SessionRow } from "../engine/sessions.ts";
import type { InboxMessage, MessageOrigin, NewSession, Session, SessionResult, SessionUsage, StoredMessage } from "./session-store.ts";
import { readPatch } from "./_read.ts";

/** A new row. `touched` is in microseconds since 1970. */
export function toSessionRow(owner: string, draft: NewSession, parent: SessionRow | undefined, touched: number): SessionRow {
  const { key, agent, kind, depth = parent === undefined ? 0 : parent.depth + 1, label, model, state } = draft;
  const createdAt = toMs(touched);
  return {
    owner,
    id: newId(createdAt),
    key,
    agent,
    kind,
    parent: parent?.id,
    depth,
    createdAt,
    label: undefined,
    model: undefined,
    state: undefined,
    result: undefined,
    status: "idle",
    usage: noUsage,
    touched,
    endedAt: undefined,
    last: 0,
    bytes: 0,
    holder: "",
    fence: 0,
    leaseEndsAt: 0,
    inboxLast: 0,
    inboxCount: 0,
    inboxBytes: 0,
    ...readPatch({ ...(label !== undefined && { label }), ...(model !== undefined && { model }), ...(state !== undefined && { state }) }),
  };
}

export function toSession(row: SessionRow): Session {
  const { id, key, agent, kind, label, parent, depth, status, model, createdAt, endedAt, last, state, result } = row;
  return {
    id,
    key,
    agent,
    kind: kind as Session["kind"],
    ...(label !== undefined && { label }),
    ...(parent !== undefined && { parent }),
    depth,
    status,
    ...(model !== undefined && { model }),
    usage: JSON.parse(row.usage) as SessionUsage,
    createdAt,
    updatedAt: toMs(row.touched),
    ...(endedAt !== undefined && { endedAt }),
    last,
    inbox: row.inboxCount,
    ...(state !== undefined && { state: JSON.parse(state) as Readonly<Record<string, unknown>> }),
    ...(result !== undefined && { result: JSON.parse(result) as SessionResult }),
  };
}

export function toStoredMessage<Message>({ session, seq, at, body }: SessionMessageRow): StoredMessage<Message> {
  return { session, seq, at, message: JSON.parse(body) as Message };
}

/** The content is stored as JSON: a text may have characters that a database does not take. */
export function toInboxRow(session: SessionRow, content: string, from: MessageOrigin, at: number, source?: string): SessionInboxRow {
  const { owner, id, inboxLast } = session;
  return {
    owner,
    session: id,
    place: inboxLast + 1,
    content: JSON.stringify(content),
    fromKind: from.kind,
    fromId: from.id,
    at,
    source,
    taken: false,
  };
}

export function toInboxMessage({ session, place, content, fromKind, fromId, at }: SessionInboxRow): InboxMessage {
  const from: MessageOrigin = { kind: fromKind as MessageOrigin["kind"], ...(fromId !== undefined && { id: fromId }) };
  return { id: `${session}.${place}`, content: JSON.parse(content) as string, from, at };
}

export function toMs(touched: number): number {
  return Math.floor(touched / 1_000);
}

/** Milliseconds, then random bits. */
function newId(now: number): string {
  return now.toString(36).padStart(9, "0") + randomBytes(12).toString("hex");
}

const noUsage = JSON.stringify({ inputTokens: 0, outputTokens: 0, turns: 0, calls: 0 } satisfies SessionUsage);
