import type { Clock } from "@toolrack/core/node";
import type { Engine } from "../engine/engine.ts";
import type { TicketName } from "../engine/tickets.ts";

export type TicketWatch = (kind: TicketName["kind"], name: string, known: number, listener: () => void) => () => void;

interface Watched {
  readonly kind: TicketName["kind"];
  readonly name: string;
  readonly listeners: Set<() => void>;
  /** The version that the listeners know; 0: that it is gone. */
  known: number;
  /** Undefined until it was looked at. */
  endsAt: number | undefined;
}

/** Waits for any number of tickets: a message names the one that changed; without a name, one query for each kind looks at all of them. */
export function createTicketWatch(engine: Engine, owner: string, clock: Clock, closed: AbortSignal): TicketWatch {
  const all = new Map<string, Watched>();
  let stop: (() => void) | undefined;
  let cancelTimer: (() => void) | undefined;
  let looking: Promise<void> | undefined;
  let again = false;

  function tell({ listeners }: Watched): void {
    for (const listener of listeners) listener();
  }

  async function lookAtAll(): Promise<void> {
    for (const kind of ["task", "wish"] as const) {
      const own = [...all.values()].filter((one) => one.kind === kind);
      if (own.length === 0) continue;
      const marks = new Map(
        (
          await engine.ticketMarks(
            owner,
            kind,
            own.map(({ name }) => name),
          )
        ).map((mark) => [mark.name, mark]),
      );
      for (const one of own) {
        const mark = marks.get(one.name);
        const version = mark === undefined || mark.endsAt <= clock.now() ? 0 : mark.version;
        one.endsAt = version === 0 ? Number.POSITIVE_INFINITY : mark!.endsAt;
        if (one.known === (one.known = version)) continue;
        tell(one);
      }
    }
  }

  function look(): void {
    if (all.size === 0 || closed.aborted) return;
    if (looking !== undefined) {
      again = true;
      return;
    }
    looking = lookAtAll()
      // An outage of the database: look again after a pause.
      .then(
        () => wait(Math.min(...[...all.values()].map(({ endsAt }) => endsAt ?? 0)) - clock.now()),
        () => wait(retryMs),
      )
      .finally(() => {
        looking = undefined;
        if (!again) return;
        again = false;
        look();
      });
  }

  /** Until the first of them expires. */
  function wait(delayMs: number): void {
    cancelTimer?.();
    cancelTimer = all.size === 0 || closed.aborted ? undefined : clock.after(Math.min(Math.max(1, delayMs), longestMs), look);
  }

  function leave(): void {
    stop?.();
    cancelTimer?.();
    [stop, cancelTimer] = [undefined, undefined];
  }

  return (kind, name, known, listener) => {
    const key = `${kind} ${name}`;
    const one = all.get(key) ?? { kind, name, listeners: new Set(), known, endsAt: undefined };
    all.set(key, one);
    const own = (): void => listener();
    one.listeners.add(own);
    // Who knows another version than the others is told, too.
    if (one.known !== known) one.known = -1;
    stop ??= engine.onTicket((ticket) => {
      if (ticket === undefined) return look();
      const found = ticket.owner === owner ? all.get(`${ticket.kind} ${ticket.name}`) : undefined;
      if (found !== undefined) tell(found);
    });
    look();
    return () => {
      one.listeners.delete(own);
      if (one.listeners.size === 0 && all.get(key) === one) all.delete(key);
      if (all.size === 0) leave();
    };
  };
}

const retryMs = 1_000;
/** Timers cannot wait longer than 2^31 milliseconds. */
const longestMs = 3_600_000;
