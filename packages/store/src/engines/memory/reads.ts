import type { AuditFilter, AuditRow } from "../../engine/audit.ts";
import type { DefinitionLogRow } from "../../engine/definition-log.ts";
import { mayRead } from "../../access.ts";
import type { OldChange } from "../../engine/retention.ts";
import type { Change, Head, PagePlan, Reads } from "../../engine/engine.ts";
import { keyOf, noteKey, type Row, schemaAndName, type MemoryTables } from "./tables.ts";
import type { SecretKeyCount, SecretRow } from "../../engine/secrets.ts";
import { createJobReads } from "./jobs.ts";
import { createSessionReads } from "./sessions.ts";
import { createTicketReads } from "./tickets.ts";
import { createUsageReads } from "./usage.ts";

export function createReads(current: () => MemoryTables): Reads {
  const revisionsOf = (owner: string, id: string): Change[] => {
    const found: Change[] = [];
    const tables = current();
    for (let sequence = tables.lastSequence(); sequence > 0; sequence--) {
      const change = tables.changes.get(sequence);
      if (change?.record.owner === owner && change.record.id === id) found.push(change);
    }
    return found;
  };

  /** A record that was removed has no identity. */
  const namedRows = (owner: string, identity: string): Row[] => {
    const tables = current();
    return [...tables.named(owner, schemaAndName(identity))].flatMap((key) => tables.heads.get(key) ?? []);
  };

  return {
    ...createUsageReads(current),
    ...createJobReads(current),
    ...createSessionReads(current),
    ...createTicketReads(current),
    async head(owner, id) {
      return current().heads.get(keyOf(owner, id));
    },
    async heads(owner, ids) {
      return ids.flatMap((id) => current().heads.get(keyOf(owner, id)) ?? []);
    },
    async revision(owner, id, version) {
      return revisionsOf(owner, id).find((change) => change.record.version === version);
    },
    async revisions(owner, id, before, limit) {
      return revisionsOf(owner, id)
        .filter((change) => change.record.version < before)
        .slice(0, limit);
    },
    async page(plan) {
      const found: Head[] = [];
      for (const row of current().heads.values()) {
        if (row.position > plan.after && isWanted(row, plan)) found.push(row);
        if (found.length === plan.limit) break;
      }
      return found;
    },
    async withIdentity(owner, prefix) {
      return namedRows(owner, prefix).filter(({ identity }) => identity?.startsWith(prefix) === true);
    },
    async identified(owner, identities) {
      return identities.flatMap((identity) => namedRows(owner, identity).filter((row) => row.identity === identity));
    },
    async changesAfter(sequence, limit) {
      const tables = current();
      const found: Change[] = [];
      for (let next = sequence + 1; next <= tables.lastSequence() && found.length < limit; next++) {
        const change = tables.changes.get(next);
        if (change !== undefined) found.push(change);
      }
      return found;
    },
    async lastSequence() {
      return current().lastSequence();
    },
    async changesBegin() {
      return current().changesBegin();
    },
    async oldChanges({ after, upTo, revisions, wholeSchema }) {
      const tables = current();
      const found: OldChange[] = [];
      for (let sequence = after + 1; sequence <= Math.min(upTo, tables.lastSequence()); sequence++) {
        const { owner, id, version } = tables.changes.get(sequence)?.record ?? {};
        const head = owner === undefined || id === undefined ? undefined : tables.heads.get(keyOf(owner, id));
        if (head === undefined) continue;
        const { deleted, record } = head;
        const isOld = deleted ? version === record.version : record.schema_name !== wholeSchema && version! <= record.version - revisions;
        if (isOld) found.push({ sequence, owner: record.owner, id: record.id, schemaName: record.schema_name, isEnd: deleted });
      }
      return found;
    },
    async ended(now, limit) {
      const ended = [...current().heads.values()].filter((row) => !row.deleted && row.expiresAt !== undefined && row.expiresAt <= now);
      return ended.slice(0, limit).map(({ record: { owner, id } }) => ({ owner, id }));
    },
    async nextEnd() {
      let next: number | undefined;
      for (const { deleted, expiresAt } of current().heads.values()) {
        if (!deleted && expiresAt !== undefined && (next === undefined || expiresAt < next)) next = expiresAt;
      }
      return next;
    },
    async secret(owner, name) {
      return current().secrets.get(keyOf(owner, name));
    },
    async secretsNotUnder(keyId, limit, after = { owner: "", name: "" }) {
      return [...current().secrets.values()]
        .filter((row) => row.keyId !== keyId && bySecret(row, after) > 0)
        .sort(bySecret)
        .slice(0, limit);
    },
    async secretKeys() {
      const counts = new Map<string, SecretKeyCount>();
      for (const { owner, keyId, name } of [...current().secrets.values()].sort(bySecret)) {
        const key = keyOf(owner, keyId);
        const known = counts.get(key);
        counts.set(key, { owner, keyId, name: known?.name ?? name, count: (known?.count ?? 0) + 1 });
      }
      return [...counts.values()];
    },
    async migrations() {
      return { applied: 0, known: 0 };
    },
    async secretNames(owner) {
      return [...current().secrets.values()]
        .filter((row) => row.owner === owner)
        .map((row) => row.name)
        .sort();
    },
    async sightings(owner) {
      const own = [...current().sightings.entries()].filter(([key]) => key.startsWith(keyOf(owner, "")));
      return own.map(([, sighting]) => sighting).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async note(owner, kind, name) {
      return current().notes.get(noteKey({ owner, kind, name }));
    },
    async notes(owner, kind, limit, holder) {
      const found = [...current().notes.values()].filter(
        (note) => note.owner === owner && note.kind === kind && (holder === undefined || note.holder === holder),
      );
      return found.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, limit);
    },
    async logSize() {
      return current().log().length;
    },
    async logFrom(index, limit) {
      return current()
        .log()
        .slice(index, index + limit);
    },
    async logNodes(indexes) {
      const rows = current().log();
      return indexes.flatMap((index) => rows[index] ?? []);
    },
    async logBefore(before, limit, { owner, source, tool }) {
      const rows = current().log();
      const found: DefinitionLogRow[] = [];
      for (let index = Math.min(rows.length, before) - 1; index >= 0 && found.length < limit; index--) {
        const row = rows[index]!;
        if (row.owner === owner && (source ?? row.source) === row.source && (tool ?? row.tool) === row.tool) found.push(row);
      }
      return found;
    },
    async auditAfter(after, limit, filter = {}) {
      return firstOf(linesUp(current(), after), limit, filter);
    },
    async auditBefore(before, limit, filter = {}) {
      return firstOf(linesDown(current(), before), limit, filter);
    },
    async auditEnds() {
      const tables = current();
      return { first: tables.auditBegin(), last: tables.auditEnd() };
    },
    async auditChains() {
      return [...current().chains.values()].sort((a, b) => (a.chain < b.chain ? -1 : 1));
    },
    async chainsSince(number) {
      const { number: upTo, hash: main } = current().auditEnd();
      const ends = [...current().chains.values()].flatMap(({ chain: name, last }) => {
        const end = { chain: name, ...last };
        const line = current()
          .audit()
          .find(({ chain, place }) => chain === end.chain && place === end.place);
        return line !== undefined && line.number > number ? [{ ...end, number: line.number }] : [];
      });
      return { upTo, main, ends: ends.sort((a, b) => (a.chain < b.chain ? -1 : 1)) };
    },
    async auditSize() {
      const rows = current().audit();
      return { rows: rows.length, bytes: rows.reduce((sum, row) => sum + row.body.length, 0) };
    },
  };
}

