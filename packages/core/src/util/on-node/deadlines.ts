import { afterTurn } from "./after-turn.ts";
import type { CancelTimer, Clock } from "../clock.ts";
import { longestTimerMs } from "../longest-timer.ts";

/** Something that ends at a time. The holder is the list node itself, so that a deadline costs no allocation. */
export interface Deadline {
  expiresAt: number;
  before: Deadline | undefined;
  after: Deadline | undefined;
  lane: Lane | undefined;
  expire(): void;
}

export interface Lane {
  readonly durationMs: number;
  first: Deadline | undefined;
  last: Deadline | undefined;
}

/**
 * Many deadlines on one timer. Those of one duration are in one queue, which is always in order; the timer waits for
 * the earliest head. Adding and removing cost the same however many there are. Once the last one is gone the timer is released in
 * the next turn, or cancelled at once where the clock cannot release: it keeps no process alive, and the next deadline takes it up again.
 */
export interface Deadlines {
  /** `since`, where it is known already: asking for the time again would cost more than all the rest. @default now */
  add(deadline: Deadline, durationMs: number, since?: number): void;
  remove(deadline: Deadline): void;
}

export function createDeadlines(clock: Clock): Deadlines {
  const lanes = new Map<number, Lane>();
  let timer: CancelTimer | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let count = 0;
  let isHeld = true;
  let isLeaving = false;

  function arm(at: number): void {
    if (at >= timerAt) return;
    timer?.();
    timerAt = at;
    isHeld = true;
    timer = clock.after(Math.min(Math.max(at - clock.now(), 0), longestTimerMs), ring);
  }

  function ring(): void {
    timer = undefined;
    timerAt = Number.POSITIVE_INFINITY;
    const now = clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const lane of lanes.values()) {
      while (lane.first !== undefined && lane.first.expiresAt <= now) {
        const { first } = lane;
        remove(first);
        first.expire();
      }
      if (lane.first !== undefined) next = Math.min(next, lane.first.expiresAt);
    }
    // What expired may have removed the others.
    if (count > 0) arm(next);
  }

  function remove(deadline: Deadline): void {
    const { lane, before, after } = deadline;
    if (lane === undefined) return;
    if (before === undefined) lane.first = after;
    else before.after = after;
    if (after === undefined) lane.last = before;
    else after.before = before;
    deadline.lane = deadline.before = deadline.after = undefined;
    if (lane.first === undefined && lanes.size > maxLanes) lanes.delete(lane.durationMs);
    if (--count > 0 || timer === undefined) return;
    if (timer.release !== undefined) {
      if (!isLeaving) afterTurn(releaseIfIdle);
      isLeaving = true;
      return;
    }
    timer();
    timer = undefined;
    timerAt = Number.POSITIVE_INFINITY;
  }

  function releaseIfIdle(): void {
    isLeaving = false;
    if (count > 0 || timer?.release === undefined) return;
    timer.release();
    isHeld = false;
  }

  return {
    add(deadline, durationMs, since = clock.now()) {
      let lane = lanes.get(durationMs);
      if (lane === undefined) lanes.set(durationMs, (lane = { durationMs, first: undefined, last: undefined }));
      deadline.expiresAt = since + durationMs;
      deadline.lane = lane;
      deadline.before = lane.last;
      if (lane.last === undefined) lane.first = deadline;
      else lane.last.after = deadline;
      lane.last = deadline;
      count++;
      if (!isHeld) {
        isHeld = true;
        timer?.hold?.();
      }
      arm(deadline.expiresAt);
    },
    remove,
  };
}

/** Durations are usually few, and their queues stay; callers that pass a new one each time do not make the map grow for ever. */
const maxLanes = 1_000;
