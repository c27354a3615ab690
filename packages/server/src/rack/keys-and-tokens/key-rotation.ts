import { type BreadcrumbStore, checkKeys, type KeyFit, type KeyProvider, rewrapAuditKey, type Secrets } from "@toolrack/store";
import { type Author, signedBy } from "../audit/author.ts";
import { rewrapSharedKey } from "./shared-key.ts";

/** The master key of a server, and whether it opens what the store holds. */
export interface MasterKey {
  /** A digest of the key: equal digests are equal keys. */
  readonly keyId: string;
  check(): Promise<KeyFit>;
  /** What the key does not open, and the remedy; undefined if it opens everything. */
  explain(fit: KeyFit): string | undefined;
  /** Rewraps everything with the current key, which ends a rotation. May be called again, and while other servers run. */
  rewrap(options: { readonly by: Author; readonly forgetUnreadable?: boolean }): Promise<RewrapReport>;
}

export interface RewrapReport {
  readonly keyId: string;
  /** How many secrets and other keys were rewrapped. */
  readonly secrets: number;
  readonly auditKeys: number;
  readonly sharedKeys: number;
  /** What no available key opens: names of secrets, ids of audit keys. */
  readonly unreadable: { readonly secrets: readonly string[]; readonly auditKeys: readonly string[] };
  /** The unreadable ones that were removed. */
  readonly forgotten: { readonly secrets: readonly string[]; readonly auditKeys: readonly string[] };
  /** Whether something still needs one of TOOLRACK_PREVIOUS_KEYS. */
  readonly needsPreviousKeys: boolean;
}

export interface MasterKeyParts {
  /** The server's own records. */
  readonly store: BreadcrumbStore;
  readonly keys: KeyProvider;
  /** "TOOLRACK_MASTER_KEY" */
  readonly origin: string;
  readonly secrets: Pick<Secrets, "rewrap">;
  /** Called with the new key of the audit log that replaces a lost one. */
  onNewAuditKey(keyId: string): void;
}

export function createMasterKey({ store, keys, origin, secrets, onNewAuditKey }: MasterKeyParts): MasterKey {
  return {
    keyId: keys.keyId,
    check: () => checkKeys(store, keys),
    explain: (fit) => explainFit(fit, origin),
    async rewrap({ by, forgetUnreadable = false }) {
      // The audit log first: changes of secrets are recorded in it.
      const audit = await rewrapAuditKey(store, keys, { forgetUnreadable });
      if (audit.newKeyId !== undefined) onNewAuditKey(audit.newKeyId);
      const rewrapped = await secrets.rewrap({ by: signedBy(by), forgetUnreadable });
      const sharedKeys = (await rewrapSharedKey(store, keys)) ? 1 : 0;
      const fit = await checkKeys(store, keys);
      return {
        keyId: keys.keyId,
        secrets: rewrapped.rewrapped,
        auditKeys: audit.rewrapped,
        sharedKeys,
        unreadable: {
          secrets: rewrapped.unreadable.filter((name) => !rewrapped.forgotten.includes(name)),
          auditKeys: audit.unreadable.filter((id) => !audit.forgotten.includes(id)),
        },
        forgotten: { secrets: rewrapped.forgotten, auditKeys: audit.forgotten },
        needsPreviousKeys: fit.previousSecrets > 0 || fit.auditKey === "previous",
      };
    },
  };
}

/** Opens nothing: to find out what a store has encrypted. */
export const noKeys: KeyProvider = { keyId: "", wrap: () => "", unwrap: () => undefined };

/** What cannot be opened: "2 secrets and the audit key"; undefined if everything can. */
export function sealedText({ unreadableSecrets, auditKey }: KeyFit): string | undefined {
  const closed = [
    ...(unreadableSecrets > 0 ? [unreadableSecrets === 1 ? "1 secret" : `${unreadableSecrets} secrets`] : []),
    ...(auditKey === "unreadable" ? ["the audit key"] : []),
  ];
  return closed.length === 0 ? undefined : closed.join(" and ");
}

function explainFit(fit: KeyFit, origin: string): string | undefined {
  const closed = sealedText(fit);
  if (closed === undefined) return undefined;
  const locked = fit.auditKey === "unreadable" ? " A server that starts so records nothing, and refuses calls." : "";
  return `The master key from ${origin} does not open what the store holds: ${closed}.${locked} Set TOOLRACK_MASTER_KEY to the key of the other servers, or add the key of before to TOOLRACK_PREVIOUS_KEYS, and restart. Only if that key is lost: toolrack secrets rewrap --forget-unreadable`;
}
