import { type Actor, isCurator } from "../access.ts";
import type { Change, ChangeType, Head, Writes } from "../engine/engine.ts";
import { type Breadcrumb, type Content, contentOf, type RecordedDecision } from "../record/breadcrumb.ts";
import { identityOf } from "../record/identity.ts";
import { checksumOf } from "../record/json.ts";
import { termsOf } from "../record/terms.ts";
import { expiryOf } from "../record/ttl.ts";
import { type CatalogUpdater, createCatalogUpdater } from "./catalog-updater.ts";
import { toIso } from "./clock.ts";

/** One transaction. All writes go through it, so that the catalog is updated and every write is a revision. */
export interface Unit {
  readonly tx: Writes;
  readonly now: number;
  /** Writes the next revision of a record. With `decided`, records that decision; without it, the last decision stays. */
  write(actor: Actor, id: string, content: Content, before: Head | undefined, decided?: RecordedDecision): Promise<Breadcrumb>;
  /** Writes its removal: the same content with a new version. */
  end(actor: Actor | undefined, head: Head, type: "deleted" | "expired"): Promise<Breadcrumb>;
  /** To be called last. */
  finish(): Promise<void>;
}

export function createUnit(tx: Writes, now: number): Unit {
  const catalog: CatalogUpdater = createCatalogUpdater(tx, now);

  async function save(type: ChangeType, record: Breadcrumb, before: Head | undefined): Promise<Change> {
    const content = contentOf(record);
    const isLive = type === "created" || type === "updated";
    const live = before === undefined || before.deleted ? undefined : before.record;
    const change = await tx.save({
      type,
      record,
      identity: isLive ? identityOf(content) : undefined,
      tagsBefore: live?.tags ?? [],
      terms: isLive ? termsOf(record.id, content) : [],
      expiresAt: isLive ? expiryOf(record.ttl, now) : undefined,
      readsLeft: isLive ? record.ttl?.reads : undefined,
    });
    await catalog.note(live, isLive ? record : undefined);
    return change;
  }

  return {
    tx,
    now,
    async write(actor, id, content, before, decided) {
      const isNew = before === undefined || before.deleted;
      const at = toIso(now);
      // A removed record loses its decision.
      const decision = decided ?? (isNew ? undefined : before.record.decision);
      const record: Breadcrumb = {
        owner: actor.owner,
        id,
        ...content,
        version: (before?.record.version ?? 0) + 1,
        checksum: checksumOf(content),
        created_at: isNew ? at : before.record.created_at,
        created_by: isNew ? actor.agent : before.record.created_by,
        updated_at: at,
        updated_by: actor.agent,
        ...(actor.signedInAs !== undefined && { updated_agent: actor.signedInAs }),
        updated_as: isCurator(actor) ? "curator" : "emitter",
        ...(decision !== undefined && { decision }),
      };
      return (await save(isNew ? "created" : "updated", record, before)).record;
    },
    async end(actor, head, type) {
      const { updated_agent, ...record } = head.record;
      const signedInAs = actor === undefined ? updated_agent : actor.signedInAs;
      const ended: Breadcrumb = {
        ...record,
        ...(signedInAs !== undefined && { updated_agent: signedInAs }),
        version: record.version + 1,
        updated_at: toIso(now),
        updated_by: actor?.agent ?? record.updated_by,
      };
      return (await save(type, ended, head)).record;
    },
    finish: () => catalog.finish(),
  };
}
