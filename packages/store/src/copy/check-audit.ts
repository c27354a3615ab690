import { type AuditCheck, verifyAudit } from "../audit/verify.ts";
import type { AuditEnd, ChainKey } from "../engine/audit.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";

/** Verifies the audit of a store that was just filled: the chain is intact, and contains the last line of the source. */
export async function checkAudit(store: BreadcrumbStore, keys: readonly ChainKey[], last: AuditEnd): Promise<AuditCheck> {
  const { auditKeys, engine } = insideOf(store);
  for (const key of keys) auditKeys.known.set(key.id, key);
  auditKeys.current = keys.at(-1);
  const [line] = await engine.auditAfter(last.number - 1, 1);
  return verifyAudit(store, { since: line === undefined ? last : { number: line.number, hash: line.hash } });
}
