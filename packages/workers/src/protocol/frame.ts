/** A signed message: a signature, a line end, and the text that it covers. */
export interface SignedFrame {
  readonly text: string;
  readonly by: string;
}

export function encodeSigned({ text, by }: SignedFrame): Uint8Array {
  return Buffer.from(`${by}\n${text}`);
}

export function decodeSigned(message: Uint8Array): SignedFrame {
  const whole = bufferOf(message).toString("utf8");
  const end = whole.indexOf("\n");
  return { by: whole.slice(0, Math.max(end, 0)), text: whole.slice(end + 1) };
}

/** What everybody can read of an encrypted message: who sent it, for which call, and which message it is. */
export interface SealedHeader {
  readonly protocol: number;
  readonly instance: string;
  readonly number: number;
  readonly call?: string;
}

/** An encrypted message: its header, a line end, and what is encrypted. */
export interface SealedFrame extends SealedHeader {
  readonly header: string;
  readonly sealed: Buffer;
}

export function encodeSealed(header: string, sealed: Buffer): Uint8Array {
  return Buffer.concat([Buffer.from(`${header}\n`), sealed]);
}

/** No header is longer. */
const maxHeaderBytes = 512;

/** Undefined: no encrypted message. */
export function decodeSealed(message: Uint8Array): SealedFrame | undefined {
  const whole = bufferOf(message);
  const end = whole.subarray(0, maxHeaderBytes).indexOf(10);
  if (end < 0 || whole[0] !== 123) return undefined;
  const header = whole.toString("utf8", 0, end);
  const { protocol, instance, number, call } = readClaims(header);
  if (typeof protocol !== "number" || !isInstance(instance) || !Number.isSafeInteger(number) || (number as number) < 1) return undefined;
  if (call !== undefined && typeof call !== "string") return undefined;
  const read = { protocol, instance, number: number as number, ...(call !== undefined && { call }) };
  return { ...read, header, sealed: whole.subarray(end + 1) };
}

/** What a message says of itself, before anything shows that it is true. */
export function readClaims(text: string): Readonly<Record<string, unknown>> {
  try {
    const claims: unknown = JSON.parse(text);
    if (isObject(claims)) return claims;
  } catch {
    // no message of ours
  }
  return {};
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isInstance(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{18}$/.test(value);
}

function bufferOf(message: Uint8Array): Buffer {
  return Buffer.from(message.buffer, message.byteOffset, message.byteLength);
}
