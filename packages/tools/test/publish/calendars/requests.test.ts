import { FetchError, type SafeRequest, type SafeResponse } from "@toolrack/fetch";
import { describe, expect, it } from "vitest";
import { createCaldavCalendar } from "../../../src/publish/calendars/caldav.ts";
import { changeEvent, writeEvent } from "../../../src/publish/calendars/_event-text.ts";
import { createIcsCalendar } from "../../../src/publish/calendars/ics.ts";

const { signal } = new AbortController();
const range = { from: new Date("2024-01-10T00:00:00Z"), to: new Date("2024-01-20T00:00:00Z") };
const now = new Date("2026-03-01T08:00:00.123Z");

type Answer = { readonly status?: number; readonly text?: string } | Error;

/** The network of a calendar, with these answers one after another, and what was asked. */
function networkOf(answers: readonly Answer[]) {
  const asked: { url: string; request: SafeRequest; host: string | undefined }[] = [];
  const request = async (url: string, sent: SafeRequest, host?: string): Promise<SafeResponse> => {
    const answer = answers[asked.length] ?? {};
    asked.push({ url, request: sent, host });
    if (answer instanceof Error) throw answer;
    const { status = 200, text = "" } = answer;
    return { status, ok: status >= 200 && status < 300, text: () => text, headers: {} } as unknown as SafeResponse;
  };
  const operations = { http: { request }, readFile: async () => "" } as never;
  return { asked, operations };
}

const event = (uid: string): string =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:S\r\nDTSTART:20240112T100000Z\r\nDTEND:20240112T110000Z\r\nEND:VEVENT\r\nEND:VCALENDAR`;
const listed = (href: string, text: string): Answer => ({
  status: 207,
  text: `<multistatus><response><href>${href}</href><getetag>"7"</getetag><calendar-data>${text}</calendar-data></response></multistatus>`,
});

function caldavOf(...answers: Answer[]) {
  const network = networkOf(answers);
  const options = { caldav: "https://dav.example/cal/", username: "ann", secret: "dav" };
  const calendar = createCaldavCalendar("work", options as never, network.operations, async (name) => `pw of ${name}`);
  return { ...network, calendar };
}
const authorization = `Basic ${Buffer.from("ann:pw of dav").toString("base64")}`;

describe("a CalDAV calendar", () => {
  it("is asked for a range of time", async () => {
    const { asked, calendar } = caldavOf(listed("/cal/a.ics", event("a")));
    expect(await calendar.list({ ...range, limit: 5 } as never, signal)).toMatchObject([{ event_id: "a", summary: "S" }]);
    const [{ url, request } = expect.fail()] = asked;
    expect(url).toBe("https://dav.example/cal/");
    expect(request).toMatchObject({
      method: "REPORT",
      redirect: "error",
      signal,
      headers: { "content-type": "application/xml; charset=utf-8", depth: "1", authorization },
    });
    expect(request.body).toContain('<c:time-range start="20240110T000000Z" end="20240120T000000Z"/>');
  });

  it("gets new events where there is none, and changes and removals of the version that was read", async () => {
    const { asked, calendar } = caldavOf(
      { status: 201 },
      listed("/cal/a.ics", event("a&amp;b")),
      {},
      listed("/cal/a.ics", event("a&amp;b")),
      { status: 204 },
    );
    const { event_id } = await calendar.change!.create({ summary: "New", start_time: "2026-03-01", end_time: "2026-03-02" }, signal);
    await calendar.change!.update("a&b", { summary: "Other" }, signal);
    await calendar.change!.remove("a&b", signal);
    expect(asked.map(({ url, request: { method } }) => [method, url])).toEqual([
      ["PUT", `https://dav.example/cal/${event_id}.ics`],
      ["REPORT", "https://dav.example/cal/"],
      ["PUT", "https://dav.example/cal/a.ics"],
      ["REPORT", "https://dav.example/cal/"],
      ["DELETE", "https://dav.example/cal/a.ics"],
    ]);
    expect(asked[0]!.request.headers).toEqual({ "content-type": "text/calendar; charset=utf-8", "if-none-match": "*", authorization });
    expect(asked[0]!.request.body).toContain(`UID:${event_id}\r\n`);
    expect(asked[1]!.request.body).toContain(
      '<c:prop-filter name="UID"><c:text-match collation="i;octet">a&#38;b</c:text-match></c:prop-filter>',
    );
    expect(asked[2]!.request.headers).toEqual({ "content-type": "text/calendar; charset=utf-8", "if-match": '"7"', authorization });
    expect(asked[2]!.request.body).toContain("SUMMARY:Other");
    expect(asked[4]!.request.headers).toEqual({ "if-match": '"7"', authorization });
  });

  it.each<[string, Answer[], object]>([
    [
      "a wrong password",
      [{ status: 401 }],
      { code: "NEEDS_CONFIGURATION", message: 'The server of the calendar "work" refused the password (401). Check the secret "dav".' },
    ],
    ["no right", [{ status: 403 }], { code: "NEEDS_CONFIGURATION" }],
    [
      "a refusal",
      [{ status: 404 }],
      { code: "TOOL_FAILED", message: 'The server of the calendar "work" refused the request (404).', retryable: false },
    ],
    ["too much", [{ status: 429 }], { retryable: true }],
    ["a fault", [{ status: 500 }], { retryable: true }],
    [
      "an answer that is no list",
      [{ status: 207, text: "<error/>" }],
      { message: 'The server of the calendar "work" answered with something that is not a list of events.' },
    ],
    ["no answer", [new FetchError("UNREACHABLE", "away")], { code: "TOOL_FAILED", message: "away" }],
    [
      "no such event",
      [listed("/cal/a.ics", event("other"))],
      { code: "INPUT_INVALID", message: 'The calendar "work" has no event "a". List its events to see their ids.' },
    ],
    [
      "an event elsewhere",
      [listed("https://evil.example/a.ics", event("a"))],
      { code: "TOOL_FAILED", message: 'The server of the calendar "work" named an event at another address.' },
    ],
    [
      "another version",
      [listed("/cal/a.ics", event("a")), { status: 412 }],
      { code: "TOOL_FAILED", message: 'The event was changed in the calendar "work" meanwhile. Read it again, then decide.' },
    ],
    [
      "a removal that is refused",
      [listed("/cal/a.ics", event("a")), { status: 409 }],
      { message: 'The server of the calendar "work" refused the request (409).' },
    ],
  ])("tells of %s", async (_, answers, error) => {
    const { calendar } = caldavOf(...answers);
    await expect(calendar.change!.remove("a", signal)).rejects.toMatchObject(error);
  });
});

