import type { CalendarEvent } from "./calendar.ts";

export interface EventsJob {
  /** iCalendar texts. */
  readonly texts: readonly string[];
  readonly from: number;
  readonly to: number;
  /** At most this many events. */
  readonly limit: number;
}

/** The events of iCalendar texts in a range of time, series expanded. It runs in another thread, so it may use nothing but its parameters. */
export function readEventsProgram(load: (name: string) => unknown, { texts, from, to, limit }: EventsJob): readonly CalendarEvent[] {
  type Text = string | { readonly val?: string } | undefined;
  interface Event {
    readonly type: string;
    readonly uid?: string;
    readonly summary?: Text;
    readonly description?: Text;
    readonly location?: Text;
    readonly attendee?: Text | readonly Text[];
    readonly transparency?: string;
    readonly status?: string;
  }
  interface Instance {
    readonly start: Date;
    readonly end: Date;
    readonly isFullDay: boolean;
    readonly isRecurring: boolean;
    readonly event: Event;
  }
  const ical = load("node-ical") as {
    readonly sync: { parseICS(text: string): Readonly<Record<string, Event | undefined>> };
    expandRecurringEvent(event: Event, options: object): readonly Instance[];
  };
  const found: { readonly at: number; readonly event: CalendarEvent }[] = [];
  for (const text of texts) {
    for (const event of Object.values(ical.sync.parseICS(text))) {
      if (event?.type !== "VEVENT") continue;
      for (const instance of ical.expandRecurringEvent(event, { from: new Date(from), to: new Date(to), expandOngoing: true })) {
        const start = instance.start.getTime();
        if (start < to && (instance.end.getTime() > from || start >= from)) found.push({ at: start, event: toEvent(instance) });
      }
    }
  }
  return found
    .sort((one, other) => one.at - other.at)
    .slice(0, limit)
    .map(({ event }) => event);

  function toEvent({ start, end, isFullDay, isRecurring, event }: Instance): CalendarEvent {
    const attendees = (Array.isArray(event.attendee) ? (event.attendee as readonly Text[]) : [event.attendee as Text])
      .map((one) => textOf(one).replace(/^mailto:/i, ""))
      .filter((one) => one !== "")
      .slice(0, 200);
    const description = textOf(event.description).slice(0, 4_000);
    const location = textOf(event.location).slice(0, 500);
    return {
      event_id: String(event.uid ?? "").slice(0, 1_000),
      summary: textOf(event.summary).slice(0, 500),
      start_time: isFullDay ? dateOf(start) : start.toISOString(),
      end_time: isFullDay ? dateOf(end) : end.toISOString(),
      all_day: isFullDay,
      ...(description !== "" && { description }),
      ...(location !== "" && { location }),
      ...(attendees.length > 0 && { attendees }),
      ...(isRecurring && { recurring: true }),
      ...((event.transparency === "TRANSPARENT" || event.status === "CANCELLED") && { free: true }),
    };
  }

  function textOf(value: Text): string {
    return typeof value === "string" ? value : typeof value?.val === "string" ? value.val : "";
  }

  /** Whole days are midnights of this machine's own time zone. */
  function dateOf(date: Date): string {
    const two = (part: number): string => String(part).padStart(2, "0");
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  }
}
