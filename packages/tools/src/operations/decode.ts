/** What a body is: a page, some other text, or neither. */
export type BodyKind = "page" | "text" | "binary";

export function kindOf(contentType: string, bytes: Uint8Array): BodyKind {
  const type = contentType.split(";")[0]!.trim().toLowerCase();
  if (type === "text/html" || type === "application/xhtml+xml") return "page";
  if (type.startsWith("text/") || /(?:^application\/|\+)(?:json|xml|yaml|javascript|x-ndjson|toml|rtf)$/.test(type)) return "text";
  if (type !== "" && type !== "application/octet-stream") return "binary";
  // Without a content type, bytes that no text contains mean binary data.
  if (bytes.subarray(0, 1_024).includes(0)) return "binary";
  return /^\s*<(?:!doctype html|html)/i.test(new TextDecoder().decode(bytes.subarray(0, 512))) ? "page" : "text";
}

/** The text of a body in the encoding that it has by its mark, its header, or the page's own word; else UTF-8. */
export function decodeBody(bytes: Uint8Array, contentType: string): string {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 2_048));
  const [, inHeader] = /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType) ?? [];
  const [, inPage] = /<meta\s[^>]{0,200}charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(head) ?? [];
  for (const label of [markOf(bytes), inHeader, inPage]) {
    if (label === undefined) continue;
    try {
      const decoder = new TextDecoder(label);
      const text = decoder.decode(bytes);
      return decoder.encoding === "windows-1252" ? withWindowsSigns(text) : text;
    } catch {
      continue; // not the name of an encoding
    }
  }
  return new TextDecoder().decode(bytes);
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

/** Some versions of Node read this encoding as Latin-1, and give control characters for its quotes and dashes. */
function withWindowsSigns(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (character) => windowsSigns[character.charCodeAt(0) - 0x80]!);
}

const windowsSigns = [..."€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ"];
