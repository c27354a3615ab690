import { type Kysely, type RawBuilder, sql } from "kysely";
import type { JobRow } from "../../engine/jobs.ts";
import type { Note } from "../../engine/notes.ts";
import type { SessionRow } from "../../engine/sessions.ts";
import type { TicketRow } from "../../engine/tickets.ts";
import type { ChangeType } from "../../engine/engine.ts";

/** The tables, the same on both engines. Records are stored as JSON text, so that no engine changes a character. */
export interface Tables {
  breadcrumbs: {
    position: number;
    owner: string;
    id: string;
    version: number;
    deleted: number;
    schema_name: string;
    visibility: string;
    created_by: string;
    has_grants: number;
    identity: string | null;
    expires_at: number | null;
    reads_left: number | null;
    body: string;
  };
  breadcrumb_tags: { owner: string; tag: string; position: number };
  /** The words by which records are found; each engine has its own kind of index. */
  words: { position: number };
  /** The feed and the history in one: a row for each change. */
  revisions: { sequence: number; owner: string; id: string; version: number; type: ChangeType; body: string };
  audit: {
    number: number;
    at: number;
    owner: string;
    kind: string;
    agent: string;
    subject: string;
    call_id: string | null;
    ok: number | null;
    code: string | null;
    duration_ms: number | null;
    body: string;
    principal: string;
    previous: string;
    hash: string;
    chain: string;
    key_id: string;
    place: number;
  };
  /** The chains of the audit but "main". */
  audit_chains: { chain: string; first_place: number; first_hash: string; last_place: number; last_hash: string };
  secrets: { owner: string; name: string; version: number; key_id: string; wrapped_key: string; sealed: string; updated_at: number };
  notes: { owner: string; kind: Note["kind"]; name: string; holder: string; ends_at: number | null; body: string };
  presence: { owner: string; name: string; seen_at: number; info: string };
  /** The last numbers: of the changes, of the audit with its hash, of what retention removed from each, and how often tickets changed. */
  ends: { name: "sequence" | "changes-begin" | "audit-first" | "audit-last" | "tickets"; number: number; hash: string };
  /** The log of definitions; `leaf` counts from 0. */
  definition_log: {
    leaf: number;
    at: number;
    owner: string;
    kind: string;
    source: string;
    tool: string;
    body: string;
    nodes: string;
  };
  /** Leases of the cluster, also those that are free. */
  leases: { owner: string; name: string; holder: string; token: number; ends_at: number };
  jobs: {
    owner: string;
    id: string;
    kind: string;
    caller: string;
    subject: string;
    key: string | null;
    origin: string;
    tries: number;
    delays: string;
    payload: string;
    created_at: number;
    state: JobRow["state"];
    due_at: number;
    started_at: number | null;
    ended_at: number | null;
    attempt: number;
    failed: number;
    /** JSON. */
    lost_by: string;
    holder: string;
    beat: number;
    cancelling: number;
    progress: string | null;
    result: string | null;
    error: string | null;
  };
  sessions: {
    owner: string;
    id: string;
    key: string;
    agent: string;
    kind: string;
    parent: string | null;
    depth: number;
    created_at: number;
    label: string | null;
    status: SessionRow["status"];
    model: string | null;
    /** JSON. */
    usage: string;
    state: string | null;
    result: string | null;
    touched: number;
    ended_at: number | null;
    last: number;
    bytes: number;
    holder: string;
    fence: number;
    lease_ends_at: number;
    inbox_last: number;
    inbox_count: number;
    inbox_bytes: number;
  };
  session_messages: { owner: string; session: string; seq: number; at: number; body: string };
  session_inbox: {
    owner: string;
    session: string;
    place: number;
    content: string;
    from_kind: string;
    from_id: string | null;
    at: number;
    source: string | null;
    taken: number;
  };
  tickets: {
    owner: string;
    kind: TicketRow["kind"];
    name: string;
    version: number;
    group_name: string;
    holder: string;
    is_open: number;
    created_at: number;
    ends_at: number;
    body: string;
  };
  migrations: { name: string; applied_at: string };
}

export type Sql = Kysely<Tables>;

const known: { readonly [Name in keyof Tables]: Name } = {
  breadcrumbs: "breadcrumbs",
  breadcrumb_tags: "breadcrumb_tags",
  words: "words",
  revisions: "revisions",
  audit: "audit",
  secrets: "secrets",
  notes: "notes",
  presence: "presence",
  ends: "ends",
  definition_log: "definition_log",
  leases: "leases",
  audit_chains: "audit_chains",
  jobs: "jobs",
  sessions: "sessions",
  session_messages: "session_messages",
  session_inbox: "session_inbox",
  tickets: "tickets",
  migrations: "migrations",
};

export const tableNames: ReadonlySet<string> = new Set(Object.values(known));

/** A table in a query that is written by hand; PostgreSQL gets it with its schema. */
export function table(name: keyof Tables): RawBuilder<unknown> {
  return sql.table(name);
}
