import { hashOf, readCard } from "../protocol/card.ts";
import type { Beat, Hello, ToolCard, WorkerState } from "../protocol/messages.ts";
import type { Sender } from "../protocol/seal.ts";

/** A worker as a server knows it. */
export interface KnownWorker {
  readonly sender: Sender;
  readonly slots: number;
  readonly startedAt: number;
  readonly version?: string;
  readonly tools: ReadonlyMap<string, AnnouncedTool>;
  readonly link: string;
  state: WorkerState;
  /** Calls that it runs, as it said last. */
  running: number;
  seenAt: number;
  /** Calls of this server that it has, or was offered. */
  taken: number;
}

export interface AnnouncedTool {
  readonly card: ToolCard;
  readonly hash: string;
}

/** What can be shown of a worker. */
export interface WorkerFacts {
  readonly instance: string;
  readonly key: string;
  readonly version?: string;
  readonly state: WorkerState;
  readonly slots: number;
  readonly running: number;
  readonly tools: number;
  readonly startedAt: number;
  readonly seenAt: number;
}

export interface Roster {
  /** The workers that are there. */
  readonly workers: ReadonlyMap<string, KnownWorker>;
  /** Takes an announcement; answers whether the tools of the pool may be others now. */
  hello(sender: Sender, hello: Hello): boolean;
  beat(sender: Sender, beat: Beat): KnownWorker | undefined;
  lose(instance: string): KnownWorker | undefined;
  /** The tools of the pool by name. Where workers differ, the definition of the one that was started last. */
  tools(): ReadonlyMap<string, AnnouncedTool>;
  /** The workers that have a tool of this name, whatever its definition. Nobody is looked at for that. */
  having(tool: string): ReadonlySet<KnownWorker>;
  /** The workers behind a link. */
  behind(link: string): readonly string[];
}

const nobody: ReadonlySet<KnownWorker> = new Set();
const maxWorkers = 10_000;
const maxSlots = 10_000;

export function createRoster(now: () => number): Roster {
  const workers = new Map<string, KnownWorker>();
  const byTool = new Map<string, Set<KnownWorker>>();
  const byLink = new Map<string, Set<string>>();
  /** Of the workers that have a tool, the one that was started last. */
  const newest = new Map<string, KnownWorker>();

  function enter(worker: KnownWorker): void {
    const { sender, link } = worker;
    workers.set(sender.instance, worker);
    byLink.set(link, (byLink.get(link) ?? new Set()).add(sender.instance));
    for (const name of worker.tools.keys()) {
      byTool.set(name, (byTool.get(name) ?? new Set()).add(worker));
      const last = newest.get(name);
      if (last === undefined || worker.startedAt >= last.startedAt) newest.set(name, worker);
    }
  }

  function leave(worker: KnownWorker): void {
    const { sender, link } = worker;
    workers.delete(sender.instance);
    byLink.get(link)?.delete(sender.instance);
    if (byLink.get(link)?.size === 0) byLink.delete(link);
    for (const name of worker.tools.keys()) {
      const left = byTool.get(name);
      left?.delete(worker);
      if (left === undefined || left.size === 0) {
        byTool.delete(name);
        newest.delete(name);
      } else if (newest.get(name) === worker) {
        newest.set(
          name,
          [...left].reduce((last, one) => (one.startedAt >= last.startedAt ? one : last)),
        );
      }
    }
  }

  return {
    workers,
    hello(sender, { slots, startedAt, version, tools, link }) {
      const known = workers.get(sender.instance);
      if (known !== undefined && known.sender.key !== sender.key) return false; // the name of another worker
      if (known === undefined && workers.size >= maxWorkers) return false;
      const announced = new Map<string, AnnouncedTool>();
      for (const value of Array.isArray(tools) ? tools : []) {
        const card = readCard(value);
        announced.set(card.name, { card, hash: hashOf(card) });
      }
      const next: KnownWorker = {
        sender,
        slots: Math.min(Math.max(Math.trunc(numberOf(slots)), 1), maxSlots),
        startedAt: numberOf(startedAt),
        ...(typeof version === "string" && { version: version.slice(0, 64) }),
        tools: announced,
        link: typeof link === "string" ? link : "",
        state: known?.state ?? "open",
        running: known?.running ?? 0,
        seenAt: now(),
        taken: known?.taken ?? 0,
      };
      if (known !== undefined) leave(known);
      enter(next);
      return true;
    },
    beat({ key, instance }, { state, running }) {
      const worker = workers.get(instance);
      if (worker === undefined || worker.sender.key !== key) return undefined;
      worker.state = state === "full" || state === "draining" || state === "gone" ? state : "open";
      worker.running = numberOf(running);
      worker.seenAt = now();
      return worker;
    },
    lose(instance) {
      const worker = workers.get(instance);
      if (worker !== undefined) leave(worker);
      return worker;
    },
    tools: () => new Map([...newest].map(([name, { tools }]) => [name, tools.get(name)!])),
    having: (tool) => byTool.get(tool) ?? nobody,
    behind: (link) => [...(byLink.get(link) ?? [])],
  };
}

/** What another machine gave as a number; 0 where it is none. */
function numberOf(value: unknown): number {
  return typeof value === "number" ? value || 0 : 0;
}

export function factsOf({ sender, version, state, slots, running, tools, startedAt, seenAt }: KnownWorker): WorkerFacts {
  const { instance, key } = sender;
  return { instance, key, ...(version !== undefined && { version }), state, slots, running, tools: tools.size, startedAt, seenAt };
}
