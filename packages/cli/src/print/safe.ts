import { stripVTControlCharacters } from "node:util";

/** Untrusted text (of tools, records, servers) without terminal control sequences. Line breaks and tabs stay. */
export function safe(text: unknown): string {
  return stripVTControlCharacters(String(text ?? "")).replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, "");
}

/** JSON text with the same meaning, in which the characters that `safe` removes are escaped: JSON itself leaves some of them as they are. */
export function safeJson(text: string): string {
  return text.replaceAll(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** JSON of a value that a person decides about: every character that nobody sees is spelled out, so that two different texts never look alike. */
export function visibleJson(value: unknown): string {
  return (JSON.stringify(value) ?? "").replaceAll(unseen, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
}

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0]/gu;
