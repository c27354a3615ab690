import type { Writes } from "../engine.ts";
import { createReads } from "./reads.ts";
import { keyOf, type Tables } from "./tables.ts";

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
