import { isoNow } from "./json-line.ts";

/**
 * One line for people: time, level, message, and the fields as key=value.
 * Contract: the result is one line without terminal control sequences, for any message and fields.
 */
export function toTextLine(level: string, message: string, fields: object, hasColors: boolean): string {
  const paint = (code: number, text: string): string => (hasColors ? `\u001B[${code}m${text}\u001B[0m` : text);
  const label = level.toUpperCase().padEnd(5);
  const pairs = Object.entries(fields).flatMap(([key, value]) => {
    const text = toText(value);
    return text === undefined ? [] : [`${paint(dim, `${harmless(key)}=`)}${text}`];
  });
  const head = `${paint(dim, isoNow())} ${paint(colors[level] ?? 0, label)}`;
  return pairs.length === 0 ? `${head} ${harmless(message)}\n` : `${head} ${harmless(message).padEnd(width)} ${pairs.join(" ")}\n`;
}

/** Aligns the fields of short messages, such as "call" and "request". */
const width = 8;
const dim = 2;
const colors: Readonly<Record<string, number>> = { debug: 2, info: 32, warn: 33, error: 31 };

/** A value as one word; what has spaces is quoted. */
export function toText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string") return harmless(JSON.stringify(value));
  return /^[^\s"=\p{Cc}\p{Bidi_Control}]+$/u.test(value) ? harmless(value) : harmless(JSON.stringify(value));
}

/** Line breaks, escape codes and marks that change the direction of text, escaped as in JSON. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (found) => named[found] ?? unicode(found));
}

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function unicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
