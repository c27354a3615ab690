import type { ChainKey } from "../engine/audit.ts";
import type { Engine, Writes } from "../engine/engine.ts";
import { StoreError } from "../errors.ts";
import { contentOf } from "../record/breadcrumb.ts";
import { openAuditKeys, rewrapAuditKeys } from "../secrets/audit-key.ts";
import type { KeyProvider } from "../secrets/keys.ts";
import { secretSchema } from "../secrets/secrets.ts";
import { createUnit } from "../store/unit.ts";
import type { Head } from "../engine/engine.ts";
import { type ContentPage, type CopyProgress, type StoreContent, totalOf } from "./content.ts";
import { isAuditKey, rewrapSecret } from "./sealing.ts";

export interface FillOptions {
  readonly now: number;
  /** What the content is sealed with, and what it is to be sealed with; absent: secrets are left out. */
  readonly keys: { readonly from: KeyProvider; readonly to: KeyProvider } | undefined;
  /** Who writes what has to be written anew: keys wrapped again, secrets that are gone. */
  readonly agent: string;
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
}

export interface Filled {
  /** Secrets whose data keys were wrapped by another master key. */
  readonly rewrapped: number;
  /** Secrets that were left out. */
  readonly leftOut: number;
  /** Keys of the audit that opened, the newest last. */
  readonly auditKeys: readonly ChainKey[];
}

/** Puts a content into an empty store, in one transaction: all of it, or nothing. */
export function fillStore(engine: Engine, { header, pages }: StoreContent, options: FillOptions): Promise<Filled> {
  const { keys, now, agent, onProgress } = options;
  return engine.write(async (tx) => {
    await requireEmpty(tx);
    const total = totalOf(header.counts);
    const special: Head[] = [];
    let [done, rewrapped, leftOut] = [0, 0, 0];
    for await (const page of pages()) {
      if (page.kind === "head") special.push(...page.rows.filter(({ record, deleted }) => !deleted && isSpecial(record)));
      if (page.kind === "secret" && keys === undefined) leftOut += page.rows.length;
      else await addPage(tx, page, keys);
      if (page.kind === "secret" && keys !== undefined) rewrapped += page.rows.filter(({ keyId }) => keyId !== keys.to.keyId).length;
      done += page.rows.length;
      onProgress?.({ done, total });
    }
    await tx.setEnds(header.ends);
    const unit = createUnit(tx, now);
    const auditKeys: ChainKey[] = [];
    for (const head of special) {
      const { record } = head;
      const actor = { owner: record.owner, agent, roles: ["curator"] } as const;
      if (keys === undefined) {
        // Its value is not included: it has to be set again.
        if (!isAuditKey(record)) await unit.end(actor, head, "deleted");
        continue;
      }
      if (!isAuditKey(record)) continue;
      auditKeys.push(...(await openAuditKeys(record, keys.from)).opened);
      const context = await rewrapAuditKeys(record, keys.from, keys.to);
      if (context !== undefined) await unit.write(actor, [{ id: record.id, content: { ...contentOf(record), context }, before: head }]);
    }
    await unit.finish();
    return { rewrapped, leftOut, auditKeys };
  });
}

/** Throws with what is there. */
export async function requireEmpty(reads: Pick<Writes, "lastSequence" | "auditEnds" | "secretsNotUnder" | "countSessions">): Promise<void> {
  const changes = await reads.lastSequence();
  const { last } = await reads.auditEnds();
  const secrets = await reads.secretsNotUnder("", 1);
  const sessions = await reads.countSessions(undefined);
  if (changes === 0 && last.number === 0 && secrets.length === 0 && sessions === 0) return;
  throw new StoreError(
    "STORE_NOT_EMPTY",
    `The store is not empty: it has ${changes} changes, ${last.number} lines of audit and ${sessions} sessions. Choose a new file or an empty database; nothing was written.`,
  );
}

async function addPage(tx: Writes, page: ContentPage, keys: FillOptions["keys"]): Promise<void> {
  switch (page.kind) {
    case "change":
      return tx.addChanges(page.rows);
    case "head":
      return tx.addHeads(page.rows);
    case "audit":
      return tx.addAudit(page.rows);
    case "secret":
      for (const row of page.rows) await tx.saveSecret(await rewrapSecret(row, keys!.from, keys!.to));
      return;
    case "logged":
      return tx.appendLog(page.rows);
    case "answer":
      return tx.saveNotes(page.rows);
    case "session":
      for (const row of page.rows) await tx.addSession(row);
      return;
    case "message":
      return tx.addSessionMessages(page.rows);
    case "inbox":
      return tx.addInboxMessages(page.rows);
    case "task":
      return tx.addTickets(page.rows);
  }
}

function isSpecial(record: Head["record"]): boolean {
  return isAuditKey(record) || record.schema_name === secretSchema;
}
