import type { Logger } from "@toolrack/core";
import { type BreadcrumbStore, pruneAudit } from "@toolrack/store";
import type { AuditConfig } from "../config/config.ts";

/** Removes lines of the audit that are older or more than the configuration wants, at the start and from time to time. */
export function keepRetention(store: BreadcrumbStore, { maxAgeDays, maxRows }: AuditConfig, log: Logger): { close(): Promise<void> } {
  if (maxAgeDays === undefined && maxRows === undefined) return { close: async () => undefined };
  const limits = {
    ...(maxAgeDays !== undefined && { maxAgeMs: maxAgeDays * 86_400_000 }),
    ...(maxRows !== undefined && { maxRows }),
  };
  const prune = (): Promise<void> =>
    pruneAudit(store, limits).then(
      (removed) => (removed > 0 ? log.info("Old lines of the audit were removed.", { removed }) : undefined),
      (error: unknown) => log.warn("Old lines of the audit could not be removed.", { error: String(error) }),
    );
  let running = prune();
  const timer = setInterval(() => (running = running.then(prune)), everyMs).unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}

const everyMs = 600_000;
