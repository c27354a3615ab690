import type { CallContext } from "@toolrack/core";
import type { FoundRecord, OpenBreadcrumbs, ShownRecord, StoredRecord } from "../operations/breadcrumbs.ts";
import type { HttpOperations } from "../operations/http.ts";

/** A yes to a definition: why, and the hash of the content that was looked at. */
export interface ApprovedContent {
  readonly reason: string;
  readonly hash: string;
}

/** What the utilities do outside of themselves. */
export interface UtilityOperations {
  /** From 0 up to, and without, 1. */
  random(): number;
  /** Resolves after so long; rejects when the signal is aborted first. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  readonly http: HttpOperations;
  readonly breadcrumbs: OpenBreadcrumbs;
  /** Checks a tool definition and lets it be called, in the name of the caller. */
  approve(context: CallContext, id: string, decision: ApprovedContent): Promise<StoredRecord>;
  /** The hash of a tool definition, shown with its content; undefined for other records, or if nothing can approve it. */
  definitionHash(record: FoundRecord): string | undefined;
  /** The records as a model may see them: with `view_error` instead of a context that could not be made. */
  forModels(records: readonly FoundRecord[]): Promise<readonly ShownRecord[]>;
}
