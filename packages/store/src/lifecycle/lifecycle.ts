import { requireRole } from "../access.ts";
import { stateOf, type ToolLifecycle } from "../catalog/state.ts";
import { StoreError } from "../errors.ts";
import type { Breadcrumb, RecordedDecision } from "../record/breadcrumb.ts";
import { definitionHash } from "../record/decision.ts";
import { definitionSchema } from "../record/identity.ts";
import { isSeen } from "../record/seen.ts";
import { toIso } from "../store/clock.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore, WriteResult } from "../store/store.ts";
import { changedSince } from "./changed-since.ts";
import { approvalProblems, checkDefinition, type ProblemOf } from "./check-definition.ts";
import { recordDecision } from "./record-decision.ts";

export type Checked = { readonly ok: true; readonly record: Breadcrumb } | { readonly ok: false; readonly problems: readonly string[] };

export interface Decision {
  /** Stored with the definition and in the audit. */
  readonly reason: string;
  /** Of the content that was looked at (`definitionHash`): refused where the definition has changed since. */
  readonly hash?: string;
}

/** An approval is valid for the content that was reviewed, so it names that content. */
export type ApprovingDecision = Decision & {
  readonly hash: string;
  /** Why nothing could run this definition: `problemOf` of a record source. @default it is not asked */
  readonly problemOf?: ProblemOf;
};

/** Which states a definition may leave for which. */
const ways: Record<ToolLifecycle, readonly ToolLifecycle[]> = {
  draft: ["validated", "archived"],
  validated: ["approved", "draft", "archived"],
  approved: ["deprecated", "draft", "archived"],
  deprecated: ["approved", "archived"],
  archived: ["draft"],
  changed: [],
};

/** Checks schemas and examples; a definition without a fault goes from draft to validated. */
export async function validateDefinition(store: BreadcrumbStore, id: string): Promise<Checked> {
  const record = await definitionAt(store, id);
  if (isSeen(record)) throw new StoreError("STATE_INVALID", decidedByLock(id));
  const problems = checkDefinition(record.context);
  if (problems.length > 0) return { ok: false, problems };
  if (stateOf(record) !== "draft") return { ok: true, record };
  return { ok: true, record: mustBeWritten(await store.mergeContext(id, { state: "validated" })) };
}

/** From validated (or deprecated) to approved: from now on exactly this content can be called. */
export async function approveDefinition(store: BreadcrumbStore, id: string, decision: ApprovingDecision): Promise<Breadcrumb> {
  requireRole(store.actor, "curator", "decide about definitions");
  if (typeof decision.hash !== "string")
    throw new StoreError(
      "STATE_INVALID",
      `The hash of the content that you looked at is needed: the definition "${id}" stays as it is. Look at it, then approve its hash.`,
    );
  return decide(store, id, "approved", decision, async (record) => {
    const problems = await approvalProblems(record, decision.problemOf);
    if (problems.length > 0) throw new StoreError("STATE_INVALID", `The definition "${id}" cannot be approved: ${problems.join(" ")}`);
  });
}

/** Back to draft, with the reason for its author. */
export function rejectDefinition(store: BreadcrumbStore, id: string, decision: Decision): Promise<Breadcrumb> {
  return decide(store, id, "rejected", decision);
}

/** Still callable, with a warning that names the successor. */
export function deprecateDefinition(
  store: BreadcrumbStore,
  id: string,
  decision: Decision & { readonly successor?: string },
): Promise<Breadcrumb> {
  return decide(store, id, "deprecated", decision);
}

/** No longer listed or callable; its history stays. */
export function archiveDefinition(store: BreadcrumbStore, id: string, decision: Decision): Promise<Breadcrumb> {
  return decide(store, id, "archived", decision);
}

async function decide(
  store: BreadcrumbStore,
  id: string,
  decision: RecordedDecision["decision"],
  { reason, hash, successor }: Decision & { readonly successor?: string },
  check?: (record: Breadcrumb) => Promise<void>,
): Promise<Breadcrumb> {
  requireRole(store.actor, "curator", `decide about definitions`);
  if (typeof reason !== "string" || reason.trim() === "")
    throw new StoreError("STATE_INVALID", `A reason is needed: the definition "${id}" stays as it is.`);
  return store.transaction(async (tx) => {
    const record = await definitionAt(tx, id);
    if (hash !== undefined && hash !== definitionHash(record)) throw new StoreError("STATE_INVALID", await changedSince(tx, record, hash));
    if (isSeen(record)) throw new StoreError("STATE_INVALID", decidedByLock(id));
    const from = stateOf(record);
    const to = decision === "rejected" ? "draft" : decision;
    if (!ways[from].includes(to)) {
      const next = from === "draft" && to === "approved" ? " Validate it first." : "";
      throw new StoreError("STATE_INVALID", `The definition "${id}" is ${from} and cannot become ${to}.${next}`);
    }
    await check?.(record);
    const since = toIso(insideOf(tx).clock.now()).slice(0, 10);
    return recordDecision(tx, id, {
      decision,
      reason,
      ...(decision === "deprecated" && { deprecated: { since, ...(successor !== undefined && { successor }) } }),
    });
  });
}

/** Why a definition that a server saw has no lifecycle of its own. */
function decidedByLock(id: string): string {
  return `The definition "${id}" is of a tool that another source brings, and the server wrote it: it is served as that source has it. A change that waits is in: toolrack approvals. To switch the tool off: toolrack disable <tool>`;
}

async function definitionAt(store: BreadcrumbStore, id: string): Promise<Breadcrumb> {
  const record = await store.get(id);
  if (record?.schema_name === definitionSchema) return record;
  throw new StoreError("STATE_INVALID", `There is no tool definition "${id}".`);
}

function mustBeWritten(result: WriteResult): Breadcrumb {
  if (!result.ok) throw new StoreError("STATE_INVALID", result.message);
  return result.record;
}
