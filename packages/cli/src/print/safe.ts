import { stripVTControlCharacters } from "node:util";

/** Untrusted text (of tools, records, servers) without terminal control sequences. Line breaks and tabs stay. */
export function safe(text: unknown): string {
  return stripVTControlCharacters(String(text ?? "")).replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, "");
}

/** JSON text with the same meaning, in which the characters that `safe` removes are escaped: JSON itself leaves some of them as they are. */
export function safeJson(text: string): string {
  return text.replaceAll(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
