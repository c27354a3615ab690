import type { CallContext } from "@toolrack/core";
import type { OpenBreadcrumbs, StoredRecord } from "../operations/breadcrumbs.ts";
import type { HttpOperations } from "../operations/http.ts";

/** What the utilities do outside of themselves. */
export interface UtilityOperations {
  /** From 0 up to, and without, 1. */
  random(): number;
  /** Resolves after so long; rejects when the signal is aborted first. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  readonly http: HttpOperations;
  readonly breadcrumbs: OpenBreadcrumbs;
  /** Checks a tool definition and lets it be called, in the name of the caller. */
  approve(context: CallContext, id: string, reason: string): Promise<StoredRecord>;
}