describe("a calendar in a file", () => {
  const open = (ics: string, answers: Answer[] = [], readFile: (path: string) => Promise<string> = async () => "") => {
    const { asked, operations } = networkOf(answers);
    return { asked, calendar: createIcsCalendar("work", { ics }, { ...(operations as object), readFile } as never) };
  };

  it("is read from an address or a path", async () => {
    const { asked, calendar } = open("HTTPS://cal.example/work.ics", [{ text: `\uFEFF ${event("a")}` }]);
    expect(await calendar.list({ ...range, limit: 5 } as never, signal)).toMatchObject([{ event_id: "a" }]);
    expect(asked).toEqual([
      { url: "HTTPS://cal.example/work.ics", request: { headers: { accept: "text/calendar" }, signal }, host: undefined },
    ]);
    const paths: string[] = [];
    const local = open("/cal/work.ics", [], async (path) => (paths.push(path), event("b")));
    expect(await local.calendar.list({ ...range, limit: 5 } as never, signal)).toMatchObject([{ event_id: "b" }]);
    expect([paths, local.asked]).toEqual([["/cal/work.ics"], []]);
  });

  it("is told of without its address where it cannot be read", async () => {
    const url = "https://cal.example/key.ics";
    const list = (calendar: ReturnType<typeof open>["calendar"]) => calendar.list(range as never, signal);
    await expect(list(open(url, [{ text: "<html>" }]).calendar)).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: 'The calendar "work" is not a file in the iCalendar format. Check its address.',
    });
    for (const [status, retryable] of [
      [404, false],
      [429, true],
      [500, true],
    ] as const)
      await expect(list(open(url, [{ status }]).calendar)).rejects.toMatchObject({
        message: `The server of the calendar "work" answered ${status}. Check its address.`,
        retryable,
      });
    await expect(list(open(url, [new FetchError("TIMEOUT", "late")]).calendar)).rejects.toMatchObject({ code: "TIMEOUT" });
    const gone = new Error("ENOENT");
    await expect(list(open("gone.ics", [], () => Promise.reject(gone)).calendar)).rejects.toMatchObject({
      code: "NEEDS_CONFIGURATION",
      message: 'The file of the calendar "work" cannot be read. Check its path in the configuration.',
      cause: gone,
    });
  });
});

