import { hostname } from "node:os";
import { isObject } from "@toolrack/core/internal";
import type { MerkleHead } from "@toolrack/core/trust";
import type { JsonObject } from "@toolrack/store";
import { version } from "../../version.ts";
import type { ConfigDigest } from "../settings/config-digest.ts";
import { type SourceFacts, toSourceFacts } from "./source-facts.ts";
import { type PoolFacts, toPoolFacts } from "./pool-facts.ts";

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
  /** Its sources of tools. */
  readonly sources?: SourceFacts;
  /** The pools of workers as it sees them. */
  readonly pools?: readonly PoolFacts[];
  readonly leases?: LeaseFacts;
}

/** Since the server started. */
export interface LeaseFacts {
  /** How often other servers took its lease, and ended its calls. */
  readonly lost: number;
  /** From how many servers that ended without a word it took theirs. */
  readonly taken: number;
}

/** What a server knows about itself, a section each, asked for at every report. */
export interface OwnFacts {
  /** Contract: `read` answers at once, and with at most some hundred bytes. */
  describe<Section extends keyof ServerInfo>(section: Section, read: () => ServerInfo[Section] | undefined): void;
  read(): ServerInfo;
}

export function createOwnFacts(startedAt: number): OwnFacts {
  const start: ServerInfo = { version, startedAt, host: hostname(), pid: process.pid, node: process.versions.node };
  const sections = new Map<string, () => unknown>();
  return {
    describe: (section, read) => void sections.set(section, read),
    read() {
      const facts = [...sections].map(([section, read]) => [section, read()] as const);
      return { ...start, ...Object.fromEntries(facts.filter(([, fact]) => fact !== undefined)) };
    },
  };
}

/** Another version may report more, or in another form. */
export function toServerInfo(reported: JsonObject): ServerInfo {
  const { version, startedAt, host, pid, node, keyId, config, feed, log, leases } = reported;
  const sources = toSourceFacts(reported["sources"]);
  const pools = toPoolFacts(reported["pools"]);
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
    ...(sources && { sources }),
    ...(pools && { pools }),
    ...(isLeases(leases) && { leases }),
  };
}

function isHead(value: unknown): value is MerkleHead & JsonObject {
  return isObject(value) && Number.isSafeInteger(value["size"]) && (value["size"] as number) >= 0 && typeof value["root"] === "string";
}

function isLeases(value: unknown): value is LeaseFacts & JsonObject {
  return isObject(value) && typeof value["lost"] === "number" && typeof value["taken"] === "number";
}
