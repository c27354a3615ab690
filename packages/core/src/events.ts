import type { Caller, Progress } from "./tool/context.ts";
import type { ToolResult } from "./tool/result.ts";

/** Everything that happens in a registry, in one order. */
export type ToolEvent = EventBody & {
  /** Counts up by one, without gaps, for everybody who listens. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly time: number;
};

export type EventBody =
  | {
      readonly type: "tool-added" | "tool-changed" | "tool-removed";
      readonly tool: string;
      readonly version?: string;
      readonly source: string;
    }
  | { readonly type: "tool-enabled" | "tool-disabled"; readonly tool: string; readonly reason?: string }
  | { readonly type: "source-ready" | "source-failed" | "source-removed"; readonly source: string; readonly error?: string }
  | {
      readonly type: "call-start";
      readonly callId: string;
      readonly tool: string;
      readonly caller: Caller;
      readonly parentCallId?: string;
      readonly trace?: unknown;
    }
  | { readonly type: "call-progress"; readonly callId: string; readonly tool: string; readonly progress: Progress }
  | {
      readonly type: "call-end";
      readonly callId: string;
      readonly tool: string;
      readonly caller: Caller;
      readonly result: ToolResult;
      readonly trace?: unknown;
    };

export type EventType = EventBody["type"];
export type EventListener = (event: ToolEvent) => void;

/**
 * One ordered log that everybody reads from.
 * Contract: each listener sees each event once, in order, and none after it left; a listener that throws does not affect others; an
 * event that a listener causes is delivered after the one it is looking at, never inside it.
 */
export interface EventLog {
  /** Ask before building an event: without listeners there is nothing to build. */
  readonly hasListeners: boolean;
  emit(body: EventBody): void;
  subscribe(listener: EventListener): void;
  unsubscribe(listener: EventListener): void;
}

export interface EventLogOptions {
  readonly now: () => number;
  /** Told what a listener threw, or what its promise was rejected with. */
  readonly onListenerError: (error: unknown, event: ToolEvent) => void;
}

export function createEventLog(options: EventLogOptions): EventLog {
  let listeners: readonly EventListener[] = [];
  const waiting: ToolEvent[] = [];
  let delivering = false;
  let sequence = 0;

  function deliver(): void {
    delivering = true;
    // By index, since taking from the front of a long list moves all that follows.
    for (let index = 0; index < waiting.length; index++) {
      for (const listener of listeners) {
        // A listener that was removed during this event is not called any more.
        if (listeners.includes(listener)) tell(listener, waiting[index]!);
      }
    }
    waiting.length = 0;
    delivering = false;
  }

  function tell(listener: EventListener, event: ToolEvent): void {
    try {
      const returned: unknown = listener(event);
      if (returned instanceof Promise) returned.catch((error: unknown) => report(error, event));
    } catch (error) {
      report(error, event);
    }
  }

  function report(error: unknown, event: ToolEvent): void {
    try {
      options.onListenerError(error, event);
    } catch {
      // There is no listener left.
    }
  }

  const log = {
    hasListeners: false,
    emit(body: EventBody): void {
      if (listeners.length === 0) return;
      // Written into the body, which was made for this: a copy with two fields more would cost as much as a call.
      waiting.push(Object.assign(body, { sequence: ++sequence, time: options.now() }));
      if (!delivering) deliver();
    },
    subscribe(listener: EventListener): void {
      if (!listeners.includes(listener)) listeners = [...listeners, listener];
      log.hasListeners = true;
    },
    unsubscribe(listener: EventListener): void {
      listeners = listeners.filter((other) => other !== listener);
      log.hasListeners = listeners.length > 0;
    },
  };
  return log;
}
