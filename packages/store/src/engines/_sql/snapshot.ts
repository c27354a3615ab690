import { sql } from "kysely";
import type { BulkWrites, ChangeType, Head, Snapshot, StoredRows } from "../../engine/engine.ts";
import type { Breadcrumb } from "../../record/breadcrumb.ts";
import type { AuditRow } from "../../engine/audit.ts";
import { readChains, toAuditRow } from "./audit.ts";
import { toLogRow } from "./definition-log.ts";
import { toNote } from "./notes.ts";
import { toChange, toHead } from "./rows.ts";
import { toSecretRow } from "./secrets.ts";
import { toInboxRow, toSessionRow } from "./session-rows.ts";
import type { Sql } from "./tables.ts";
import { toTicketRow } from "./tickets.ts";

/** Reads on a connection whose transaction sees one moment. */
export function createSqlSnapshot(db: Sql): Snapshot {
  const readers: { readonly [Kind in keyof StoredRows]: (last: StoredRows[Kind] | undefined) => Promise<readonly StoredRows[Kind][]> } = {
    async changes(last) {
      const query = db
        .selectFrom("revisions")
        .selectAll()
        .where("sequence", ">", last?.sequence ?? 0);
      return (await query.orderBy("sequence").limit(pageSize).execute()).map(toChange);
    },
    async heads(last) {
      const query = db
        .selectFrom("breadcrumbs")
        .selectAll()
        .where("position", ">", last?.position ?? 0);
      return (await query.orderBy("position").limit(pageSize).execute()).map(toHead);
    },
    async audit(last) {
      const query = db
        .selectFrom("audit")
        .selectAll()
        .where("number", ">", last?.number ?? 0);
      return (await query.orderBy("number").limit(pageSize).execute()).map(toAuditRow);
    },
    async secrets(last) {
      let query = db.selectFrom("secrets").selectAll();
      if (last !== undefined) query = query.where(sql<boolean>`(owner, name) > (${last.owner}, ${last.name})`);
      return (await query.orderBy("owner").orderBy("name").limit(pageSize).execute()).map(toSecretRow);
    },
    async notes(last) {
      let query = db.selectFrom("notes").selectAll();
      if (last !== undefined) query = query.where(sql<boolean>`(owner, kind, name) > (${last.owner}, ${last.kind}, ${last.name})`);
      return (await query.orderBy("owner").orderBy("kind").orderBy("name").limit(pageSize).execute()).map(toNote);
    },
    async definitionLog(last) {
      const query = db
        .selectFrom("definition_log")
        .selectAll()
        .where("leaf", ">", last?.index ?? -1);
      return (await query.orderBy("leaf").limit(pageSize).execute()).map(toLogRow);
    },
    async sessions(last) {
      let query = db.selectFrom("sessions").selectAll();
      if (last !== undefined) query = query.where(sql<boolean>`(owner, id) > (${last.owner}, ${last.id})`);
      return (await query.orderBy("owner").orderBy("id").limit(largePageSize).execute()).map(toSessionRow);
    },
    async sessionMessages(last) {
      let query = db.selectFrom("session_messages").selectAll();
      if (last !== undefined) query = query.where(sql<boolean>`(owner, session, seq) > (${last.owner}, ${last.session}, ${last.seq})`);
      return query.orderBy("owner").orderBy("session").orderBy("seq").limit(largePageSize).execute();
    },
    async sessionInbox(last) {
      let query = db.selectFrom("session_inbox").selectAll();
      if (last !== undefined) query = query.where(sql<boolean>`(owner, session, place) > (${last.owner}, ${last.session}, ${last.place})`);
      return (await query.orderBy("owner").orderBy("session").orderBy("place").limit(largePageSize).execute()).map(toInboxRow);
    },
    async tickets(last) {
      let query = db.selectFrom("tickets").selectAll();
      if (last !== undefined) query = query.where(sql<boolean>`(owner, kind, name) > (${last.owner}, ${last.kind}, ${last.name})`);
      return (await query.orderBy("owner").orderBy("kind").orderBy("name").limit(largePageSize).execute()).map(toTicketRow);
    },
  };
  return {
    async ends() {
      const rows = await db.selectFrom("ends").selectAll().execute();
      const find = (name: string) => rows.find((row) => row.name === name);
      const end = (name: string): { readonly number: number; readonly hash: string } => {
        const { number, hash } = find(name)!;
        return { number, hash };
      };
      const audit = { first: end("audit-first"), last: end("audit-last") };
      // What retention has not touched yet has no such row.
      const changesBegin = find("changes-begin")?.number ?? 0;
      return { sequence: end("sequence").number, changesBegin, audit, chains: await readChains(db) };
    },
    async count(kind) {
      const query = db.selectFrom(tables[kind]).select(({ fn }) => fn.countAll<number>().as("rows"));
      return Number((await query.executeTakeFirstOrThrow()).rows);
    },
    async *pages<Kind extends keyof StoredRows>(kind: Kind) {
      for (let last: StoredRows[Kind] | undefined; ;) {
        const page = await readers[kind](last);
        if (page.length === 0) return;
        yield page;
        last = page.at(-1);
      }
    },
  };
}

const tables = {
  changes: "revisions",
  heads: "breadcrumbs",
  audit: "audit",
  secrets: "secrets",
  notes: "notes",
  definitionLog: "definition_log",
  sessions: "sessions",
  sessionMessages: "session_messages",
  sessionInbox: "session_inbox",
  tickets: "tickets",
} as const;

/** Few enough that a page of the largest records fits into memory. */
const pageSize = 100;
/** The same for rows that may be four times as large. */
const largePageSize = 25;

export interface BulkParts {
  addRevisions(rows: readonly (readonly unknown[])[]): Promise<void>;
  addHeads(heads: readonly Head[]): Promise<void>;
  addLines(rows: readonly (readonly unknown[])[]): Promise<void>;
}

export function createBulkWrites(db: Sql, { addRevisions, addHeads, addLines }: BulkParts): BulkWrites {
  return {
    addChanges: (changes) =>
      addRevisions(changes.map(({ sequence, type, record }) => toRevision(sequence, type, record, JSON.stringify(record)))),
    addHeads,
    addAudit: (rows) => addLines(rows.map(toLine)),
    async setEnds({ sequence, changesBegin, audit, chains }) {
      const ends = [
        { name: "sequence", number: sequence, hash: "" },
        { name: "changes-begin", number: changesBegin, hash: "" },
        { name: "audit-first", ...audit.first },
        { name: "audit-last", ...audit.last },
      ] as const;
      for (const { name, number, hash } of ends)
        await db
          .insertInto("ends")
          .values({ name, number, hash })
          .onConflict((conflict) => conflict.column("name").doUpdateSet({ number, hash }))
          .execute();
      for (const { chain, first, last } of chains)
        await db
          .insertInto("audit_chains")
          .values({ chain, first_place: first.place, first_hash: first.hash, last_place: last.place, last_hash: last.hash })
          .execute();
    },
  };
}

/** In the order of the columns of `audit`. */
function toLine(row: AuditRow): readonly unknown[] {
  const { number, at, owner, kind, agent, subject, callId, ok, code, durationMs, body, principal, previous, hash, chain, keyId, place } =
    row;
  return [number, at, owner, kind, agent, subject, callId, ok, code, durationMs, body, principal, previous, hash, chain, keyId, place];
}

/** In the order of the columns of `revisions`. */
export function toRevision(sequence: number, type: ChangeType, { owner, id, version }: Breadcrumb, body: string): readonly unknown[] {
  return [sequence, owner, id, version, type, body];
}
