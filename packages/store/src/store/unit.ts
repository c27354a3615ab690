import { type Actor, isCurator } from "../access.ts";
import type { ChangeType, Head, Writes } from "../engine/engine.ts";
import { type Breadcrumb, type Content, contentOf, type RecordedDecision } from "../record/breadcrumb.ts";
import { identityOf } from "../record/identity.ts";
import { contentChecksum } from "../record/context-text.ts";
import { termsOf } from "../record/terms.ts";
import { expiryOf } from "../record/ttl.ts";
import { type CatalogUpdater, createCatalogUpdater } from "./catalog-updater.ts";
import { toIso } from "./clock.ts";

/** One transaction. All writes go through it, so that the catalog is updated and every write is a revision. */
export interface Unit {
  readonly tx: Writes;
  readonly now: number;
  /** Writes the next revision of each record; no two are of one record. */
  write(actor: Actor, writings: readonly Writing[]): Promise<readonly Breadcrumb[]>;
  /** Writes its removal: the same content with a new version. */
  end(actor: Actor | undefined, head: Head, type: "deleted" | "expired"): Promise<Breadcrumb>;
  /** To be called last. */
  finish(): Promise<void>;
  /** To be run once the transaction is committed, and never if it is not. Must not throw. */
  afterCommit(action: () => void): void;
}

export interface Writing {
  readonly id: string;
  readonly content: Content;
  /** Also a removed one. */
  readonly before: Head | undefined;
  /** Recorded with it. Absent: the last decision stays. */
  readonly decided?: RecordedDecision | undefined;
}

export function createUnit(tx: Writes, now: number, afterCommit: (action: () => void) => void = () => undefined): Unit {
  const catalog: CatalogUpdater = createCatalogUpdater(tx, now);

  async function save(changes: readonly NewRevision[]): Promise<void> {
    const liveOf = (head: Head | undefined): Breadcrumb | undefined => (head === undefined || head.deleted ? undefined : head.record);
    await tx.save(
      changes.map(({ type, record, before }) => {
        const content = contentOf(record);
        const isLive = isLiving(type);
        return {
          type,
          record,
          identity: isLive ? identityOf(content) : undefined,
          position: before?.position,
          tagsBefore: liveOf(before)?.tags ?? [],
          terms: isLive ? termsOf(record.id, content) : [],
          expiresAt: isLive ? expiryOf(record.ttl, now) : undefined,
          readsLeft: isLive ? record.ttl?.reads : undefined,
        };
      }),
    );
    await catalog.note(changes.map(({ type, record, before }) => ({ before: liveOf(before), after: isLiving(type) ? record : undefined })));
  }

  return {
    tx,
    now,
    async write(actor, writings) {
      const changes = writings.map(({ id, content, before, decided }): NewRevision => {
        const isNew = before === undefined || before.deleted;
        const at = toIso(now);
        // A removed record loses its decision.
        const decision = decided ?? (isNew ? undefined : before.record.decision);
        const record: Breadcrumb = {
          owner: actor.owner,
          id,
          ...content,
          version: (before?.record.version ?? 0) + 1,
          checksum: contentChecksum(content),
          created_at: isNew ? at : before.record.created_at,
          created_by: isNew ? actor.agent : before.record.created_by,
          updated_at: at,
          updated_by: actor.agent,
          ...(actor.signedInAs !== undefined && { updated_agent: actor.signedInAs }),
          updated_as: isCurator(actor) ? "curator" : "emitter",
          ...(decision !== undefined && { decision }),
        };
        return { type: isNew ? "created" : "updated", record, before };
      });
      await save(changes);
      return changes.map(({ record }) => record);
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
      await save([{ type, record: ended, before: head }]);
      return ended;
    },
    finish: () => catalog.finish(),
    afterCommit,
  };
}

interface NewRevision {
  readonly type: ChangeType;
  readonly record: Breadcrumb;
  readonly before: Head | undefined;
}

function isLiving(type: ChangeType): boolean {
  return type === "created" || type === "updated";
}
