import type { Snapshot, StoredRows } from "../../engine/engine.ts";
import type { MemoryTables } from "./tables.ts";

/** Rows are immutable, so copies of the lists are enough. */
export function createSnapshot(tables: MemoryTables): Snapshot {
  const sequences = Array.from({ length: tables.lastSequence() }, (_, index) => index + 1);
  const sessions = [...tables.sessions.sessions.entries()].sort(([, a], [, b]) => compare(a.owner, b.owner) || compare(a.id, b.id));
  const rows: { readonly [Kind in keyof StoredRows]: readonly StoredRows[Kind][] } = {
    changes: sequences.flatMap((sequence) => tables.changes.get(sequence) ?? []),
    heads: [...tables.heads.values()].map(({ record, position, deleted, expiresAt, readsLeft }) => ({
      record,
      position,
      deleted,
      expiresAt,
      readsLeft,
    })),
    audit: [...tables.audit()],
    secrets: [...tables.secrets.values()].sort((a, b) => compare(a.owner, b.owner) || compare(a.name, b.name)),
    notes: [...tables.notes.values()].sort((a, b) => compare(a.owner, b.owner) || compare(a.kind, b.kind) || compare(a.name, b.name)),
    definitionLog: [...tables.log()],
    sessions: sessions.map(([, row]) => row),
    sessionMessages: sessions.flatMap(([key, { last }]) =>
      Array.from({ length: last }, (_, index) => tables.sessions.message(key, index + 1)!),
    ),
    sessionInbox: sessions.flatMap(([key]) => tables.sessions.inbox(key)),
    tickets: [...tables.tickets.values()].sort((a, b) => compare(a.owner, b.owner) || compare(a.kind, b.kind) || compare(a.name, b.name)),
  };
  const ends = {
    sequence: tables.lastSequence(),
    changesBegin: tables.changesBegin(),
    audit: { first: tables.auditBegin(), last: tables.auditEnd() },
    chains: [...tables.chains.values()].sort((a, b) => compare(a.chain, b.chain)),
  };
  return {
    ends: async () => ends,
    count: async (kind) => rows[kind].length,
    async *pages(kind) {
      for (let start = 0; start < rows[kind].length; start += pageSize) yield rows[kind].slice(start, start + pageSize);
    },
  };
}

const pageSize = 100;

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
