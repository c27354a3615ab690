import { type BreadcrumbStore, createPresence, type ServerLease, StoreError } from "@toolrack/store";
import { type ServerName, takeServerName } from "./server-name.ts";
import type { ServerInfo } from "./server-info.ts";

/** How often a server reports that it is alive, and after what silence others take over its lease. */
export interface LeaseTimes {
  readonly beatMs: number;
  readonly silentMs: number;
  /** How long a job waits after each server that ended while running it. @default 10 s, 40 s */
  readonly lostDelaysMs?: readonly number[];
}

export const defaultLeaseTimes: LeaseTimes = { beatMs: 5_000, silentMs: 30_000 };

/**
 * The lease of this server: its name on the list of servers that are alive. A server whose name is missing was considered dead and its calls
 * were ended: it continues under another name.
 */
export interface OwnLease extends ServerLease {
  onLoss(listener: (lost: string) => void): () => void;
  /** Adds this server to the list, before its first call; undefined if it is there. */
  arrive(): Promise<void> | undefined;
  /** Renews the lease, or finds that it is lost. */
  beat(): Promise<void>;
  close(): Promise<void>;
}

/** `first` is the name that it begins with. */
export function createLease(store: BreadcrumbStore, info: () => ServerInfo, first: ServerName = takeServerName()): OwnLease {
  const presence = createPresence(store);
  const listeners = new Set<(lost: string) => void>();
  let held = first;
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
