import type { Writes } from "../engine.ts";
import { createReads } from "./reads.ts";
import { keyOf, noteKey, type Tables } from "./tables.ts";

export function createWrites(tables: Tables): Writes {
  const reads = createReads(() => tables);
  return {
    ...reads,
    async save(saving) {
      const { record, type, identity, terms, expiresAt, readsLeft } = saving;
      const key = keyOf(record.owner, record.id);
      const change = tables.putChange(saving);
      const deleted = type === "deleted" || type === "expired";
      tables.putHead(key, {
        record,
        deleted,
        identity,
        terms,
        expiresAt,
        readsLeft,
        position: tables.head(key)?.position ?? change.sequence,
      });
      return change;
    },
    async setReadsLeft(owner, id, readsLeft) {
      const row = tables.head(keyOf(owner, id));
      if (row !== undefined) tables.putHead(keyOf(owner, id), { ...row, readsLeft });
    },
    async saveSecret(row) {
      tables.putSecret(keyOf(row.owner, row.name), row);
    },
    async removeSecret(owner, name) {
      tables.putSecret(keyOf(owner, name), undefined);
    },
    async noteSighting(owner, { name, seenAt }) {
      tables.putSighting(keyOf(owner, name), seenAt);
    },
    async forgetSighting(owner, name) {
      tables.putSighting(keyOf(owner, name), undefined);
    },
    async saveNotes(notes) {
      for (const note of notes) tables.putNote(noteKey(note), note);
    },
    async claimNote(note) {
      if (tables.note(noteKey(note)) !== undefined) return false;
      tables.putNote(noteKey(note), note);
      return true;
    },
    async removeNotes(owner, kind, names) {
      for (const name of names) tables.putNote(noteKey({ owner, kind, name }), undefined);
    },
    async trimNotes(owner, kind, now, most) {
      const own = [...tables.notes()].filter((note) => note.owner === owner && note.kind === kind);
      const ended = own.filter(({ endsAt }) => endsAt !== undefined && endsAt <= now);
      const free = own.filter((note) => note.holder === "" && !ended.includes(note));
      const surplus = free.sort((a, b) => (b.endsAt ?? Number.POSITIVE_INFINITY) - (a.endsAt ?? Number.POSITIVE_INFINITY)).slice(most);
      for (const note of [...ended, ...surplus]) tables.putNote(noteKey(note), undefined);
    },
    async lockAudit() {
      return (await reads.auditEnds()).last;
    },
    async appendAudit(rows) {
      tables.addAudit(rows);
    },
    async dropAudit(upTo) {
      tables.dropAudit(upTo);
    },
  };
}
