import { conventionalFields } from "./line-fields.ts";

/** One JSON object, and the end of the line. Lines of calls and requests have some fields twice: also under OpenTelemetry's names. */
export function toJsonLine(level: string, message: string, fields: object, server?: string): string {
  const name = server === undefined ? "" : `,"server":${JSON.stringify(server)}`;
  let line = `{"level":"${level}","time":"${isoNow()}"${name},"message":${JSON.stringify(message)}`;
  let more = "";
  const names = Object.hasOwn(conventionalFields, message) ? conventionalFields[message]! : undefined;
  for (const [key, value] of Object.entries(fields)) {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) continue;
    line += `,${JSON.stringify(Object.hasOwn(own, key) ? `${key}_` : key)}:${text}`;
    if (names !== undefined && Object.hasOwn(names, key)) more += `,"${names[key]!}":${text}`;
  }
  return `${line}${more}}\n`;
}

const own = { level: true, time: true, message: true, server: true };

let latest = 0;
let text = "";

/** "2026-11-15T20:14:32.123Z"; many lines are of the same millisecond. */
export function isoNow(): string {
  const now = Date.now();
  if (now !== latest) {
    latest = now;
    text = new Date(now).toISOString();
  }
  return text;
}
