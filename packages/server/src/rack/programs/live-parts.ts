import type { CallAnswer } from "@toolrack/code";
import type { Reranker } from "@toolrack/core/search";
import type { CallLog } from "@toolrack/store";
import type { Budget } from "./budget.ts";
import type { ProgramCallIds } from "./call-ids.ts";
import type { PassedLabels } from "./passed-labels.ts";
import type { ReachRegistry } from "./reach.ts";
import type { PendingRecord, RunRecords } from "./run-record.ts";
import type { SeenShapes } from "./seen-shapes.ts";

/** What programs need of their server. */
export interface LiveParts {
  readonly registry: ReachRegistry;
  /** Reorders what `tools.search` finds by meaning. */
  readonly reranker?: Reranker | undefined;
  readonly records: RunRecords;
  readonly calls: Pick<CallLog, "show">;
  readonly callIds: ProgramCallIds;
  readonly passed: PassedLabels;
  readonly budget: Budget;
  readonly seen: SeenShapes;
  /** This server, by its present name. */
  readonly server: { readonly name: string };
  /** Announces that this server has stored programs. */
  announce(): Promise<void>;
  /** The call of a resumed program has the answer of this question already. */
  carry(callId: string, approval: string): void;
  /** What may be kept of a value. */
  redact(value: unknown): unknown;
  isLeft(reason: unknown): boolean;
  now(): number;
}

/** How the call of an earlier server ended, with what its answer carries. */
export type Settle = (pending: PendingRecord) => Promise<{ readonly answer: CallAnswer; readonly labels: readonly string[] } | "again">;
