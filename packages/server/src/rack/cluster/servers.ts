import { type BreadcrumbStore, createPresence, type ServerLease } from "@toolrack/store";
import { type OwnFacts, type ServerInfo, toServerInfo } from "./server-info.ts";

/** The servers that share one store. */
export interface Servers {
  /** The name of this server; it changes after the server was out of contact for longer than its lease. */
  readonly name: string;
  readonly lease: ServerLease;
  /** Adds a section to what this server reports to the others. */
  describe: OwnFacts["describe"];
  /** What this server reports to the others about itself, now. */
  self(): ServerInfo;
  /** Sorted by name. A server is on the list from its first call, or a few seconds after its start, until it stops. */
  list(): Promise<readonly ServerStatus[]>;
}

export interface ServerStatus {
  readonly name: string;
  /** Whether it is the server that answers. */
  readonly isThis: boolean;
  /** "inactive": no report for 30 seconds. */
  readonly status: "active" | "inactive";
  readonly lastSeen: string;
  readonly info: ServerInfo;
}

export function createServers(store: BreadcrumbStore, lease: ServerLease, own: OwnFacts): Servers {
  const presence = createPresence(store);
  return {
    lease,
    get name() {
      return lease.name;
    },
    describe: own.describe,
    self: own.read,
    async list() {
      const all = await presence.list();
      return all.map((one) => ({ ...one, isThis: one.name === lease.name, info: toServerInfo(one.info) }));
    },
  };
}
