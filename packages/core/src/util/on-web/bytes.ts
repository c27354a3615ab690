/** The same as `on-node/bytes.ts` by the standards of the web. */

export function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    // Two units of a pair have four bytes together; every other unit from U+0800 on has three.
    length += code < 0x800 ? 1 : 2;
    if (code >= 0xd800 && code <= 0xdbff && isLowSurrogate(text.charCodeAt(index + 1))) index++;
  }
  return length;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

export function toBase64(bytes: Uint8Array): string {
  let characters = "";
  for (let start = 0; start < bytes.length; start += atOnce) characters += String.fromCharCode(...bytes.subarray(start, start + atOnce));
  return btoa(characters);
}

/** As many arguments as every engine takes. */
const atOnce = 8_192;

export function fromBase64(text: string): Uint8Array {
  const [before = ""] = text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/[^A-Za-z0-9+/=]/g, "")
    .split("=", 1);
  // A single character at the end holds no whole byte.
  const characters = atob(before.length % 4 === 1 ? before.slice(0, -1) : before);
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
