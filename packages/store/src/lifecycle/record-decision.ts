import { requireRole, mayApproveOwn, ownContent } from "../access.ts";
import { addToAudit } from "../audit/audit.ts";
import { isCallable, stateOf, type ToolLifecycle } from "../catalog/state.ts";
import { StoreError } from "../errors.ts";
import { type Breadcrumb, contentOf, type RecordedDecision } from "../record/breadcrumb.ts";
import { definitionHash } from "../record/decision.ts";
import { toIso } from "../store/clock.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { hasWritten } from "./authors.ts";

export interface DecisionToRecord extends Pick<RecordedDecision, "decision" | "reason" | "deprecated"> {
  /** Leaves the content as it is, without the state and the review that its author would read there. @default false */
  readonly besideOnly?: boolean;
}

/**
 * Records a curator's decision about the current content of a definition: beside the record, bound to the hash of its content, and as a line of
 * the audit. `tx` is the store of a transaction, so that what was looked at is what is decided about. Nobody but the owner of the store
 * opens what they wrote themselves.
 */
export async function recordDecision(
  tx: BreadcrumbStore,
  id: string,
  { decision, reason, deprecated, besideOnly = false }: DecisionToRecord,
): Promise<Breadcrumb> {
  requireRole(tx.actor, "curator", "decide about definitions");
  const { inUnit } = insideOf(tx);
  const { from, record } = await inUnit(async (unit) => {
    const head = await unit.tx.head(tx.actor.owner, id);
    if (head === undefined || head.deleted) throw new StoreError("STATE_INVALID", `There is no tool definition "${id}".`);
    const content = contentOf(head.record);
    const before = stateOf(head.record);
    const opens = isCallable(stateAfter[decision]) && !isCallable(before);
    if (opens && !mayApproveOwn(tx.actor) && (await hasWritten(tx, id))) throw ownContent(tx.actor, id);
    const at = toIso(unit.now);
    const decided: RecordedDecision = {
      decision,
      hash: definitionHash(content),
      by: tx.actor.agent,
      at,
      reason,
      ...(deprecated !== undefined && { deprecated }),
    };
    const review = { decision, reason, by: tx.actor.agent, at };
    const { deprecated: earlier, ...rest } = content.context;
    const since = decision === "archived" ? earlier : deprecated;
    const shown = { ...rest, state: stateAfter[decision], review, ...(since !== undefined && { deprecated: since }) };
    const context = besideOnly ? content.context : shown;
    const [written] = await unit.write(tx.actor, [{ id, content: { ...content, context }, before: head, decided }]);
    return { from: before, record: written! };
  });
  const { version } = record;
  const body = { from, to: stateAfter[decision], reason, version, hash: record.decision!.hash };
  await addToAudit(tx, [{ kind: decision, subject: id, body }]);
  return record;
}

const stateAfter: Readonly<Record<RecordedDecision["decision"], ToolLifecycle>> = {
  approved: "approved",
  rejected: "draft",
  deprecated: "deprecated",
  archived: "archived",
};