describe("the text of an event", () => {
  it("has what the event has, and lines of its own for nothing else", () => {
    const whole = {
      summary: "A; b, c\\d\r\nSUMMARY:x\u0007",
      start_time: "2026-03-01T08:00:00Z",
      end_time: "2026-03-01T09:00:00Z",
      description: "d",
      location: "l",
      attendees: ["a@x.example"],
    };
    expect(writeEvent("u1", whole, now)).toBe(
      [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Toolrack//Toolrack//EN",
        "BEGIN:VEVENT",
        "UID:u1",
        "DTSTAMP:20260301T080000Z",
        "SUMMARY:A\\; b\\, c\\\\d\\nSUMMARY:x ",
        "DTSTART:20260301T080000Z",
        "DTEND:20260301T090000Z",
        "DESCRIPTION:d",
        "LOCATION:l",
        "ATTENDEE:mailto:a@x.example",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
      ].join("\r\n"),
    );
    expect(writeEvent("u1", { start_time: "2026-03-01" }, now)).toContain("\r\nDTSTART;VALUE=DATE:20260301\r\n");
  });

  it("has lines of at most 75 bytes", () => {
    const lines = writeEvent("u1", { summary: `${"x".repeat(66)}${"ä".repeat(60)}` }, now).split("\r\n");
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(lines.join("\n").replaceAll("\n ", "")).toContain(`SUMMARY:${"x".repeat(66)}${"ä".repeat(60)}`);
    expect(lines.find((line) => line.startsWith("SUMMARY"))).toBe(`SUMMARY:${"x".repeat(66)}`);
  });

  const series = [
    "BEGIN:VCALENDAR",
    "BEGIN:VEVENT",
    "UID:a",
    "RECURRENCE-ID:20260302T080000Z",
    "SUMMARY:Exception",
    "END:VEVENT",
    "BEGIN:VEVENT",
    "UID:a",
    "SUMMARY;LANGUAGE=en:Old",
    " er",
    "DTSTAMP:20200101T000000Z",
    "SEQUENCE:4",
    "DURATION:PT1H",
    "BEGIN:VALARM",
    "DESCRIPTION:Ring",
    "END:VALARM",
    "X-OWN:1",
    "END:VEVENT",
    "END:VCALENDAR",
  ].join("\n");

  it("is changed in what is named, alarms and exceptions left as they are", () => {
    const changed = changeEvent(series, { summary: "New", description: "D", end_time: "2026-03-01T09:00:00Z" }, now).split("\r\n");
    expect(changed).toEqual([
      "BEGIN:VCALENDAR",
      "BEGIN:VEVENT",
      "UID:a",
      "RECURRENCE-ID:20260302T080000Z",
      "SUMMARY:Exception",
      "END:VEVENT",
      "BEGIN:VEVENT",
      "SUMMARY:New",
      "DTEND:20260301T090000Z",
      "DESCRIPTION:D",
      "DTSTAMP:20260301T080000Z",
      "LAST-MODIFIED:20260301T080000Z",
      "SEQUENCE:5",
      "UID:a",
      "BEGIN:VALARM",
      "DESCRIPTION:Ring",
      "END:VALARM",
      "X-OWN:1",
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ]);
    const plain = changeEvent(series.replace("SEQUENCE:4", "SEQUENCE:odd"), { location: "L" }, now);
    expect(plain).toContain("SEQUENCE:1\r\n");
    expect(plain).toContain("DURATION:PT1H\r\n");
    expect(plain).toContain("SUMMARY;LANGUAGE=en:Older\r\n");
    expect(changeEvent(series.replace("SEQUENCE:4\n", ""), {}, now)).toContain("SEQUENCE:1\r\n");
  });

  it("stays as it is where there is no event in it", () => {
    for (const text of ["BEGIN:VCALENDAR\nEND:VCALENDAR", "BEGIN:VEVENT\nUID:a"])
      expect(changeEvent(text, { summary: "x" }, now)).toBe(text);
  });
});
