import { safeJson } from "./safe.ts";
import type { Style } from "./style.ts";

/** A value as JSON with line breaks, coloured where `style` is. Without colour it is what `JSON.stringify` prints. */
export function toPrettyJson(value: unknown, style: Style): string {
  const text = safeJson(JSON.stringify(value ?? null, null, 2));
  return style.isColoured ? text.replaceAll(tokens, (token, name: string, colon: string) => paint(token, name, colon, style)) : text;
}

/** The name of a field with its colon, another text, or a word or number. */
const tokens = /("(?:[^"\\]|\\.)*")(:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;

function paint(token: string, text: string | undefined, colon: string | undefined, style: Style): string {
  if (colon !== undefined) return `${style.name(text!)}:`;
  if (text !== undefined) return style.good(text);
  return token === "null" ? style.dim(token) : style.warn(token);
}

/** The object or list that a text is as JSON; undefined for any other text. */
export function readJsonText(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
