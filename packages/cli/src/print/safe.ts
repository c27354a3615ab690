import { stripVTControlCharacters } from "node:util";

/** Text that somebody else wrote (tools, records, servers), without what would steer the terminal. Line breaks and tabs stay. */
export function safe(text: unknown): string {
  return stripVTControlCharacters(String(text ?? "")).replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, "");
}
