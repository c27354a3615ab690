import type { CalendarEvent, TimeRange } from "./calendars/calendar.ts";

export interface BusyTime {
  readonly start_time: string;
  readonly end_time: string;
}

/** When at least one event makes somebody busy, within the range: times that touch or overlap are one. */
export function busyTimes(events: readonly CalendarEvent[], { from, to }: TimeRange): readonly BusyTime[] {
  const times = events
    .filter(({ free }) => free !== true)
    .map(({ start_time, end_time }) => [
      Math.max(from.getTime(), new Date(start_time).getTime()),
      Math.min(to.getTime(), new Date(end_time).getTime()),
    ])
    .filter(([start, end]) => start! < end!)
    .sort(([one], [other]) => one! - other!);
  const merged: number[][] = [];
  for (const [start, end] of times) {
    const last = merged.at(-1);
    if (last !== undefined && start! <= last[1]!) last[1] = Math.max(last[1]!, end!);
    else merged.push([start!, end!]);
  }
  return merged.map(([start, end]) => ({ start_time: new Date(start!).toISOString(), end_time: new Date(end!).toISOString() }));
}
