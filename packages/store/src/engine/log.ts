import type { ChainKey, LineContent } from "./audit.ts";
import type { Note } from "./notes.ts";
import type { Lease } from "./presence.ts";

/** What the call log writes in one transaction. */
export interface LogPage {
  /** Appended to the audit, in this order. */
  readonly lines: readonly LineContent[];
  /** Signs the lines; undefined for plain hashes. */
  readonly key: ChainKey | undefined;
  /** Whose notes they are. */
  readonly owner: string;
  /** Where this is no longer held, the page is refused with LEASE_LOST and nothing of it is written. */
  readonly lease?: Lease | undefined;
  /** Names of "running" notes of this owner to remove; a name that is not there is no error. */
  readonly removed: readonly string[];
  /** Notes to add, or to replace. */
  readonly saved: readonly Note[];
}
