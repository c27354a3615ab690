/** Bytes and texts, by Node's buffers. */

/** How many bytes a text has in UTF-8; half a surrogate pair counts as the mark that replaces it. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** The characters of base64url count too, others are passed over, and the first "=" ends the text. */
export function fromBase64(text: string): Uint8Array {
  return Buffer.from(text, "base64");
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
