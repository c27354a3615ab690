import type { ChainKey } from "../engine/audit.ts";
import { StoreError } from "../errors.ts";

/** What the lines of the audit are written and checked with, by everybody who writes through the store. */
export interface AuditKeys {
  /**
   * What lines are written under; undefined for an audit without a key. Throws AUDIT_LOCKED while the audit has a key that does not open:
   * lines under no key, or under another one, would break the chain for whoever has the right key.
   */
  current: ChainKey | undefined;
  isLocked: boolean;
  /** Whether lines carry MACs. */
  readonly hasKey: boolean;
  readonly known: Map<string, ChainKey>;
  /** A key that the audit had, and of which nothing is left. */
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
