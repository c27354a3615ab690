import { type BreadcrumbStore, createPresence, type ServerLease, StoreError } from "@toolrack/store";
import { takeServerName } from "./server-name.ts";
import type { ServerInfo } from "./servers.ts";

/** How often a server says that it is alive, and after what silence the others take its lease. */
export interface LeaseTimes {
  readonly beatMs: number;
  readonly silentMs: number;
}

export const defaultLeaseTimes: LeaseTimes = { beatMs: 5_000, silentMs: 30_000 };

/**
 * The lease of this server: its name on the list of those that are alive. A server that finds its name gone was taken for dead, and its calls
 * were ended: it takes another name and goes on.
 */
export interface OwnLease extends ServerLease {
  onLoss(listener: (lost: string) => void): () => void;
  /** Puts this server on the list, before its first call; undefined where it is. */
  arrive(): Promise<void> | undefined;
  /** Says that this server is alive, or finds out that its lease is lost. */
  beat(): Promise<void>;
  close(): Promise<void>;
}

export function createLease(store: BreadcrumbStore, info: () => ServerInfo): OwnLease {
  const presence = createPresence(store);
  const listeners = new Set<(lost: string) => void>();
  let held = takeServerName();
  /** Whether the name was put on the list. */
  let isListed = false;
  let isClosed = false;
  let taking: Promise<void> | undefined;

  function take(): Promise<void> {
    return (taking ??= presence
      .report(held.name, { ...info() })
      .then(() => void (isListed = true))
      .finally(() => (taking = undefined)));
  }

  async function lost(name: string): Promise<void> {
    if (isClosed) throw new StoreError("LEASE_LOST", `Server "${name}" is closed, and takes no other lease.`);
    if (name === held.name && isListed) {
      held.release();
      held = takeServerName();
      isListed = false;
      for (const listener of listeners) listener(name);
    }
    if (!isListed) await take();
  }

  return {
    owner: store.actor.owner,
    get name() {
      return held.name;
    },
    lost,
    onLoss(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    arrive: () => (isListed ? undefined : take()),
    async beat() {
      const { name } = held;
      if (!isListed) await take();
      else if (!(await presence.renew(name, { ...info() }))) await lost(name);
    },
    async close() {
      isClosed = true;
      await taking?.catch(() => undefined);
      held.release();
      if (!isListed) return;
      isListed = false;
      await presence.leave(held.name);
    },
  };
}
