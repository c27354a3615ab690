import { utf8Length } from "#bytes";

/** Whether a text has at most `maxBytes` in UTF-8. For long texts the length alone decides, and they are never copied. */
export function fitsBytes(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return false;
  return text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes;
}
