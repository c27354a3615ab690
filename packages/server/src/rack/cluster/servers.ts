import { hostname } from "node:os";
import { isObject } from "@toolrack/core/internal";
import type { MerkleHead } from "@toolrack/core/trust";
import { type BreadcrumbStore, createPresence, type JsonObject, type ServerLease } from "@toolrack/store";
import { version } from "../../version.ts";
import type { ConfigDigest } from "../settings/config-digest.ts";

/** The servers that share one store. */
export interface Servers {
  /** The name of this server; it changes after the server was out of contact for longer than its lease. */
  readonly name: string;
  readonly lease: ServerLease;
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

/** What a server reports to the others about itself. Older versions report less. */
export interface ServerInfo {
  readonly version?: string;
  /** Milliseconds since 1970. */
  readonly startedAt?: number;
  /** The name of its machine. */
  readonly host?: string;
  readonly pid?: number;
  /** The version of Node.js. */
  readonly node?: string;
  /** A digest of its master key. */
  readonly keyId?: string;
  /** Section of the configuration in force → its digest. */
  readonly config?: ConfigDigest;
  /** The number of the newest change of the store that it has seen. */
  readonly feed?: number;
  /** The newest head of the log of definitions that it has seen. */
  readonly log?: MerkleHead;
}

export function describeServer(startedAt: number): ServerInfo {
  return { version, startedAt, host: hostname(), pid: process.pid, node: process.versions.node };
}

export function createServers(store: BreadcrumbStore, lease: ServerLease): Servers {
  const presence = createPresence(store);
  return {
    lease,
    get name() {
      return lease.name;
    },
    async list() {
      const all = await presence.list();
      return all.map((one) => ({ ...one, isThis: one.name === lease.name, info: toInfo(one.info) }));
    },
  };
}

/** Another version may report more, or in another form. */
function toInfo({ version, startedAt, host, pid, node, keyId, config, feed, log }: JsonObject): ServerInfo {
  return {
    ...(typeof version === "string" && { version }),
    ...(typeof startedAt === "number" && { startedAt }),
    ...(typeof host === "string" && { host }),
    ...(typeof pid === "number" && { pid }),
    ...(typeof node === "string" && { node }),
    ...(typeof keyId === "string" && { keyId }),
    ...(typeof config === "object" && config !== null && { config: config as ConfigDigest }),
    ...(typeof feed === "number" && { feed }),
    ...(isHead(log) && { log }),
  };
}

function isHead(value: unknown): value is MerkleHead & JsonObject {
  return isObject(value) && Number.isSafeInteger(value["size"]) && (value["size"] as number) >= 0 && typeof value["root"] === "string";
}
