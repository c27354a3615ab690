import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { type AuditKeyFit, checkAuditKey } from "./audit-key.ts";
import type { KeyProvider } from "./keys.ts";
import { about } from "./secrets.ts";

/** Whether the configured master keys open what a store contains. */
export interface KeyFit {
  /** Secrets that none of them opens. */
  readonly unreadableSecrets: number;
  /** Secrets that only a previous one opens. */
  readonly previousSecrets: number;
  readonly auditKey: AuditKeyFit["state"];
}

/** Opens one secret for each master key that wraps any, and the audit key; `store` is the one that `keyAudit` was given. */
export async function checkKeys(store: BreadcrumbStore, keys: KeyProvider): Promise<KeyFit> {
  const { engine } = insideOf(store);
  const [counts, audit] = await Promise.all([engine.secretKeys(), checkAuditKey(store, keys)]);
  let unreadableSecrets = 0;
  let previousSecrets = 0;
  for (const { owner, name, keyId, count } of counts) {
    if (keyId === keys.keyId) continue;
    const row = await engine.secret(owner, name);
    // It was set or removed at this moment: the next check counts it.
    if (row === undefined || row.keyId !== keyId) continue;
    if ((await keys.unwrap(keyId, row.wrappedKey, about(row))) === undefined) unreadableSecrets += count;
    else previousSecrets += count;
  }
  return { unreadableSecrets, previousSecrets, auditKey: audit.state };
}
