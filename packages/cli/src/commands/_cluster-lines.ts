import type { ServerState, StatusReport } from "@toolrack/server";
import { showBytes } from "../print/bytes.ts";
import { counted } from "../print/counted.ts";
import { safe } from "../print/safe.ts";
import { showAge } from "../print/time.ts";

/** "3 of 4" of the sources of a server are ready; undefined if it does not tell. */
export function readySources({ sources }: ServerState): { readonly text: string; readonly isAll: boolean } | undefined {
  if (sources === undefined) return undefined;
  const { ready = 0, disabled: _, ...others } = sources.states;
  const down = Object.values(others).reduce((sum, count) => sum + count, 0);
  return { text: down === 0 ? String(ready) : `${ready} of ${ready + down}`, isAll: down === 0 };
}

/** A line for each pool of workers; servers that see the same of it share one. */
export function poolLines(servers: readonly ServerState[]): readonly string[] {
  const seenBy = new Map<string, string[]>();
  for (const { name, pools = [] } of servers)
    for (const { source, broker, workers, slots, running } of pools) {
      const facts = `Workers of ${safe(source)}: ${workers}, with ${running} of ${slots} slots in use`;
      const line = broker === undefined ? facts : `${facts}, broker ${broker}`;
      seenBy.set(line, [...(seenBy.get(line) ?? []), safe(name.slice(-6))]);
    }
  return [...seenBy].map(([line, names]) => `${line} (seen by ${names.join(", ")})`);
}

/** What all servers have, in a line, and a line for each pool of workers. */
export function clusterLines(status: StatusReport): readonly string[] {
  const summary = clusterSummary(status);
  return [...(summary === "" ? [] : [`${summary}: toolrack status`]), ...poolLines(status.servers ?? [])];
}

/** "2 servers with one configuration, 3 jobs waiting (the oldest has been due for 4m), a store of 12.4 MB" */
function clusterSummary({ servers = [], jobs, waiting, store }: StatusReport): string {
  const active = servers.filter(({ status }) => status === "active");
  const configurations = new Set(active.flatMap(({ configDigest }) => configDigest ?? []));
  const configuration = configurations.size === 1 ? "one configuration" : `${configurations.size} different configurations`;
  const parts = [
    ...(active.length === 0 ? [] : [`${counted(active.length, "server")}${configurations.size === 0 ? "" : ` with ${configuration}`}`]),
    ...(jobs === undefined ? [] : [`${counted(jobs.waiting, "job")} waiting${oldestJob(waiting)}`]),
    ...(store.bytes === undefined ? [] : [`a store of ${showBytes(store.bytes)}`]),
  ];
  return parts.join(", ");
}

export function oldestJob({ oldestJobMs = 0 }: StatusReport["waiting"]): string {
  return oldestJobMs === 0 ? "" : ` (the oldest has been due for ${showAge(oldestJobMs)})`;
}
