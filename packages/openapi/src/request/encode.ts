/** RFC 3986: everything but letters, digits and - . _ ~ is percent-encoded. */
export function encode(text: string): string {
  // A half of a surrogate pair cannot be encoded: it becomes the replacement character, as in every URL.
  return encodeURIComponent(wellFormed(text)).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Leaves the reserved characters as they are, but for those that would end the value: # & + % and spaces. */
export function encodeReserved(text: string): string {
  return encode(text).replaceAll(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B|3D|5B|5D)/g, (code) =>
    String.fromCharCode(parseInt(code.slice(1), 16)),
  );
}

/** Whether a text can be the value of a cookie as it is (RFC 6265). */
export function isCookieText(text: string): boolean {
  return /^[!#-+\--:<-[\]-~]*$/.test(text);
}

/** A value as text: JSON for what has parts. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** A parameter with a media type is a text of that type. */
export function contentText(contentType: string, value: unknown): string {
  return typeof value === "string" && !/json|^\*\/\*/i.test(contentType) ? value : JSON.stringify(value);
}

/** The members of an object that have a value. */
export function present(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== null);
}

function wellFormed(text: string): string {
  return text.replaceAll(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}
