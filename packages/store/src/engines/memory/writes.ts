import { searchKeysOf } from "../../engine/search-keys.ts";
import { type AuditRow, type LinkedLine, mainChain } from "../../engine/audit.ts";
import type { ClusterLease } from "../../engine/cluster-lease.ts";
import type { Change, Writes } from "../../engine/engine.ts";
import { createJobWrites } from "./jobs.ts";
import { createReads } from "./reads.ts";
import { createSessionWrites } from "./sessions.ts";
import { createTicketWrites } from "./tickets.ts";
import { keyOf, type LeaseRow, noteKey, type MemoryTables } from "./tables.ts";

/** `current` is the draft of the running transaction. */
export function createWrites(current: () => MemoryTables): Writes {
  const reads = createReads(current);
  return {
    ...reads,
    ...createJobWrites(current),
    ...createSessionWrites(current),
    ...createTicketWrites(current),
    async save(savings) {
      return savings.map(({ record, type, identity, position, terms, expiresAt, readsLeft }) => {
        const change: Change = { sequence: current().lastSequence() + 1, type, record };
        current().putChange(change.sequence, change);
        const deleted = type === "deleted" || type === "expired";
        const head = { record, deleted, identity, terms, expiresAt, readsLeft, position: position ?? change.sequence };
        current().putHead(keyOf(record.owner, record.id), head);
        return change;
      });
    },
    async setReadsLeft(owner, id, readsLeft) {
      const row = current().heads.get(keyOf(owner, id));
      if (row !== undefined) current().putHead(keyOf(owner, id), { ...row, readsLeft });
    },
    async saveSecret(row) {
      current().secrets.put(keyOf(row.owner, row.name), row);
    },
    async removeSecret(owner, name) {
      current().secrets.put(keyOf(owner, name), undefined);
    },
    async noteSighting(owner, sighting) {
      current().sightings.put(keyOf(owner, sighting.name), sighting);
    },
    async renewSighting(owner, sighting) {
      const key = keyOf(owner, sighting.name);
      if (current().sightings.get(key) === undefined) return false;
      current().sightings.put(key, sighting);
      return true;
    },
    async holdsLease({ owner, name }) {
      return current().sightings.get(keyOf(owner, name)) !== undefined;
    },
    async forgetSighting(owner, name) {
      current().sightings.put(keyOf(owner, name), undefined);
    },
    async takeClusterLease(owner, name, holder, ttlMs) {
      const key = keyOf(owner, name);
      const known = current().leases.get(key);
      if (known !== undefined && known.endsAt > Date.now()) return undefined;
      const token = (known?.token ?? 0) + 1;
      current().leases.put(key, { holder, token, endsAt: Date.now() + ttlMs });
      return token;
    },
    async renewClusterLease(owner, lease, ttlMs) {
      const held = heldLease(current(), owner, lease);
      if (held !== undefined) current().leases.put(keyOf(owner, lease.name), { ...held, endsAt: Date.now() + ttlMs });
      return held !== undefined;
    },
    async releaseClusterLease(owner, lease) {
      const held = heldLease(current(), owner, lease);
      if (held !== undefined) current().leases.put(keyOf(owner, lease.name), { ...held, holder: "", endsAt: 0 });
    },
    async holdsClusterLease(owner, lease) {
      return heldLease(current(), owner, lease) !== undefined;
    },
    async lockNotes() {},
    async saveNotes(notes) {
      for (const note of notes) current().notes.put(noteKey(note), note);
    },
    async claimNote(note) {
      if (current().notes.get(noteKey(note)) !== undefined) return false;
      current().notes.put(noteKey(note), note);
      return true;
    },
    async removeNotes(owner, kind, names) {
      for (const name of names) current().notes.put(noteKey({ owner, kind, name }), undefined);
    },
    async trimNotes(owner, kind, now, most, prefix = "") {
      const own = [...current().notes.values()].filter((note) => note.owner === owner && note.kind === kind);
      const ended = own.filter(({ endsAt }) => endsAt !== undefined && endsAt <= now);
      const free = own.filter((note) => note.holder === "" && note.name.startsWith(prefix) && !ended.includes(note));
      const surplus = free.sort((a, b) => (b.endsAt ?? Number.POSITIVE_INFINITY) - (a.endsAt ?? Number.POSITIVE_INFINITY)).slice(most);
      for (const note of [...ended, ...surplus]) current().notes.put(noteKey(note), undefined);
      return ended.length + surplus.length;
    },
    async dropChanges(sequences) {
      for (const sequence of sequences) current().putChange(sequence, undefined);
    },
    async dropEnded(ends) {
      let dropped = 0;
      for (const { owner, id, sequence } of ends) {
        const head = current().heads.get(keyOf(owner, id));
        if (head?.deleted !== true || current().changes.get(sequence)?.record.version !== head.record.version) continue;
        for (const change of await reads.revisions(owner, id, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER))
          current().putChange(change.sequence, undefined);
        current().putHead(keyOf(owner, id), undefined);
        dropped += 1;
      }
      return dropped;
    },
    async addChanges(changes) {
      for (const change of changes) current().putChange(change.sequence, change);
    },
    async addHeads(heads) {
      for (const head of heads) {
        const { owner, id } = head.record;
        current().putHead(keyOf(owner, id), { ...head, ...searchKeysOf(head) });
      }
    },
    async addAudit(rows) {
      current().addAudit(rows);
    },
    async setEnds({ chains, ...ends }) {
      current().setEnds(ends);
      for (const one of chains) current().chains.put(one.chain, one);
    },
    async lockAudit() {},
    async chainTip() {
      return { ...current().auditEnd(), chain: mainChain, place: 0 };
    },
    async appendAudit(lines) {
      current().addAudit(lines.map(toRow));
      return true;
    },
    async appendLog(rows) {
      current().addLog(rows);
    },
    async dropAudit(upTo, chains) {
      current().dropAudit(upTo);
      for (const { chain, first } of chains) {
        const { last } = current().chains.get(chain)!;
        current().chains.put(chain, first.place === last.place ? undefined : { chain, first, last });
      }
    },
  };
}

function heldLease(tables: MemoryTables, owner: string, { name, token }: ClusterLease): LeaseRow | undefined {
  const row = tables.leases.get(keyOf(owner, name));
  return row?.token === token && row.holder !== "" ? row : undefined;
}

function toRow(line: LinkedLine): AuditRow {
  const [number, at, owner, kind, agent, subject, callId, ok, code, durationMs, body, principal, previous, hash, chain, keyId, place] =
    line;
  return { number, at, owner, kind, agent, subject, callId, ok, code, durationMs, body, principal, previous, hash, chain, keyId, place };
}
