import type { AuditEnd, AuditRow, ChainEnds } from "../../engine/audit.ts";
import type { DefinitionLogRow } from "../../engine/definition-log.ts";
import type { Note } from "../../engine/notes.ts";
import type { Sighting } from "../../engine/presence.ts";
import type { SecretRow } from "../../engine/secrets.ts";
import type { TicketName, TicketRow } from "../../engine/tickets.ts";
import type { Change, Head, StoreEnds } from "../../engine/engine.ts";
import { createJobTables, type JobTables } from "./job-tables.ts";
import { createLayer, type Layer } from "./layer.ts";
import { createSessionTables, type SessionTables } from "./session-tables.ts";

/** A head with what finds it. */
export interface Row extends Head {
  readonly identity: string | undefined;
  readonly terms: readonly string[];
}

/** A lease of the cluster; `holder` is "" for one that was released. */
export interface LeaseRow {
  readonly holder: string;
  readonly token: number;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/** The rows, or a draft of changes on top of them that `commit` applies. */
export interface MemoryTables {
  /** By owner and id, in the order of their positions; written by `putHead`. */
  readonly heads: Layer<string, Row>;
  putHead(key: string, row: Row | undefined): void;
  /** Keys of the records that have, or once had, an identity of this schema and name. */
  named(owner: string, schemaAndName: string): Iterable<string>;
  /** By number; written by `putChange`. */
  readonly changes: Layer<number, Change>;
  lastSequence(): number;
  putChange(sequence: number, change: Change | undefined): void;
  /** The highest number of a change that was removed. */
  changesBegin(): number;
  /** Only for a store that is filled with the rows of another one: numbers that do not follow from the rows. */
  setEnds(ends: Omit<StoreEnds, "chains">): void;
  audit(): readonly AuditRow[];
  /** The last number, and the hash of the last line of the chain "main". */
  auditEnd(): AuditEnd;
  addAudit(rows: readonly AuditRow[]): void;
  dropAudit(upTo: AuditEnd): void;
  auditBegin(): AuditEnd;
  /** By name. */
  readonly chains: Layer<string, ChainEnds>;
  log(): readonly DefinitionLogRow[];
  addLog(rows: readonly DefinitionLogRow[]): void;
  /** By owner and name. */
  readonly secrets: Layer<string, SecretRow>;
  /** By owner and name. */
  readonly sightings: Layer<string, Sighting>;
  /** By owner, kind and name. */
  readonly notes: Layer<string, Note>;
  /** By owner and name. */
  readonly leases: Layer<string, LeaseRow>;
  readonly jobs: JobTables;
  readonly sessions: SessionTables;
  /** By owner, kind and name. */
  readonly tickets: Layer<string, TicketRow>;
  /** What a draft has to tell once it is committed. */
  readonly changedTickets: TicketName[];
  commit(): void;
}

export function createTables(base?: MemoryTables): MemoryTables {
  const heads = createLayer(base?.heads);
  const names = new Map<string, Set<string>>();
  const changes = createLayer(base?.changes);
  const chains = createLayer(base?.chains);
  const secrets = createLayer(base?.secrets);
  const sightings = createLayer(base?.sightings);
  const notes = createLayer(base?.notes);
  const leases = createLayer(base?.leases);
  const jobs = createJobTables(base?.jobs);
  const sessions = createSessionTables(base?.sessions);
  const tickets = createLayer(base?.tickets);
  const audit: AuditRow[] = [];
  const log: DefinitionLogRow[] = [];
  let begin: AuditEnd | undefined;
  let last = base?.lastSequence() ?? 0;
  let changesBegin = base?.changesBegin() ?? 0;

  const tables: MemoryTables = {
    heads,
    putHead(key, row) {
      heads.put(key, row);
      if (row?.identity === undefined) return;
      const name = keyOf(row.record.owner, schemaAndName(row.identity));
      const keys = names.get(name) ?? new Set();
      names.set(name, keys.add(key));
    },
    *named(owner, name) {
      const own = names.get(keyOf(owner, name));
      if (own !== undefined) yield* own;
      if (base !== undefined) for (const key of base.named(owner, name)) if (own?.has(key) !== true) yield key;
    },
    changes,
    lastSequence: () => last,
    putChange(sequence, change) {
      changes.put(sequence, change);
      if (change === undefined) changesBegin = Math.max(changesBegin, sequence);
      else last = Math.max(last, sequence);
    },
    changesBegin: () => changesBegin,
    setEnds(ends) {
      last = ends.sequence;
      changesBegin = ends.changesBegin;
      begin = ends.audit.first;
    },
    audit() {
      const rows = base === undefined ? audit : [...base.audit(), ...audit];
      return begin === undefined || base === undefined ? rows : rows.filter((row) => row.number > begin!.number);
    },
    auditEnd() {
      const before = base?.auditEnd() ?? tables.auditBegin();
      const { number } = audit.at(-1) ?? before;
      return { number, hash: audit.findLast(({ place }) => place === 0)?.hash ?? before.hash };
    },
    addAudit: (rows) => void audit.push(...rows),
    dropAudit(upTo) {
      begin = upTo;
      if (base === undefined) audit.splice(0, audit.filter((row) => row.number <= upTo.number).length);
    },
    auditBegin: () => begin ?? base?.auditBegin() ?? { number: 0, hash: "" },
    chains,
    // Most drafts add nothing to it, and it may be long.
    log: () => (base === undefined ? log : log.length === 0 ? base.log() : [...base.log(), ...log]),
    addLog(rows) {
      for (const row of rows) log.push(row);
    },
    secrets,
    sightings,
    notes,
    leases,
    jobs,
    sessions,
    tickets,
    changedTickets: [],
    commit() {
      if (base === undefined) return;
      for (const [key, row] of heads.own) base.putHead(key, row);
      for (const [sequence, change] of changes.own) base.putChange(sequence, change);
      for (const layer of [chains, secrets, sightings, notes, leases, jobs, sessions, tickets]) layer.commit();
      base.addAudit(audit);
      base.addLog(log);
      if (begin !== undefined) base.dropAudit(begin);
      base.setEnds({ sequence: last, changesBegin, audit: { first: base.auditBegin(), last: base.auditEnd() } });
    },
  };
  return tables;
}

/** Of a note or a ticket. */
export function noteKey({ owner, kind, name }: { readonly owner: string; readonly kind: string; readonly name: string }): string {
  return `${owner} ${kind} ${name}`;
}

export function keyOf(owner: string, id: string): string {
  return `${owner} ${id}`;
}

/** "tool.definition.v1|random|1.0.0" → "tool.definition.v1|random" */
export function schemaAndName(identity: string): string {
  return identity.split("|", 2).join("|");
}
