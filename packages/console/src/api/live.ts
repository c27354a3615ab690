import { ApiError } from "./client.ts";
import { follow } from "./sse.ts";
import type { StreamEvent } from "./types.ts";

export type LiveState = "connecting" | "live" | "lost";

/**
 * One event stream for the whole console. After a break it resumes after the last event with an id, so that no such event is missed;
 * events without an id are lost, and `onResume` tells listeners to read again.
 */
export interface Live {
  readonly state: LiveState;
  subscribe(listener: LiveListener): () => void;
  /** Starts a new stream at once: another user has signed in. */
  restart(): void;
  close(): void;
}

export interface LiveListener {
  onEvent?(event: StreamEvent): void;
  onState?(state: LiveState): void;
  /** The stream is back after it was lost. */
  onResume?(): void;
}

export function createLive(): Live {
  const listeners = new Set<LiveListener>();
  const stop = new AbortController();
  let state: LiveState = "connecting";
  let lastId: string | undefined;
  let stream = new AbortController();
  let wake = (): void => {};

  const rest = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  function become(next: LiveState): void {
    if (state === next) return;
    const isBack = state === "lost" && next === "live";
    state = next;
    for (const { onState } of listeners) onState?.(next);
    if (isBack) for (const { onResume } of listeners) onResume?.();
  }

  async function run(): Promise<void> {
    for (let failures = 0; !stop.signal.aborted; failures++) {
      stream = new AbortController();
      try {
        const headers: Record<string, string> = lastId === undefined ? {} : { "last-event-id": lastId };
        const events = follow("GET /events", { headers, signal: stream.signal, silenceMs });
        for await (const event of events) {
          failures = 0;
          become("live");
          if (event.id !== undefined) lastId = event.id;
          for (const { onEvent } of listeners) onEvent?.(event);
        }
      } catch (error) {
        // The server has another store and does not know the last event, so we start from now. Listeners read again in any case.
        if (error instanceof ApiError && error.status === 400) lastId = undefined;
      }
      if (stop.signal.aborted) return;
      become("lost");
      await rest(Math.min(5_000, 250 * 2 ** Math.min(failures, 5)));
    }
  }

  void run();
  return {
    get state() {
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    restart() {
      lastId = undefined;
      stream.abort();
      wake();
    },
    close() {
      stop.abort();
      stream.abort();
      wake();
    },
  };
}

/** The server says something every fifteen seconds; when it says nothing for three times as long, the line is dead. */
const silenceMs = 45_000;
