import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import type { CalendarEvent } from "../../../src/publish/calendars/calendar.ts";
import { readEventsProgram } from "../../../src/publish/calendars/_events-program.ts";
import { readMultiStatusProgram } from "../../../src/publish/calendars/_multi-status-program.ts";

const load = createRequire(import.meta.url);
const calendar = (...events: string[][]): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:x",
    ...events.flatMap((lines) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"]),
    "END:VCALENDAR",
  ].join("\r\n");
const at = (time: string): number => Date.parse(`2024-01-${time}`);
const range = { from: at("10T00:00:00Z"), to: at("20T00:00:00Z"), limit: 10 };
const read = (texts: string[], more: Partial<typeof range> = {}): readonly CalendarEvent[] =>
  readEventsProgram(load, { texts, ...range, ...more });

const meeting = [
  "UID:one",
  "SUMMARY:Meeting",
  "DESCRIPTION:About it",
  "LOCATION:Room 5",
  "DTSTART:20240112T100000Z",
  "DTEND:20240112T110000Z",
  "ATTENDEE;CN=Ann:mailto:ann@x.example",
  "ATTENDEE:MAILTO:bob@x.example",
];

describe("events of a calendar", () => {
  it("have all that the calendar says", () => {
    expect(read([calendar(meeting)])).toEqual([
      {
        event_id: "one",
        summary: "Meeting",
        start_time: "2024-01-12T10:00:00.000Z",
        end_time: "2024-01-12T11:00:00.000Z",
        all_day: false,
        description: "About it",
        location: "Room 5",
        attendees: ["ann@x.example", "bob@x.example"],
      },
    ]);
  });

  it("are whole days, series and free time", () => {
    const events = read([
      calendar(
        ["UID:day", "SUMMARY:Off", "DTSTART;VALUE=DATE:20240111", "DTEND;VALUE=DATE:20240112", "TRANSP:TRANSPARENT"],
        ["UID:series", "SUMMARY:Daily", "DTSTART:20240108T080000Z", "DTEND:20240108T083000Z", "RRULE:FREQ=DAILY;COUNT=4"],
        ["UID:gone", "SUMMARY:Gone", "DTSTART:20240119T080000Z", "DTEND:20240119T090000Z", "STATUS:CANCELLED", "ATTENDEE:mailto:"],
      ),
    ]);
    expect(events).toEqual([
      {
        event_id: "series",
        summary: "Daily",
        start_time: "2024-01-10T08:00:00.000Z",
        end_time: "2024-01-10T08:30:00.000Z",
        all_day: false,
        recurring: true,
      },
      { event_id: "day", summary: "Off", start_time: "2024-01-11", end_time: "2024-01-12", all_day: true, free: true },
      {
        event_id: "series",
        summary: "Daily",
        start_time: "2024-01-11T08:00:00.000Z",
        end_time: "2024-01-11T08:30:00.000Z",
        all_day: false,
        recurring: true,
      },
      {
        event_id: "gone",
        summary: "Gone",
        start_time: "2024-01-19T08:00:00.000Z",
        end_time: "2024-01-19T09:00:00.000Z",
        all_day: false,
        free: true,
      },
    ]);
  });

  it("are those in the range alone, in the order of their time, up to the limit", () => {
    const event = (uid: string, start: string, end: string): string[] => [
      `UID:${uid}`,
      `SUMMARY:${uid}`,
      `DTSTART:${start}`,
      `DTEND:${end}`,
    ];
    const texts = [
      calendar(event("later", "20240113T000000Z", "20240113T010000Z"), event("over", "20240109T220000Z", "20240110T000000Z")),
      calendar(
        event("into", "20240109T230000Z", "20240110T010000Z"),
        event("moment", "20240110T000000Z", "20240110T000000Z"),
        event("after", "20240120T000000Z", "20240120T010000Z"),
      ),
    ];
    const ids = (more?: Partial<typeof range>): string[] => read(texts, more).map(({ event_id }) => event_id);
    expect(ids()).toEqual(["into", "moment", "later"]);
    expect(ids({ limit: 2 })).toEqual(["into", "moment"]);
    expect(read(["BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:t\r\nEND:VTODO\r\nEND:VCALENDAR"])).toEqual([]);
  });

  it("are shortened where a text is too long", () => {
    const instance = { start: new Date(range.from), end: new Date(range.from + 1), isFullDay: false, isRecurring: false };
    const event = {
      type: "VEVENT",
      uid: "u".repeat(1_001),
      summary: { val: "s".repeat(501) },
      description: "d".repeat(4_001),
      location: "l".repeat(501),
      attendee: Array.from({ length: 201 }, () => "mailto:a"),
    };
    const ical = { sync: { parseICS: () => ({ event, nothing: undefined }) }, expandRecurringEvent: () => [{ ...instance, event }] };
    const [shown] = readEventsProgram(() => ical, { texts: [""], ...range });
    const { event_id, summary, description, location, attendees } = shown!;
    expect([event_id.length, summary.length, description?.length, location?.length, attendees?.length]).toEqual([
      1_000, 500, 4_000, 500, 200,
    ]);
  });

  it("have empty texts where there are none", () => {
    const instance = { start: new Date(range.from), end: new Date(range.from + 1), isFullDay: false, isRecurring: false };
    const event = { type: "VEVENT", summary: {} };
    const ical = { sync: { parseICS: () => ({ event }) }, expandRecurringEvent: () => [{ ...instance, event }] };
    expect(readEventsProgram(() => ical, { texts: [""], ...range })).toEqual([
      { event_id: "", summary: "", start_time: "2024-01-10T00:00:00.000Z", end_time: "2024-01-10T00:00:00.001Z", all_day: false },
    ]);
  });
});

describe("the answer of a CalDAV server", () => {
  const response = (prefix: string, href: string, text: string): string =>
    `<${prefix}response><${prefix}href> ${href} </${prefix}href><${prefix}propstat><${prefix}prop><${prefix}getetag>"1"</${prefix}getetag><C:calendar-data>${text}</C:calendar-data></${prefix}prop></${prefix}propstat></${prefix}response>`;

  it.each(["D:", ""])("lists its events, with the prefix %j", (prefix) => {
    const xml = `<?xml version="1.0"?><${prefix}multistatus xmlns:D="DAV:" xmlns:C="urn:x">${response(prefix, "/a.ics", "TEXT")}${response(prefix, "", "NO PLACE")}${response(prefix, "/b.ics", "")}</${prefix}multistatus>`;
    expect(readMultiStatusProgram(load, { xml })).toEqual([{ href: "/a.ics", etag: '"1"', text: "TEXT" }]);
  });

  it("has no version where the server names none, and is refused where it is something else", () => {
    const xml = "<multistatus><response><href>/a</href><calendar-data>T</calendar-data></response></multistatus>";
    expect(readMultiStatusProgram(load, { xml })).toEqual([{ href: "/a", etag: "", text: "T" }]);
    expect(() => readMultiStatusProgram(load, { xml: "<error/>" })).toThrow("no list of events");
  });
});
