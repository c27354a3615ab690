import { stripVTControlCharacters } from "node:util";

/** Untrusted text (of tools, records, servers) without terminal control sequences. Line breaks and tabs stay. */
export function safe(text: unknown): string {
  return stripVTControlCharacters(String(text ?? "")).replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, "");
}
