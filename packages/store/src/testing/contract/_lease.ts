import type { ServerLease } from "../../calls/server-lease.ts";
import { createPresence } from "../../presence/presence.ts";
import type { BreadcrumbStore } from "../../store/store.ts";

/** A lease that is on the list as "one-0"; the next ones are "one-1", "one-2" … */
export async function takeLease(store: BreadcrumbStore, server = "one"): Promise<ServerLease & { readonly losses: readonly string[] }> {
  const presence = createPresence(store);
  const losses: string[] = [];
  const listeners = new Set<() => void>();
  const lease = {
    owner: store.actor.owner,
    losses,
    get name() {
      return `${server}-${losses.length}`;
    },
    async lost(name: string) {
      if (name === lease.name) {
        losses.push(name);
        for (const listener of listeners) listener();
      }
      await presence.report(lease.name);
    },
    onLoss(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  await presence.report(lease.name);
  return lease;
}
