import { within } from "@toolrack/core/internal";
import { type JobCounts, type StoreStats, readStoreFacts, type StoreFacts, storeStats } from "@toolrack/store";
import type { ClusterReading, ReadServer } from "./cluster-facts.ts";
import { clusterProblems } from "./cluster-problems.ts";
import { differingSections, type ServerDifference } from "./agreement.ts";
import type { StartupTool } from "../jobs/jobs.ts";
import type { Rack } from "../rack.ts";
import type { ReadinessReport } from "./readiness.ts";
import type { ServerInfo } from "./server-info.ts";
import type { ServerStatus } from "./servers.ts";
import { checkMs } from "./store-probe.ts";

/** A cluster at a glance, as one of its servers sees it. */
export interface ClusterStatus {
  readonly readiness: ReadinessReport;
  /** Absent while the store does not answer, like everything that depends on it. */
  readonly servers?: readonly ServerLine[];
  readonly store: Pick<StoreStats, "kind" | "wakeUps" | "pool"> & {
    readonly newestChange?: number;
    /** What it takes on its disk. */
    readonly bytes?: number;
    readonly migrations?: StoreFacts["migrations"];
  };
  readonly waiting: {
    readonly approvals?: number;
    readonly configChanges: number;
    readonly unwrittenEnds: number;
    /** How long the job of any server has been due that waits longest; 0 if none is due. */
    readonly oldestJobMs?: number;
  };
  /** Calls of this server that are missing in the audit log, since it started. */
  readonly unrecordedCalls: number;
  readonly running?: number;
  readonly sources: { readonly total: number; readonly failed: readonly { readonly id: string; readonly error?: string }[] };
  /** Jobs of all servers, by state. */
  readonly jobs?: JobCounts;
  /** Tools that are called at the start; absent if there are none. */
  readonly startup?: readonly StartupTool[];
  readonly differences: readonly ServerDifference[];
  /** What is wrong on any server, for an operator. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

export interface ServerLine {
  readonly name: string;
  readonly isThis: boolean;
  readonly status: ServerStatus["status"];
  readonly lastSeen?: string;
  readonly info: ServerInfo;
  /** Compared with the server that answers; "unknown" if it does not report it. */
  readonly masterKey: Comparison;
  readonly config: Comparison;
  /** Of the whole configuration in force: servers with the same one have the same. */
  readonly configDigest?: string;
  /** Sections of the configuration that differ. */
  readonly differs: readonly string[];
  /** How many changes of the store it had not seen when it last reported. */
  readonly lag?: number;
  /** Calls that run on it. */
  readonly running: number;
}

export type Comparison = "same" | "different" | "unknown";

/** Never rejects during an outage of the store: what is unknown is absent. */
export async function readStatus(rack: Rack): Promise<ClusterStatus> {
  const readiness = await rack.readiness.check();
  const isThere = readiness.checks.store !== "unavailable";
  const ask = async <Value>(read: () => Promise<Value>): Promise<Value | undefined> => {
    const outcome = isThere ? await within(read(), checkMs) : undefined;
    return outcome?.ok === true ? outcome.value : undefined;
  };
  const [cluster, facts, approvals, calls, startup = []] = await Promise.all([
    isThere ? rack.cluster.read() : nothingKnown,
    ask(() => readStoreFacts(rack.store)),
    ask(() => rack.approvals.list()),
    ask(() => rack.calls.running()),
    ask(() => rack.jobs.startup()),
  ]);
  const { servers, differences, jobs, oldestJobMs, storeBytes } = cluster;
  const self = rack.servers.self();
  const sources = rack.sources.list();
  const { kept, unrecorded, dropped } = rack.recording.counts;
  const { kind, wakeUps, pool } = storeStats(rack.store);
  return {
    readiness,
    ...(servers !== undefined && {
      servers: servers.map((server) => toLine(server, self, facts?.sequence, calls ?? [])),
    }),
    store: {
      kind,
      wakeUps,
      ...(pool !== undefined && { pool }),
      ...(facts !== undefined && { newestChange: facts.sequence, migrations: facts.migrations }),
      ...(storeBytes !== undefined && { bytes: storeBytes }),
    },
    waiting: {
      ...(approvals !== undefined && { approvals: approvals.length }),
      configChanges: rack.configChanges.pending() === undefined ? 0 : 1,
      unwrittenEnds: kept,
      ...(oldestJobMs !== undefined && { oldestJobMs }),
    },
    unrecordedCalls: unrecorded + dropped,
    ...(calls !== undefined && { running: calls.length }),
    sources: {
      total: sources.length,
      failed: sources.filter(({ state }) => state === "failed").map(({ id, error }) => ({ id, ...(error !== undefined && { error }) })),
    },
    ...(jobs !== undefined && { jobs }),
    ...(startup.length > 0 && { startup }),
    differences,
    ...clusterProblems(cluster),
  };
}

const nothingKnown: ClusterReading = { differences: [] };

function toLine(
  { name, isThis, status, lastSeen, info, configDigest }: ReadServer,
  self: ServerInfo,
  newest: number | undefined,
  calls: readonly { readonly server: string }[],
): ServerLine {
  const differs = differingSections(self, info);
  return {
    name,
    isThis,
    status,
    ...(lastSeen !== undefined && { lastSeen }),
    info,
    masterKey: info.keyId === undefined ? "unknown" : info.keyId === self.keyId ? "same" : "different",
    config: info.config === undefined ? "unknown" : differs.length === 0 ? "same" : "different",
    ...(configDigest !== undefined && { configDigest }),
    differs,
    ...(info.feed !== undefined && newest !== undefined && { lag: Math.max(0, newest - info.feed) }),
    running: calls.filter(({ server }) => server === name).length,
  };
}
