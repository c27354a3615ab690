import type { AgentEvent, Emit, RunResult } from "../events.ts";

/** A run that has begun: its events, and its result. Never rejects. */
export interface AgentRun extends AsyncIterable<AgentEvent>, PromiseLike<RunResult> {
  /**
   * Says something to the agent while it runs: it reads it between two turns. What comes too late waits for the next run of the session.
   * Resolves with false if it could not be stored.
   */
  steer(text: string): Promise<boolean>;
  /** Ends the run: calls are aborted and answered, and the session can be resumed. */
  cancel(reason?: string): void;
}

/** Events that are kept for a reader who comes late, or is slow; beyond that the oldest are dropped. */
export const maxKeptEvents = 10_000;

export interface RunParts {
  steer(text: string): Promise<boolean>;
  cancel(reason?: string): void;
}

/** Begins at once, whether or not anybody reads the events. */
export function createAgentRun(start: (emit: Emit) => Promise<RunResult>, { steer, cancel }: RunParts): AgentRun {
  const kept: AgentEvent[] = [];
  let dropped = 0;
  let isOver = false;
  let wake: (() => void)[] = [];

  function emit(event: AgentEvent): void {
    kept.push(event);
    if (kept.length > maxKeptEvents) {
      kept.shift();
      dropped += 1;
    }
    const waiting = wake;
    wake = [];
    for (const next of waiting) next();
  }

  const result = start(emit).then((ended) => {
    isOver = true;
    emit({ type: "end", result: ended });
    return ended;
  });

  return {
    then: (onResult, onError) => result.then(onResult, onError),
    steer,
    cancel,
    async *[Symbol.asyncIterator]() {
      for (let position = 0; ; position++) {
        while (position - dropped >= kept.length) {
          if (isOver) return;
          await new Promise<void>((resolve) => wake.push(resolve));
        }
        position = Math.max(position, dropped);
        yield kept[position - dropped]!;
      }
    },
  };
}
