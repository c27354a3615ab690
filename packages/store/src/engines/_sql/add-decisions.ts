import type { Breadcrumb, RecordedDecision } from "../../record/breadcrumb.ts";
import { definitionHash } from "../../record/decision.ts";
import { definitionSchema } from "../../record/identity.ts";
import type { Sql } from "./tables.ts";

/**
 * Records a decision for each definition that was callable, or archived, before decisions were recorded, so that it stays so. From then on
 * only decisions count.
 */
export async function addDecisions(db: Sql): Promise<void> {
  const live = db.selectFrom("breadcrumbs").select(["position", "owner", "id", "version", "body"]).where("deleted", "=", 0);
  const definitions = live.where("schema_name", "=", definitionSchema).orderBy("position").limit(500);
  for (let after = 0; ;) {
    const rows = await definitions.where("position", ">", after).execute();
    if (rows.length === 0) return;
    for (const { position, owner, id, version, body } of rows) {
      const record = JSON.parse(body) as Breadcrumb;
      const decision = formerDecision(record);
      if (decision === undefined) continue;
      const decided = JSON.stringify({ ...record, decision });
      await db.updateTable("breadcrumbs").set({ body: decided }).where("position", "=", position).execute();
      const revision = db.updateTable("revisions").set({ body: decided }).where("owner", "=", owner).where("id", "=", id);
      await revision.where("version", "=", version).execute();
    }
    after = rows.at(-1)!.position;
  }
}

/** By the rule of that time: whatever a curator wrote last was approved, unless it said otherwise. */
function formerDecision(record: Breadcrumb): RecordedDecision | undefined {
  const { context, updated_as, updated_by, updated_at } = record;
  const { state = "approved", deprecated } = context;
  if (updated_as === "emitter" || (state !== "approved" && state !== "deprecated" && state !== "archived")) return undefined;
  return {
    decision: state,
    hash: definitionHash(record),
    by: updated_by,
    at: updated_at,
    reason: "It was so before decisions were recorded.",
    ...(state === "deprecated" && deprecated !== undefined && { deprecated: deprecated as NonNullable<RecordedDecision["deprecated"]> }),
  };
}
