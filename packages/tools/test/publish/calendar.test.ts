import { createRegistry, type Registry, type ToolResult } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import fc from "fast-check";
import { sized } from "@toolrack/testkit/sized";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPublishTools } from "../../src/index.ts";
import { changeEvent, writeEvent } from "../../src/publish/calendars/_event-text.ts";
import { busyTimes } from "../../src/publish/busy-times.ts";
import { type CalendarServer, startCalendarServer } from "./calendar-server.ts";

const capabilities = createCapabilities({ overrides: { network: true } });

const published = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//test//test//EN
BEGIN:VEVENT
UID:weekly
DTSTART;TZID=Europe/Berlin:20260323T090000
DTEND;TZID=Europe/Berlin:20260323T100000
RRULE:FREQ=WEEKLY;COUNT=4
EXDATE;TZID=Europe/Berlin:20260330T090000
SUMMARY;LANGUAGE=en:Team\\, weekly
ATTENDEE;CN=Ann:mailto:ann@example.com
LOCATION:Room 1
END:VEVENT
BEGIN:VEVENT
UID:off
DTSTART;VALUE=DATE:20260401
SUMMARY:Day off
TRANSP:TRANSPARENT
END:VEVENT
END:VCALENDAR
`;

let server: CalendarServer;
let registry: Registry;

beforeAll(async () => {
  server = await startCalendarServer();
  registry = createRegistry({ capabilities, secrets: { has: () => true, get: async () => "p" } });
  const calendars = {
    work: { caldav: `${server.url}/work`, username: "ann", secret: "dav" },
    public: { ics: "team.ics" },
    broken: { ics: "broken.ics" },
  };
  const readFile = async (path: string): Promise<string> => {
    if (path === "team.ics") return published;
    throw new Error("ENOENT /private/place");
  };
  for (const tool of createPublishTools({ calendars, operations: { readFile } })) registry.register(tool);
});
beforeEach(() => server.events.clear());
afterAll(() => server[Symbol.asyncDispose]());

const call = (input: object): Promise<ToolResult> => registry.invoke("calendar", input);
const dataOf = async (input: object): Promise<any> => {
  const result = await call(input);
  return result.ok ? result.data : expect.fail(result.error);
};
const march = { time_min: "2026-03-01T00:00:00Z", time_max: "2026-05-01T00:00:00Z" };

describe("a published calendar", () => {
  it("lists each occurrence of a series at the right hour, over a change of the clocks, without those that are left out", async () => {
    const { events } = await dataOf({ action: "list_events", calendar_id: "public", ...march });
    expect(events.map(({ event_id, start_time }: any) => [event_id, start_time])).toEqual([
      ["weekly", "2026-03-23T08:00:00.000Z"],
      ["off", "2026-04-01"],
      ["weekly", "2026-04-06T07:00:00.000Z"],
      ["weekly", "2026-04-13T07:00:00.000Z"],
    ]);
    expect(events[0]).toEqual({
      calendar_id: "public",
      event_id: "weekly",
      summary: "Team, weekly",
      start_time: "2026-03-23T08:00:00.000Z",
      end_time: "2026-03-23T09:00:00.000Z",
      all_day: false,
      location: "Room 1",
      attendees: ["ann@example.com"],
      recurring: true,
    });
    expect(events[1]).toMatchObject({ all_day: true, free: true });
  });

  it("gives at most as many events as asked for, and says that there are more", async () => {
    const answer = await dataOf({ action: "list_events", calendar_id: "public", ...march, max_results: 2 });
    expect(answer).toMatchObject({ more: true, events: [{ event_id: "weekly" }, { event_id: "off" }] });
  });

  it("tells when people are busy, and leaves out events that make nobody busy", async () => {
    const { busy } = await dataOf({ action: "check_availability", calendar_ids: ["public"], ...march });
    expect(busy).toEqual([
      { start_time: "2026-03-23T08:00:00.000Z", end_time: "2026-03-23T09:00:00.000Z" },
      { start_time: "2026-04-06T07:00:00.000Z", end_time: "2026-04-06T08:00:00.000Z" },
      { start_time: "2026-04-13T07:00:00.000Z", end_time: "2026-04-13T08:00:00.000Z" },
    ]);
  });

  it("cannot be changed, and says what can", async () => {
    const result = await call({ action: "delete_event", calendar_id: "public", event_id: "weekly" });
    expect(result).toMatchObject({ ok: false, code: "INPUT_INVALID", error: expect.stringContaining("can only be read") });
  });

  it("that cannot be read is named, without its path", async () => {
    const result = await call({ action: "list_events", calendar_id: "broken" });
    expect(result).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION", error: expect.stringContaining('calendar "broken"') });
    expect(JSON.stringify(result)).not.toContain("/private/place");
  });
});

describe("a calendar on a server", () => {
  const event = { summary: "Lunch; with, Bob\nand more", start_time: "2026-03-10T12:00:00+01:00", end_time: "2026-03-10T13:00:00+01:00" };
  const create = async (more: object = {}): Promise<string> => (await dataOf({ action: "create_event", ...event, ...more })).event.event_id;

  // row: J9
  it("creates an event, and reads it back as it was given", async () => {
    const id = await create({ location: "Café", attendees: ["bob@example.com"], description: "Long ".repeat(50) });
    expect(await dataOf({ action: "get_event", event_id: id, ...march })).toEqual({
      event: {
        calendar_id: "work",
        event_id: id,
        summary: event.summary,
        start_time: "2026-03-10T11:00:00.000Z",
        end_time: "2026-03-10T12:00:00.000Z",
        all_day: false,
        description: "Long ".repeat(50).trim() + " ",
        location: "Café",
        attendees: ["bob@example.com"],
      },
    });
    const put = server.seen.find(({ method }) => method === "PUT");
    expect(put?.headers["if-none-match"]).toBe("*");
    for (const line of put!.body.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  });

  it("changes what is given, and leaves the rest of the event as it was", async () => {
    const alarm = "BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:Ring\nTRIGGER:-PT5M\nEND:VALARM";
    server.events.set(
      "/work/x.ics",
      `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:x\nDTSTART:20260310T110000Z\nDURATION:PT1H\nSUMMARY:Old\nX-OWN;A=1:kept\nSEQUENCE:4\n${alarm}\nEND:VEVENT\nEND:VCALENDAR\n`,
    );
    await dataOf({ action: "update_event", event_id: "x", description: "New", end_time: "2026-03-10T15:00:00Z" });
    const text = server.events.get("/work/x.ics")!;
    expect(text).toContain("SUMMARY:Old");
    expect(text).toContain("X-OWN;A=1:kept");
    expect(text).toContain("DESCRIPTION:Ring");
    expect(text).toContain("DESCRIPTION:New");
    expect(text).toContain("DTEND:20260310T150000Z");
    expect(text).toContain("SEQUENCE:5");
    expect(text).not.toContain("DURATION");
  });

  it("refuses a change of an event that somebody else changed meanwhile", async () => {
    const id = await create();
    const original = server.events.get.bind(server.events);
    const path = `/work/${id}.ics`;
    // Another person writes between this client's reading and writing.
    server.events.get = (key) => (key === path ? original(key)!.replace("Lunch", "Dinner") : original(key));
    const result = await call({ action: "update_event", event_id: id, summary: "Mine" });
    server.events.get = original;
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining("was changed in the calendar") });
  });

  it("deletes an event, and says when there is none", async () => {
    const id = await create();
    expect(await dataOf({ action: "delete_event", event_id: id })).toEqual({ deleted: id });
    expect(server.events.size).toBe(0);
    expect(await call({ action: "delete_event", event_id: id })).toMatchObject({
      ok: false,
      error: expect.stringContaining("has no event"),
    });
    expect(await call({ action: "update_event", event_id: "nobody", summary: "x" })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });

  it("takes an event by its whole id, not by a part of it", async () => {
    const id = await create();
    expect(await call({ action: "delete_event", event_id: id.slice(0, 8) })).toMatchObject({
      ok: false,
      error: expect.stringContaining("has no event"),
    });
    expect(server.events.size).toBe(1);
  });

  it("refuses input that means no event, and says why", async () => {
    const wrong: [object, string][] = [
      [{ action: "create_event", ...event, end_time: "2026-03-10T10:00:00+01:00" }, "end_time must be after start_time"],
      [{ action: "create_event", ...event, start_time: "2026-03-10T12:00:00" }, "a time with its zone"],
      [{ action: "create_event", ...event, start_time: "2026-03-10" }, "both be dates or both be times"],
      [{ action: "create_event", ...event, attendees: ["a@b.example\r\nORGANIZER:mailto:x@y.example"] }, "attendees"],
      [{ action: "update_event", event_id: "x" }, "Nothing is changed"],
      [{ action: "list_events", time_min: "2026-01-01", time_max: "2030-01-01" }, "more than two years"],
      [{ action: "list_events", calendar_id: "__proto__" }, 'There is no calendar "__proto__"'],
      [{ action: "delete_event" }, "event_id"],
    ];
    for (const [input, why] of wrong)
      expect(await call(input), why).toMatchObject({ ok: false, code: "INPUT_INVALID", error: expect.stringContaining(why) });
    expect(server.events.size).toBe(0);
  });

  it("never shows the password", async () => {
    const other = createRegistry({ capabilities, secrets: { has: () => true, get: async () => "wrong-password" } });
    for (const tool of createPublishTools({ calendars: { work: { caldav: `${server.url}/work/`, username: "ann", secret: "dav" } } }))
      other.register(tool);
    const result = await other.invoke("calendar", { action: "list_events" });
    expect(result).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION", error: expect.stringContaining("refused the password") });
    expect(JSON.stringify(result)).not.toContain("wrong-password");
  });
});

describe("the text of an event", () => {
  it("holds no property that its words would begin, whatever they are", () => {
    const words = fc.string({ unit: "binary", maxLength: 200 }).map((text) => `${text}\r\nATTACH:http://x\n END:VEVENT`);
    fc.assert(
      fc.property(words, words, (summary, description) => {
        const text = writeEvent("u", { summary, description, start_time: "2026-01-01", end_time: "2026-01-02" }, new Date(0));
        for (const written of [text, changeEvent(text, { description: summary }, new Date(0))]) {
          const names = written
            .replace(/\r\n /g, "")
            .split("\r\n")
            .map((line) => /^[A-Z-]*/.exec(line)![0]);
          expect(new Set(names)).not.toContain("ATTACH");
          expect(names.filter((name) => name === "END")).toHaveLength(2);
        }
      }),
      { numRuns: sized(30, 100) },
    );
  });
});

