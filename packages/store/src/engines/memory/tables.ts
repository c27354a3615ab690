import type { AuditEnd, AuditRow, ChainEnds } from "../../engine/audit.ts";
import type { DefinitionLogRow } from "../../engine/definition-log.ts";
import type { Note } from "../../engine/notes.ts";
import type { Sighting } from "../../engine/presence.ts";
import type { SecretRow } from "../../engine/secrets.ts";
import type { Change, Head, StoreEnds } from "../../engine/engine.ts";
import { createJobTables, type JobTables } from "./job-tables.ts";
import { createSessionTables, type SessionTables } from "./session-tables.ts";
import { createTicketTables, type TicketTables } from "./ticket-tables.ts";

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
  head(key: string): Row | undefined;
  /** In the order of their positions. */
  heads(): Iterable<Row>;
  putHead(key: string, row: Row | undefined): void;
  /** Keys of the records that have, or once had, an identity of this schema and name. */
  named(owner: string, schemaAndName: string): Iterable<string>;
  /** By its number; undefined for one that was removed. */
  change(sequence: number): Change | undefined;
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
  chains(): ReadonlyMap<string, ChainEnds>;
  putChain(chain: string, ends: ChainEnds | undefined): void;
  log(): readonly DefinitionLogRow[];
  addLog(rows: readonly DefinitionLogRow[]): void;
  secret(key: string): SecretRow | undefined;
  secrets(): readonly SecretRow[];
  putSecret(key: string, row: SecretRow | undefined): void;
  /** By owner and name. */
  sightings(): ReadonlyMap<string, Sighting>;
  putSighting(key: string, sighting: Sighting | undefined): void;
  /** By owner, kind and name. */
  notes(): Iterable<Note>;
  note(key: string): Note | undefined;
  putNote(key: string, note: Note | undefined): void;
  /** By owner and name. */
  lease(key: string): LeaseRow | undefined;
  putLease(key: string, row: LeaseRow): void;
  readonly jobs: JobTables;
  readonly sessions: SessionTables;
  readonly tickets: TicketTables;
  commit(): void;
}

export function createTables(base?: MemoryTables): MemoryTables {
  const heads = new Map<string, Row | undefined>();
  const names = new Map<string, Set<string>>();
  const changes = new Map<number, Change | undefined>();
  const secrets = new Map<string, SecretRow | undefined>();
  const sightings = new Map<string, Sighting | undefined>();
  const notes = new Map<string, Note | undefined>();
  const leases = new Map<string, LeaseRow>();
  const chains = new Map<string, ChainEnds | undefined>();
  const jobs = createJobTables(base?.jobs);
  const sessions = createSessionTables(base?.sessions);
  const tickets = createTicketTables(base?.tickets);
  const audit: AuditRow[] = [];
  const log: DefinitionLogRow[] = [];
  let begin: AuditEnd | undefined;
  let last = base?.lastSequence() ?? 0;
  let changesBegin = base?.changesBegin() ?? 0;

  const tables: MemoryTables = {
    head: (key) => (heads.has(key) ? heads.get(key) : base?.head(key)),
    *heads() {
      for (const row of base?.heads() ?? []) {
        const key = keyOf(row.record.owner, row.record.id);
        const now = heads.has(key) ? heads.get(key) : row;
        if (now !== undefined) yield now;
      }
      for (const [key, row] of heads) if (row !== undefined && base?.head(key) === undefined) yield row;
    },
    putHead(key, row) {
      if (row === undefined && base === undefined) heads.delete(key);
      else heads.set(key, row);
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
    change: (sequence) => (changes.has(sequence) ? changes.get(sequence) : base?.change(sequence)),
    lastSequence: () => last,
    putChange(sequence, change) {
      if (change === undefined && base === undefined) changes.delete(sequence);
      else changes.set(sequence, change);
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
    chains() {
      const all = new Map(base?.chains());
      for (const [chain, ends] of chains) {
        if (ends === undefined) all.delete(chain);
        else all.set(chain, ends);
      }
      return all;
    },
    putChain: (chain, ends) => void chains.set(chain, ends),
    log: () => (base === undefined ? log : log.length === 0 ? base.log() : [...base.log(), ...log]),
    addLog(rows) {
      for (const row of rows) log.push(row);
    },
    secret: (key) => (secrets.has(key) ? secrets.get(key) : base?.secret(key)),
    secrets() {
      const all = new Map((base?.secrets() ?? []).map((row) => [keyOf(row.owner, row.name), row]));
      for (const [key, row] of secrets) {
        if (row === undefined) all.delete(key);
        else all.set(key, row);
      }
      return [...all.values()];
    },
    putSecret: (key, row) => void secrets.set(key, row),
    sightings() {
      const all = new Map(base?.sightings());
      for (const [key, sighting] of sightings) {
        if (sighting === undefined) all.delete(key);
        else all.set(key, sighting);
      }
      return all;
    },
    putSighting: (key, sighting) => void sightings.set(key, sighting),
    note: (key) => (notes.has(key) ? notes.get(key) : base?.note(key)),
    *notes() {
      for (const note of base?.notes() ?? []) if (!notes.has(noteKey(note))) yield note;
      for (const note of notes.values()) if (note !== undefined) yield note;
    },
    putNote(key, note) {
      if (note === undefined && base === undefined) notes.delete(key);
      else notes.set(key, note);
    },
    lease: (key) => leases.get(key) ?? base?.lease(key),
    putLease: (key, row) => void leases.set(key, row),
    jobs,
    sessions,
    tickets,
    commit() {
      if (base === undefined) return;
      for (const [key, row] of heads) base.putHead(key, row);
      for (const [sequence, change] of changes) base.putChange(sequence, change);
      for (const [key, row] of secrets) base.putSecret(key, row);
      for (const [key, sighting] of sightings) base.putSighting(key, sighting);
      for (const [key, note] of notes) base.putNote(key, note);
      for (const [key, row] of leases) base.putLease(key, row);
      for (const [chain, ends] of chains) base.putChain(chain, ends);
      jobs.commit();
      sessions.commit();
      tickets.commit();
      base.addAudit(audit);
      base.addLog(log);
      if (begin !== undefined) base.dropAudit(begin);
      base.setEnds({ sequence: last, changesBegin, audit: { first: base.auditBegin(), last: base.auditEnd() } });
    },
  };
  return tables;
}

export function noteKey({ owner, kind, name }: Pick<Note, "owner" | "kind" | "name">): string {
  return `${owner} ${kind} ${name}`;
}

export function keyOf(owner: string, id: string): string {
  return `${owner} ${id}`;
}

/** "tool.definition.v1|random|1.0.0" → "tool.definition.v1|random" */
export function schemaAndName(identity: string): string {
  return identity.split("|", 2).join("|");
}
