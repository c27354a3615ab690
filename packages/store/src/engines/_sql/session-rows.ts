import type { Selectable } from "kysely";
import type { SessionInboxRow, SessionMarks, SessionMessageRow, SessionRow } from "../../engine/sessions.ts";
import type { RowInsert } from "./insert-rows.ts";
import type { Tables } from "./tables.ts";

type Columns = Tables["sessions"];

export const messageInsert: RowInsert<Tables["session_messages"]> = {
  columns: { owner: "text", session: "text", seq: "whole", at: "whole", body: "text" },
};

export const inboxInsert: RowInsert<Tables["session_inbox"]> = {
  columns: {
    owner: "text",
    session: "text",
    place: "whole",
    content: "text",
    from_kind: "text",
    from_id: "text",
    at: "whole",
    source: "text",
    taken: "whole",
  },
};

export function toSessionColumns(row: SessionRow): Columns {
  const { owner, id, key, agent, kind, depth, status, usage, touched, last, bytes, holder, fence } = row;
  return {
    owner,
    id,
    key,
    agent,
    kind,
    parent: row.parent ?? null,
    depth,
    created_at: row.createdAt,
    label: row.label ?? null,
    status,
    model: row.model ?? null,
    usage,
    state: row.state ?? null,
    result: row.result ?? null,
    touched,
    ended_at: row.endedAt ?? null,
    last,
    bytes,
    holder,
    fence,
    lease_ends_at: row.leaseEndsAt,
    inbox_last: row.inboxLast,
    inbox_count: row.inboxCount,
    inbox_bytes: row.inboxBytes,
  };
}

/** The columns of those marks that are given; a mark that is undefined stays as it is. */
export function toMarkColumns(marks: Partial<SessionMarks>): Partial<Columns> {
  const columns: Partial<Columns> = {};
  for (const [name, column] of Object.entries(markColumns) as [keyof SessionMarks, keyof Columns][])
    if (marks[name] !== undefined) Object.assign(columns, { [column]: marks[name] });
  return columns;
}

const markColumns: { readonly [Name in keyof SessionMarks]: keyof Columns } = {
  label: "label",
  status: "status",
  model: "model",
  usage: "usage",
  state: "state",
  result: "result",
  touched: "touched",
  endedAt: "ended_at",
  last: "last",
  bytes: "bytes",
  holder: "holder",
  fence: "fence",
  leaseEndsAt: "lease_ends_at",
  inboxLast: "inbox_last",
  inboxCount: "inbox_count",
  inboxBytes: "inbox_bytes",
};

export function toSessionRow(row: Selectable<Columns>): SessionRow {
  return {
    owner: row.owner,
    id: row.id,
    key: row.key,
    agent: row.agent,
    kind: row.kind,
    parent: row.parent ?? undefined,
    depth: row.depth,
    createdAt: row.created_at,
    label: row.label ?? undefined,
    status: row.status,
    model: row.model ?? undefined,
    usage: row.usage,
    state: row.state ?? undefined,
    result: row.result ?? undefined,
    touched: row.touched,
    endedAt: row.ended_at ?? undefined,
    last: row.last,
    bytes: row.bytes,
    holder: row.holder,
    fence: row.fence,
    leaseEndsAt: row.lease_ends_at,
    inboxLast: row.inbox_last,
    inboxCount: row.inbox_count,
    inboxBytes: row.inbox_bytes,
  };
}

/** With its values in the order of `messageInsert`. */
export function toMessageColumns({ owner, session, seq, at, body }: SessionMessageRow): readonly unknown[] {
  return [owner, session, seq, at, body];
}

/** With its values in the order of `inboxInsert`. */
export function toInboxColumns(row: SessionInboxRow): readonly unknown[] {
  const { owner, session, place, content, fromKind, fromId, at, source, taken } = row;
  return [owner, session, place, content, fromKind, fromId ?? null, at, source ?? null, taken ? 1 : 0];
}

export function toInboxRow({ from_kind, from_id, source, taken, ...same }: Selectable<Tables["session_inbox"]>): SessionInboxRow {
  return { ...same, fromKind: from_kind, fromId: from_id ?? undefined, source: source ?? undefined, taken: taken === 1 };
}