describe("busy times", () => {
  it("are in order, apart, within the range, and cover exactly the events", () => {
    const minutes = fc.integer({ min: 0, max: 300 });
    const at = (minute: number): string => new Date(minute * 60_000).toISOString();
    const range = { from: new Date(60 * 60_000), to: new Date(240 * 60_000) };
    fc.assert(
      fc.property(fc.array(fc.tuple(minutes, minutes)), (pairs) => {
        const events = pairs.map(([start, length]) => ({
          event_id: "e",
          summary: "",
          all_day: false,
          start_time: at(start),
          end_time: at(start + length),
        }));
        const busy = busyTimes(events, range).map(({ start_time, end_time }) => [
          Date.parse(start_time) / 60_000,
          Date.parse(end_time) / 60_000,
        ]);
        for (let minute = 60; minute < 240; minute++) {
          const isBusy = pairs.some(([start, length]) => start <= minute && minute < start + length);
          expect(busy.some(([start, end]) => start! <= minute && minute < end!)).toBe(isBusy);
        }
        for (const [index, [start]] of busy.entries()) if (index > 0) expect(start).toBeGreaterThan(busy[index - 1]![1]!);
      }),
      { numRuns: sized(50, 100) },
    );
  });
});

describe("what a call may say", () => {
  const event = { action: "create_event", calendar_id: "work", summary: "Tea", start_time: "2026-03-01", end_time: "2026-03-02" };

  it.each([
    { start_time: "2026-02-30" },
    { start_time: "2026-02-29T10:00:00Z", end_time: "2026-03-02T10:00:00Z" },
    { end_time: "2026-04-31" },
    { attendees: ["a\u0085X-LINE:1@example.com"] },
    { attendees: ["a\u0000@example.com"] },
  ])("has no day that does not exist, and no guest with control characters: %j", async (wrong) => {
    expect(await call({ ...event, ...wrong })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(server.events.size).toBe(0);
  });

  it("sends the password to no other address, whatever the server says", async () => {
    const text = (uid: string): string =>
      `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:${uid}\nDTSTART:20260301T100000Z\nEND:VEVENT\nEND:VCALENDAR\n`;
    server.events.set("http://127.0.0.1:9/work/a.ics", text("away"));
    expect(await call({ action: "delete_event", calendar_id: "work", event_id: "away" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("named an event at another address"),
    });
  });

  it("is read from the calendars whose secret is there, also if that of another is missing", async () => {
    const other = createRegistry({ capabilities, secrets: { has: () => false, get: async () => undefined } });
    const calendars = { public: { ics: "team.ics" }, work: { caldav: `${server.url}/work`, username: "ann", secret: "dav" } };
    for (const tool of createPublishTools({ calendars, operations: { readFile: async () => published } })) other.register(tool);
    expect(await other.invoke("calendar", { action: "list_events", ...march })).toMatchObject({ ok: true });
    expect(await other.invoke("calendar", { action: "list_events", calendar_id: "work", ...march })).toMatchObject({
      code: "NEEDS_CONFIGURATION",
      error: expect.stringContaining('The calendar "work" is off: the secret "dav" is not set.'),
    });
  });
});
