import { randomUUID } from "node:crypto";
import { ToolError, ToolInputError } from "@toolrack/core";
import type { SafeRequest, SafeResponse } from "@toolrack/fetch";
import { hostOf, toToolError } from "../../operations/http.ts";
import { runInThread } from "../../operations/in-thread.ts";
import type { PublishOperations } from "../operations.ts";
import { readEvents } from "./_read-events.ts";
import type { Calendar, TimeRange } from "./calendar.ts";
import { changeEvent, writeEvent } from "./_event-text.ts";
import { type FoundEvent, readMultiStatusProgram } from "./_multi-status-program.ts";

export interface CaldavOptions {
  /** The address of one calendar: "https://dav.example.com/calendars/ann/work/". */
  readonly caldav: string;
  readonly username: string;
  /** The secret that holds the password. */
  readonly secret: string;
}

/** A calendar on a CalDAV server. Every change names the version that it changes, so that nobody else's change is lost. */
export function createCaldavCalendar(
  name: string,
  options: CaldavOptions,
  operations: PublishOperations,
  readSecret: (name: string) => Promise<string>,
): Calendar {
  const base = new URL(options.caldav.endsWith("/") ? options.caldav : `${options.caldav}/`);
  const host = hostOf(options.caldav, `calendars.${name}.caldav`);

  async function send(url: URL, request: SafeRequest, signal: AbortSignal): Promise<SafeResponse> {
    const password = await readSecret(options.secret);
    const authorization = `Basic ${Buffer.from(`${options.username}:${password}`).toString("base64")}`;
    // Redirects are not followed: the password would be sent to the other address.
    const sent = { ...request, signal, redirect: "error" as const, headers: { ...request.headers, authorization } };
    const response = await operations.http.request(url.href, sent, host).catch((error: unknown) => {
      throw toToolError(error);
    });
    if (response.status === 401 || response.status === 403)
      throw new ToolError(
        "NEEDS_CONFIGURATION",
        `The server of the calendar "${name}" refused the password (${response.status}). Check the secret "${options.secret}".`,
      );
    return response;
  }

  async function report(filter: string, signal: AbortSignal): Promise<readonly FoundEvent[]> {
    const body = `<?xml version="1.0" encoding="utf-8"?><c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:getetag/><c:calendar-data/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">${filter}</c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`;
    const headers = { "content-type": "application/xml; charset=utf-8", depth: "1" };
    const response = await send(base, { method: "REPORT", headers, body }, signal);
    if (response.status !== 207) throw refused(name, response);
    const end = await runInThread(readMultiStatusProgram, { xml: response.text() }, { signal, maxRunMs: 30_000 });
    if ("answer" in end) return end.answer;
    throw new ToolError("TOOL_FAILED", `The server of the calendar "${name}" answered with something that is not a list of events.`);
  }

  async function find(eventId: string, signal: AbortSignal): Promise<{ readonly url: URL; readonly etag: string; readonly text: string }> {
    const uid = eventId.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    const found = await report(`<c:prop-filter name="UID"><c:text-match collation="i;octet">${uid}</c:text-match></c:prop-filter>`, signal);
    // Servers match parts of a text, so the right one is looked for.
    const event = found.find(({ text }) => uidOf(text) === eventId);
    if (event === undefined)
      throw new ToolInputError(`The calendar "${name}" has no event "${eventId}". List its events to see their ids.`);
    const url = new URL(event.href, base);
    if (url.origin !== base.origin)
      throw new ToolError("TOOL_FAILED", `The server of the calendar "${name}" named an event at another address.`);
    return { url, etag: event.etag, text: event.text };
  }

  return {
    async list(range, signal) {
      const found = await report(`<c:time-range start="${utc(range, "from")}" end="${utc(range, "to")}"/>`, signal);
      return readEvents(
        name,
        found.map(({ text }) => text),
        range,
        signal,
      );
    },
    change: {
      async create(event, signal) {
        const uid = randomUUID();
        const headers = { "content-type": "text/calendar; charset=utf-8", "if-none-match": "*" };
        const response = await send(
          new URL(`${uid}.ics`, base),
          { method: "PUT", headers, body: writeEvent(uid, event, new Date()) },
          signal,
        );
        if (!response.ok) throw refused(name, response);
        return { event_id: uid };
      },
      async update(eventId, change, signal) {
        const { url, etag, text } = await find(eventId, signal);
        const headers = { "content-type": "text/calendar; charset=utf-8", "if-match": etag };
        const response = await send(url, { method: "PUT", headers, body: changeEvent(text, change, new Date()) }, signal);
        if (!response.ok) throw refused(name, response);
      },
      async remove(eventId, signal) {
        const { url, etag } = await find(eventId, signal);
        const response = await send(url, { method: "DELETE", headers: { "if-match": etag } }, signal);
        if (!response.ok) throw refused(name, response);
      },
    },
  };
}

function refused(name: string, { status }: SafeResponse): ToolError {
  if (status === 412)
    return new ToolError("TOOL_FAILED", `The event was changed in the calendar "${name}" meanwhile. Read it again, then decide.`);
  return new ToolError("TOOL_FAILED", `The server of the calendar "${name}" refused the request (${status}).`, {
    retryable: status === 429 || status >= 500,
  });
}

function uidOf(text: string): string | undefined {
  return /^UID[^:\n]*:(.*)$/im
    .exec(text.replace(/\r\n?/g, "\n").replace(/\n[ \t]/g, ""))?.[1]
    ?.trim()
    .replace(/\\([\\;,])/g, "$1");
}

function utc(range: TimeRange, side: keyof TimeRange): string {
  return range[side].toISOString().replace(/[-:]|\.\d+/g, "");
}
