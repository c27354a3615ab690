import { nameOf } from "./agreement.ts";
import type { ClusterReading, ReadServer } from "./cluster-facts.ts";

export interface ClusterProblems {
  /** For an operator: whole sentences. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** A job that has been due for so long finds no server that runs it. */
const longMs = 300_000;

/** What is wrong anywhere in the cluster, but the sources of the server that answers: it reports those itself. */
export function clusterProblems({ servers = [], oldestJobMs = 0 }: ClusterReading): ClusterProblems {
  const active = servers.filter(({ status }) => status === "active");
  return {
    problems: [
      ...active.flatMap(failedSources),
      ...active.flatMap(brokersAway),
      ...poolsWithoutWorkers(active),
      ...waitingJobs(oldestJobMs),
    ],
    notes: [...servers.flatMap(silence), ...active.flatMap(lostLeases)],
  };
}

function failedSources({ name, isThis, info }: ReadServer): readonly string[] {
  const failed = (info.sources?.down ?? []).filter(({ state }) => state === "failed");
  if (isThis || failed.length === 0) return [];
  const list = failed.map(({ id, reason }) => (reason === undefined ? id : `${id} (${firstSentence(reason)})`)).join("; ");
  return [`On the server ${nameOf(name, info)} sources failed: ${list}. Look at its log, and what differs between the machines.`];
}

/** "It is away. Check it." → "It is away" */
function firstSentence(text: string): string {
  return text.split(/\.(?:\s|$)/, 1)[0]!;
}

function brokersAway({ name, info }: ReadServer): readonly string[] {
  return (info.pools ?? [])
    .filter(({ broker }) => broker === "away")
    .map(
      ({ source }) =>
        `The server ${nameOf(name, info)} does not reach the broker of the workers "${source}". Check the broker and the network between them.`,
    );
}

/** Each pool once, wherever it is configured. */
function poolsWithoutWorkers(active: readonly ReadServer[]): readonly string[] {
  const workers = new Map<string, number>();
  for (const { info } of active)
    for (const pool of info.pools ?? []) workers.set(pool.source, (workers.get(pool.source) ?? 0) + pool.workers);
  return [...workers]
    .filter(([, count]) => count === 0)
    .map(([source]) => `No server sees a worker of "${source}", so its tools cannot be called. Start one; see: toolrack workers list`);
}

function waitingJobs(oldestMs: number): readonly string[] {
  if (oldestMs < longMs) return [];
  return [
    `A job has been due for ${Math.floor(oldestMs / 60_000)} minutes, and no server has begun it. See: toolrack jobs list --state waiting`,
  ];
}

function silence({ name, status, info, lastSeen }: ReadServer): readonly string[] {
  if (status === "active") return [];
  return [
    `The server ${nameOf(name, info)} has been silent since ${lastSeen}. Another one ends its calls; start it again if it is missing.`,
  ];
}

function lostLeases({ name, info: { leases, ...info } }: ReadServer): readonly string[] {
  const lost = leases?.lost ?? 0;
  if (lost === 0) return [];
  const times = lost === 1 ? "once" : `${lost} times`;
  return [
    `The server ${nameOf(name, info)} lost its lease ${times} since it started: it was paused, or cut off from the database, for longer than 30 seconds.`,
  ];
}
