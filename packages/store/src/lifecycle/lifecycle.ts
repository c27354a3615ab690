import { demandRole } from "../access/actor.ts";
import { addToAudit } from "../audit/audit.ts";
import { stateOf, type ToolLifecycle } from "../catalog/state.ts";
import { StoreError } from "../errors.ts";
import type { Breadcrumb, JsonObject } from "../record/breadcrumb.ts";
import { definitionSchema } from "../record/identity.ts";
import { toIso } from "../store/clock.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore, WriteResult } from "../store/store.ts";
import { checkDefinition } from "./check-definition.ts";

export type Checked = { readonly ok: true; readonly record: Breadcrumb } | { readonly ok: false; readonly problems: readonly string[] };

export interface Decision {
  /** Kept with the definition and in the audit. */
  readonly reason: string;
}

/** Which states a definition may leave for which. */
const ways: Record<ToolLifecycle, readonly ToolLifecycle[]> = {
  draft: ["validated", "archived"],
  validated: ["approved", "draft", "archived"],
  approved: ["deprecated", "draft", "archived"],
  deprecated: ["approved", "archived"],
  archived: ["draft"],
};

/** Checks schemas and examples; a definition without a fault goes from draft to validated. */
export async function validateDefinition(store: BreadcrumbStore, id: string): Promise<Checked> {
  const record = await definitionAt(store, id);
  const problems = checkDefinition(record.context);
  if (problems.length > 0) return { ok: false, problems };
  if (stateOf(record) !== "draft") return { ok: true, record };
  return { ok: true, record: mustBeWritten(await store.mergeContext(id, { state: "validated" })) };
}

/** From validated (or deprecated) to approved: from now on it can be called. */
export function approveDefinition(store: BreadcrumbStore, id: string, decision: Decision): Promise<Breadcrumb> {
  return decide(store, id, "approved", "approved", decision, ({ context }) => {
    const problems = checkDefinition(context);
    if (problems.length > 0) throw new StoreError("STATE_INVALID", `The definition "${id}" cannot be approved: ${problems.join(" ")}`);
    return { deprecated: null };
  });
}

/** Back to draft, with the reason for its author. */
export function rejectDefinition(store: BreadcrumbStore, id: string, decision: Decision): Promise<Breadcrumb> {
  return decide(store, id, "draft", "rejected", decision, () => ({}));
}

/** Still callable, with a warning that names the successor. */
export function deprecateDefinition(
  store: BreadcrumbStore,
  id: string,
  decision: Decision & { readonly successor?: string },
): Promise<Breadcrumb> {
  return decide(store, id, "deprecated", "deprecated", decision, () => ({
    deprecated: {
      since: toIso(insideOf(store).clock.now()).slice(0, 10),
      ...(decision.successor !== undefined && { successor: decision.successor }),
    },
  }));
}

/** No longer listed or callable; its history stays. */
export function archiveDefinition(store: BreadcrumbStore, id: string, decision: Decision): Promise<Breadcrumb> {
  return decide(store, id, "archived", "archived", decision, () => ({}));
}

async function decide(
  store: BreadcrumbStore,
  id: string,
  to: ToolLifecycle,
  kind: string,
  { reason }: Decision,
  change: (record: Breadcrumb) => JsonObject,
): Promise<Breadcrumb> {
  demandRole(store.actor, "curator", `decide about definitions`);
  if (typeof reason !== "string" || reason.trim() === "")
    throw new StoreError("STATE_INVALID", `A reason is needed: the definition "${id}" stays as it is.`);
  return store.transaction(async (tx) => {
    const record = await definitionAt(tx, id);
    const from = stateOf(record);
    if (!ways[from].includes(to)) {
      const next = from === "draft" && to === "approved" ? " Validate it first." : "";
      throw new StoreError("STATE_INVALID", `The definition "${id}" is ${from} and cannot become ${to}.${next}`);
    }
    const review = { decision: kind, reason, by: tx.actor.agent, at: toIso(insideOf(tx).clock.now()) };
    const written = mustBeWritten(await tx.mergeContext(id, { ...change(record), state: to, review }));
    await addToAudit(tx, [{ kind, subject: id, body: { from, to, reason, version: written.version } }]);
    return written;
  });
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
