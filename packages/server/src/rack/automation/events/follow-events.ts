import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@toolrack/core";
import { StoreError } from "@toolrack/store";
import type { RecordFeed } from "../../store/records.ts";
import { type Positions, type StoredEvent, type StreamName, streamNames } from "./event.ts";
import type { EventStream } from "./streams.ts";

/** Follows the streams that somebody waits for, and no others. */
export interface EventFollower {
  /** Where each stream is now: what is made now waits for what comes after. */
  now(): Promise<Positions>;
  /** Follows exactly these. `since` is where those begin that were never followed. */
  follow(wanted: ReadonlySet<StreamName>, since: Positions): void;
  close(): Promise<void>;
}

export interface FollowEventsOptions {
  readonly streams: Readonly<Record<StreamName, EventStream>>;
  readonly feed: RecordFeed;
  readonly log: Logger;
  /** Must not fail for an event that is wrong. When it rejects, the event is handed over again. */
  readonly onEvent: (event: StoredEvent) => Promise<void>;
  readonly onStoreFailed: (error: unknown) => void;
}

/**
 * Every server hands every event over, and what it makes of it has the event's id as its key. So nobody has to be elected, and nothing is lost or
 * made twice when a server ends. The position is stored now and then; what lies between it and the end of a server is handed over again.
 */
export function followEvents({ streams, feed, log, onEvent, onStoreFailed }: FollowEventsOptions): EventFollower {
  const positions = feed.of("toolrack.event-position.v1");
  const running = new Map<StreamName, { readonly controller: AbortController; readonly ended: Promise<void> }>();

  const storedPosition = (name: StreamName): number | undefined => {
    const at = positions.get(positionId(name))?.context["number"];
    return typeof at === "number" ? at : undefined;
  };

  async function save(name: StreamName, number: number): Promise<void> {
    if (number <= (storedPosition(name) ?? -1)) return;
    await positions.write({ id: positionId(name), title: `Position in ${name}`, context: { number } });
  }

  async function run(name: StreamName, since: number, signal: AbortSignal): Promise<void> {
    let at = storedPosition(name) ?? since;
    let saved = at;
    let savedAt = performance.now();
    while (!signal.aborted) {
      try {
        for await (const { number, events } of streams[name].after(at, signal)) {
          for (const event of events) await onEvent(event);
          at = number;
          if (performance.now() - savedAt < saveEveryMs) continue;
          await save(name, at);
          saved = at;
          savedAt = performance.now();
        }
      } catch (error) {
        if (signal.aborted) break;
        if (StoreError.is(error) && error.code === "CHANGES_GONE") {
          log.error("Events that triggers and webhooks wait for were removed by retention before they were seen.", {
            stream: name,
            after: at,
          });
          at = await streams[name].last().catch(() => at);
          continue;
        }
        onStoreFailed(error);
        await sleep(retryMs, undefined, { signal }).catch(() => undefined);
      }
    }
    if (at > saved) await save(name, at).catch(onStoreFailed);
  }

  async function stop(name: StreamName): Promise<void> {
    const one = running.get(name);
    running.delete(name);
    one?.controller.abort();
    await one?.ended;
  }

  return {
    async now() {
      const numbers = await Promise.all(streamNames.map(async (name) => [name, await streams[name].last()] as const));
      return Object.fromEntries(numbers) as unknown as Positions;
    },
    follow(wanted, since) {
      for (const name of streamNames) {
        if (wanted.has(name) === running.has(name)) continue;
        if (wanted.has(name)) {
          const controller = new AbortController();
          running.set(name, { controller, ended: run(name, since[name], controller.signal) });
        } else void stop(name).then(() => positions.remove(positionId(name)).catch(onStoreFailed));
      }
    },
    async close() {
      await Promise.all([...running.keys()].map(stop));
    },
  };
}

const saveEveryMs = 2_000;
const retryMs = 500;

function positionId(name: StreamName): string {
  return `event-position-${name}`;
}