function isWanted(row: Row, plan: PagePlan): boolean {
  const { record, deleted, expiresAt, terms } = row;
  return (
    !deleted &&
    mayRead(plan.actor, record) &&
    (expiresAt === undefined || expiresAt > plan.now) &&
    (plan.schemaName === undefined || record.schema_name === plan.schemaName) &&
    plan.allTags.every((tag) => record.tags.includes(tag)) &&
    (plan.anyTags.length === 0 || plan.anyTags.some((tag) => record.tags.includes(tag))) &&
    !plan.noneTags.some((tag) => record.tags.includes(tag)) &&
    plan.terms.every((wanted) => terms.some((term) => term.startsWith(wanted)))
  );
}

/** Numbers have no gaps, so that the index of a line follows from its number. */
function* linesUp(tables: MemoryTables, after: number): Iterable<AuditRow> {
  const rows = tables.audit();
  for (let index = Math.max(0, after - tables.auditBegin().number); index < rows.length; index++) yield rows[index]!;
}

function* linesDown(tables: MemoryTables, before: number): Iterable<AuditRow> {
  const rows = tables.audit();
  for (let index = Math.min(rows.length, before - tables.auditBegin().number - 1) - 1; index >= 0; index--) yield rows[index]!;
}

function firstOf(rows: Iterable<AuditRow>, limit: number, filter: AuditFilter): readonly AuditRow[] {
  const found: AuditRow[] = [];
  for (const row of rows) {
    if (found.length >= limit) break;
    if (passes(row, filter)) found.push(row);
  }
  return found;
}

function passes(
  row: AuditRow,
  { owner, kinds, agent, principals, subject, callId, callIdPrefix, ok, from, to, after }: AuditFilter,
): boolean {
  return (
    (owner === undefined || row.owner === owner) &&
    (kinds === undefined || kinds.includes(row.kind)) &&
    (agent === undefined || row.agent === agent) &&
    (principals === undefined || principals.includes(row.principal)) &&
    (subject === undefined || row.subject === subject) &&
    (callId === undefined || row.callId === callId) &&
    (callIdPrefix === undefined || row.callId?.startsWith(callIdPrefix) === true) &&
    (ok === undefined || row.ok === Number(ok)) &&
    (after === undefined || row.number > after) &&
    (from === undefined || row.at >= from) &&
    (to === undefined || row.at < to)
  );
}

function bySecret(a: Pick<SecretRow, "owner" | "name">, b: Pick<SecretRow, "owner" | "name">): number {
  const [left, right] = a.owner === b.owner ? [a.name, b.name] : [a.owner, b.owner];
  return left < right ? -1 : left > right ? 1 : 0;
}
