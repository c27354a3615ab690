import type { ChainKey, LineContent } from "./audit.ts";
import type { Note } from "./notes.ts";
import type { Lease } from "./presence.ts";

/** What a log writes at once. */
export interface LogPage {
  /** For the end of the audit, in their order. */
  readonly lines: readonly LineContent[];
  /** Makes the hashes of the audit. */
  readonly key: ChainKey | undefined;
  readonly owner: string;
  /** The page is refused with LEASE_LOST where this is no longer held. */
  readonly lease?: Lease | undefined;
  /** Names of notes of calls that no longer run. */
  readonly removed: readonly string[];
  readonly saved: readonly Note[];
}
