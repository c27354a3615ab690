import { within } from "@toolrack/core/internal";
import { type BreadcrumbStore, type JobCounts, readStoreSize } from "@toolrack/store";
import { deliveryKind } from "../automation/hooks/endpoints.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Agreement, ServerDifference } from "./agreement.ts";
import { checkMs } from "./store-probe.ts";
import { digestOfAll } from "../settings/config-digest.ts";
import type { ServerInfo } from "./server-info.ts";
import type { Servers, ServerStatus } from "./servers.ts";

/** All servers of the store, and what waits in it. */
export interface ClusterFacts {
  /** Reads now. Never rejects, and takes at most two seconds: what the store does not answer is absent. */
  read(): Promise<ClusterReading>;
  /** The last reading, or a new one where that is older. */
  recent(maxAgeMs: number): Promise<ClusterReading>;
}

export interface ClusterReading {
  /** This server first, also before its first report. */
  readonly servers?: readonly ReadServer[];
  readonly differences: readonly ServerDifference[];
  /** Of all servers, by state. */
  readonly jobs?: JobCounts;
  /** How long the job has been due that waits longest; 0 if none is due. */
  readonly oldestJobMs?: number;
  /** What the store takes on its disk. */
  readonly storeBytes?: number;
}

export interface ReadServer extends Omit<ServerStatus, "lastSeen"> {
  readonly lastSeen?: string;
  /** Of its whole configuration in force: servers with the same one have the same. */
  readonly configDigest?: string;
}

export interface ClusterFactsOptions {
  readonly store: BreadcrumbStore;
  readonly servers: Servers;
  readonly agreement: Pick<Agreement, "differencesOf">;
  readonly jobs: Pick<Jobs, "counts" | "oldestDueAt">;
  now(): number;
}

/** Everything that a queue of a server holds: calls, tools that are called at the start, deliveries of webhooks. */
export const jobKinds: readonly string[] = ["call", "startup", deliveryKind];

export function createClusterFacts({ store, servers, agreement, jobs, now }: ClusterFactsOptions): ClusterFacts {
  let reading: Promise<ClusterReading> | undefined;
  let last: { readonly at: number; readonly found: ClusterReading } | undefined;

  async function readNow(): Promise<ClusterReading> {
    const [listed, counts, dueAt, bytes] = await Promise.all([
      known(servers.list()),
      known(jobs.counts()),
      // Where there is nothing to wait for, 0 says so.
      known(jobs.oldestDueAt(jobKinds).then((at) => (at === undefined ? 0 : Math.max(0, now() - at)))),
      known(readStoreSize(store)),
    ]);
    const all = listed && withThis(listed, servers.name, servers.self());
    const differences = all && (await known(agreement.differencesOf(all)));
    return {
      ...(all !== undefined && { servers: all }),
      differences: differences ?? [],
      ...(counts !== undefined && { jobs: counts }),
      ...(dueAt !== undefined && { oldestJobMs: dueAt }),
      ...(bytes !== undefined && { storeBytes: bytes }),
    };
  }

  /** One reading at a time, so that a store that hangs is asked once. */
  function read(): Promise<ClusterReading> {
    return (reading ??= readNow()
      .then((found) => {
        last = { at: performance.now(), found };
        return found;
      })
      .finally(() => (reading = undefined)));
  }

  return {
    read,
    recent: (maxAgeMs) => (last !== undefined && performance.now() - last.at < maxAgeMs ? Promise.resolve(last.found) : read()),
  };
}

async function known<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  const outcome = await within(asked, checkMs);
  return outcome.ok ? outcome.value : undefined;
}

function withThis(all: readonly ServerStatus[], name: string, self: ServerInfo): readonly ReadServer[] {
  const own: ReadServer = { ...all.find(({ isThis }) => isThis), name, isThis: true, status: "active", info: self };
  return [own, ...all.filter(({ isThis }) => !isThis)].map((one) =>
    one.info.config === undefined ? one : { ...one, configDigest: digestOfAll(one.info.config) },
  );
}
