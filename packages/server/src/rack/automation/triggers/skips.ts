import type { StoredEvent, StreamName } from "../events/event.ts";
import type { TriggerInfo } from "./triggers.ts";

export type Skipped = NonNullable<TriggerInfo["skipped"]>;

/** Counts the events that a trigger chose and that called nothing, since this server started. */
export interface Skips {
  /** An event that is handed over again, because the store failed, counts once. */
  add(trigger: string, event: StoredEvent, reason: string): void;
  of(trigger: string): Skipped | undefined;
  forget(trigger: string): void;
}

export function createSkips(): Skips {
  const counted = new Map<string, { readonly skipped: Skipped; readonly until: ReadonlyMap<StreamName, number> }>();
  return {
    add(trigger, { id, at, stream, number }, reason) {
      const before = counted.get(trigger);
      if (number <= (before?.until.get(stream) ?? -1)) return;
      const skipped = { count: (before?.skipped.count ?? 0) + 1, event: id, at, reason };
      counted.set(trigger, { skipped, until: new Map(before?.until).set(stream, number) });
    },
    of: (trigger) => counted.get(trigger)?.skipped,
    forget: (trigger) => void counted.delete(trigger),
  };
}
