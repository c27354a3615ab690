import { requireRole } from "../access.ts";
import type { AuditCheck } from "../audit/verify.ts";
import type { KeyProvider } from "../secrets/keys.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { checkAudit } from "./check-audit.ts";
import { type ContentHeader, type CopyProgress, type StoreContent, withContent } from "./content.ts";
import { requireEmpty, fillStore } from "./fill.ts";
import { createKeyCheck } from "./sealing.ts";

export interface CopyOptions {
  /** The master key of the source, with the previous ones that still wrap something. */
  readonly keys: KeyProvider;
  /** What secrets and the key of the audit are wrapped with in the target. @default `keys` */
  readonly newKeys?: KeyProvider;
  readonly onProgress?: (progress: CopyProgress) => void;
}

export interface CopyReport extends ContentHeader {
  /** Secrets that another master key wraps now. */
  readonly rewrapped: number;
  readonly audit: AuditCheck;
  /** The key that lines of the audit are written under. */
  readonly auditKeyId: string | undefined;
  /** Keys of the audit that the master key does not open. */
  readonly unreadableAuditKeys: readonly string[];
}

/**
 * Copies one moment of a store into an empty one, whatever each of them is: records with their history and numbers, secrets, answers, and
 * the audit line by line. The source may be in use; what is written to it after `ends.sequence` is not in the copy.
 */
export async function copyStore(from: BreadcrumbStore, to: BreadcrumbStore, options: CopyOptions): Promise<CopyReport> {
  requireRole(from.actor, "curator", "copy the store");
  requireRole(to.actor, "curator", "fill a store");
  const { keys, newKeys = keys, onProgress } = options;
  const [source, target] = [insideOf(from), insideOf(to)];
  await requireEmpty(target.engine);
  const keyCheck = createKeyCheck(keys);
  const { header, filled } = await withContent(source.engine, source.clock.now(), async (content) => {
    await lookAtKeys(content, keyCheck.look);
    keyCheck.requireFit();
    const now = target.clock.now();
    const fill = { now, agent: to.actor.agent, keys: { from: keys, to: newKeys }, onProgress };
    return { header: content.header, filled: await fillStore(target.engine, content, fill) };
  });
  const { rewrapped, auditKeys } = filled;
  const audit = await checkAudit(to, auditKeys, header.ends.audit.last);
  return { ...header, rewrapped, audit, auditKeyId: auditKeys.at(-1)?.id, unreadableAuditKeys: keyCheck.unreadable };
}

/** Before anything is written. */
async function lookAtKeys({ pages }: StoreContent, look: ReturnType<typeof createKeyCheck>["look"]): Promise<void> {
  for await (const page of pages(["head", "secret"])) await look(page);
}
