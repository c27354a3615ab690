import type { EventChange } from "./calendar.ts";

/** A new event as an iCalendar text. `now` is when it is written. */
export function writeEvent(uid: string, event: EventChange, now: Date): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Toolrack//Toolrack//EN",
    "BEGIN:VEVENT",
    `UID:${escapeText(uid)}`,
    `DTSTAMP:${utc(now)}`,
    ...linesOf(event),
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return `${lines.map(fold).join("\r\n")}\r\n`;
}

/** The text of an event with some of its properties replaced, and everything else as it was. The first event is meant: the others of a series are exceptions of it. */
export function changeEvent(text: string, change: EventChange, now: Date): string {
  const lines = text
    .replace(/\r\n?/g, "\n")
    .replace(/\n[ \t]/g, "")
    .split("\n")
    .filter((line) => line !== "");
  const start = lines.findIndex((line, at) => /^BEGIN:VEVENT$/i.test(line) && !isException(lines, at));
  const end = lines.findIndex((line, at) => at > start && /^END:VEVENT$/i.test(line));
  if (start === -1 || end === -1) return text;
  const fresh = linesOf(change);
  const replaced = new Set([...fresh.map(nameOf), "DTSTAMP", "SEQUENCE", "LAST-MODIFIED"]);
  // An event has an end or a duration, not both.
  if (replaced.has("DTEND")) replaced.add("DURATION");
  const event = lines.slice(start + 1, end);
  const sequence = Number(event.find((line) => nameOf(line) === "SEQUENCE")?.split(":")[1] ?? 0);
  const kept = withoutAlarms(event, (line) => !replaced.has(nameOf(line)));
  const added = [
    ...fresh,
    `DTSTAMP:${utc(now)}`,
    `LAST-MODIFIED:${utc(now)}`,
    `SEQUENCE:${(Number.isInteger(sequence) ? sequence : 0) + 1}`,
  ];
  return `${[...lines.slice(0, start + 1), ...added, ...kept, ...lines.slice(end)].map(fold).join("\r\n")}\r\n`;
}

function isException(lines: readonly string[], start: number): boolean {
  for (let at = start + 1; at < lines.length && !/^END:VEVENT$/i.test(lines[at]!); at++) {
    if (nameOf(lines[at]!) === "RECURRENCE-ID") return true;
  }
  return false;
}

/** Filters the lines of the event itself; alarms inside of it have descriptions and the like of their own, and stay as they are. */
function withoutAlarms(event: readonly string[], keep: (line: string) => boolean): readonly string[] {
  let depth = 0;
  return event.filter((line) => {
    if (/^BEGIN:/i.test(line)) depth += 1;
    const isOwn = depth === 0;
    if (/^END:/i.test(line)) depth -= 1;
    return !isOwn || keep(line);
  });
}

/** "DTSTART;TZID=Europe/Berlin:…" → "DTSTART" */
function nameOf(line: string): string {
  return (/^[A-Za-z0-9-]+/.exec(line)?.[0] ?? "").toUpperCase();
}

function linesOf({ summary, start_time, end_time, description, location, attendees }: EventChange): readonly string[] {
  return [
    ...(summary === undefined ? [] : [`SUMMARY:${escapeText(summary)}`]),
    ...(start_time === undefined ? [] : [`DTSTART${timeOf(start_time)}`]),
    ...(end_time === undefined ? [] : [`DTEND${timeOf(end_time)}`]),
    ...(description === undefined ? [] : [`DESCRIPTION:${escapeText(description)}`]),
    ...(location === undefined ? [] : [`LOCATION:${escapeText(location)}`]),
    ...(attendees ?? []).map((address) => `ATTENDEE:mailto:${address}`),
  ];
}

/** "2026-03-01" → ";VALUE=DATE:20260301"; with a time → ":20260301T080000Z". */
function timeOf(time: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(time) ? `;VALUE=DATE:${time.replaceAll("-", "")}` : `:${utc(new Date(time))}`;
}

function utc(date: Date): string {
  return date.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** Control characters could begin a line of their own. */
function escapeText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/(?!\n)\p{Cc}/gu, " ")
    .replace(/[\\;,]/g, "\\$&")
    .replaceAll("\n", "\\n");
}

/** Lines are at most 75 bytes long; what is longer goes on after a space. */
function fold(line: string): string {
  const parts: string[] = [];
  let part = "";
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > 74) {
      parts.push(part);
      part = "";
      bytes = 0;
    }
    part += character;
    bytes += size;
  }
  return [...parts, part].join("\r\n ");
}
