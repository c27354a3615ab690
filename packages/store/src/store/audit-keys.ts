import type { ChainKey } from "../engine/audit.ts";
import { StoreError } from "../errors.ts";

/** The keys that sign and verify the audit, shared by everything that writes through one store. */
export interface AuditKeys {
  /**
   * Signs new lines; undefined for an audit without a key. Throws AUDIT_LOCKED while the audit has a key that the master key does not open:
   * lines without a MAC, or under another key, would break the chain.
   */
  current: ChainKey | undefined;
  isLocked: boolean;
  /** Whether lines carry MACs. */
  readonly hasKey: boolean;
  readonly known: Map<string, ChainKey>;
  /** The id of a key that the audit had, and whose record is missing. */
  gone: string | undefined;
}

export function createAuditKeys(): AuditKeys {
  let current: ChainKey | undefined;
  return {
    get current() {
      if (this.isLocked)
        throw new StoreError(
          "AUDIT_LOCKED",
          "Nothing can be recorded: the master key at hand does not open the key of the audit. See: toolrack status",
        );
      return current;
    },
    set current(key) {
      current = key;
      this.isLocked = false;
    },
    isLocked: false,
    get hasKey() {
      return this.isLocked || current !== undefined;
    },
    known: new Map(),
    gone: undefined,
  };
}
