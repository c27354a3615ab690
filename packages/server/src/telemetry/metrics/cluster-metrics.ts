import type { ClusterReading } from "../../rack/cluster/cluster-facts.ts";
import { downSource, isDown } from "../../rack/cluster/source-facts.ts";
import type { Rack } from "../../rack/rack.ts";
import { shownRegistryId } from "../../rack/sources/create-source.ts";
import { labels, type MetricsText } from "./prometheus.ts";

/** What all servers of the store have in common: the same on each of them. What is not known is left out. */
export function writeCluster(text: MetricsText, { servers, differences, jobs, oldestJobMs, storeBytes }: ClusterReading): void {
  if (servers !== undefined) {
    const active = servers.filter(({ status }) => status === "active");
    text.each("toolrack_servers", [
      [labels({ status: "active" }), active.length],
      [labels({ status: "inactive" }), servers.length - active.length],
    ]);
    text.each(
      "toolrack_server_info",
      active.map(({ name, configDigest = "", info: { host = "", version = "" } }) => [
        labels({ server: name, host, version, config: configDigest }),
        1,
      ]),
    );
    text.each(
      "toolrack_sources_down",
      active.flatMap(({ name, info: { sources } }) =>
        sources === undefined ? [] : [[labels({ server: name }), sumOfDown(sources.states)]],
      ),
    );
    const differing = (is: (one: ClusterReading["differences"][number]) => boolean): number => differences.filter(is).length;
    text.each("toolrack_servers_differing", [
      [labels({ in: "config" }), differing(({ sections }) => sections.length > 0)],
      [labels({ in: "master_key" }), differing(({ hasOtherMasterKey }) => hasOtherMasterKey)],
      [labels({ in: "log" }), differing(({ hasOtherLog }) => hasOtherLog)],
      [labels({ in: "version" }), differing(({ version }) => version !== undefined)],
    ]);
  }
  if (jobs !== undefined)
    text.each(
      "toolrack_jobs",
      (["waiting", "running", "dead"] as const).map((state) => [labels({ state }), jobs[state]] as const),
    );
  text.one("toolrack_job_oldest_seconds", oldestJobMs === undefined ? undefined : oldestJobMs / 1_000);
  text.one("toolrack_store_size_bytes", storeBytes);
}

/** What this server depends on, and why a source of it is down. */
export function writeDependencies(text: MetricsText, { sources, servers }: Pick<Rack, "sources" | "servers">, redact: Redact): void {
  const all = sources.list().filter(({ state }) => state !== "disabled");
  text.each(
    "toolrack_source_up",
    all.map((source) => [labels({ source: shownRegistryId(source) }), isDown(source) ? 0 : 1]),
  );
  text.each(
    "toolrack_source_down_info",
    all.filter(isDown).map((source) => {
      const { state, reason = "" } = downSource(source, redact);
      return [labels({ source: shownRegistryId(source), state, reason }), 1];
    }),
  );
  const pools = servers.self().pools ?? [];
  const each = (read: (pool: (typeof pools)[number]) => number): readonly (readonly [string, number])[] =>
    pools.map((pool) => [labels({ pool: pool.source }), read(pool)]);
  text.each(
    "toolrack_broker_up",
    pools.flatMap(({ source, broker }) => (broker === undefined ? [] : [[labels({ pool: source }), broker === "connected" ? 1 : 0]])),
  );
  text.each(
    "toolrack_workers",
    each(({ workers }) => workers),
  );
  text.each(
    "toolrack_worker_slots",
    each(({ slots }) => slots),
  );
  text.each(
    "toolrack_worker_calls",
    each(({ running }) => running),
  );
  const { lost, taken } = servers.self().leases ?? { lost: 0, taken: 0 };
  text.one("toolrack_leases_lost_total", lost);
  text.one("toolrack_leases_taken_total", taken);
}

/** Takes secrets out of a reason. */
export type Redact = (text: string) => string;

function sumOfDown(states: Readonly<Record<string, number>>): number {
  return Object.entries(states).reduce((sum, [state, count]) => (isDown({ state }) ? sum + count : sum), 0);
}
