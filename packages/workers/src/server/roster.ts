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
}

const maxWorkers = 10_000;
const maxSlots = 10_000;

export function createRoster(now: () => number): Roster {
  const workers = new Map<string, KnownWorker>();
  return {
    workers,
    hello(sender, { slots, startedAt, version, tools, link }) {
      const known = workers.get(sender.instance);
      if (known === undefined && workers.size >= maxWorkers) return false;
      const announced = new Map<string, AnnouncedTool>();
      for (const value of Array.isArray(tools) ? tools : []) {
        const card = readCard(value);
        announced.set(card.name, { card, hash: hashOf(card) });
      }
      workers.set(sender.instance, {
        sender,
        slots: Math.min(Math.max(Math.trunc(Number(slots)) || 1, 1), maxSlots),
        startedAt: Number(startedAt) || 0,
        ...(typeof version === "string" && { version: version.slice(0, 64) }),
        tools: announced,
        link: String(link),
        state: known?.state ?? "open",
        running: known?.running ?? 0,
        seenAt: now(),
        taken: known?.taken ?? 0,
      });
      return true;
    },
    beat({ instance }, { state, running }) {
      const worker = workers.get(instance);
      if (worker === undefined) return undefined;
      worker.state = state === "full" || state === "draining" || state === "gone" ? state : "open";
      worker.running = Number(running) || 0;
      worker.seenAt = now();
      return worker;
    },
    lose(instance) {
      const worker = workers.get(instance);
      workers.delete(instance);
      return worker;
    },
    tools() {
      const newest = new Map<string, AnnouncedTool>();
      for (const worker of [...workers.values()].sort((a, b) => a.startedAt - b.startedAt))
        for (const [name, tool] of worker.tools) newest.set(name, tool);
      return newest;
    },
  };
}

export function factsOf({ sender, version, state, slots, running, tools, startedAt, seenAt }: KnownWorker): WorkerFacts {
  const { instance, key } = sender;
  return { instance, key, ...(version !== undefined && { version }), state, slots, running, tools: tools.size, startedAt, seenAt };
}
