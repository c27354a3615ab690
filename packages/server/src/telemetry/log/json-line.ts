/** One JSON object, and the end of the line. */
export function toJsonLine(level: string, message: string, fields: object): string {
  let line = `{"level":"${level}","time":"${isoNow()}","message":${JSON.stringify(message)}`;
  for (const [key, value] of Object.entries(fields)) {
    const text = JSON.stringify(value) as string | undefined;
    if (text !== undefined) line += `,${JSON.stringify(Object.hasOwn(own, key) ? `${key}_` : key)}:${text}`;
  }
  return `${line}}\n`;
}

const own = { level: true, time: true, message: true };

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
