/** What a worker and a server say to each other over a WebSocket. One message is one byte of kind, and what follows from it. */
export type LinkFrame =
  /** From the server, first: sign this, to show which key is yours. */
  | { readonly kind: "challenge"; readonly nonce: string }
  | { readonly kind: "proof"; readonly publicKey: string; readonly signature: string }
  /** The link is open; this is its name. */
  | { readonly kind: "welcome"; readonly name: string; readonly maxBytes: number }
  | { readonly kind: "subscribe"; readonly subject: string }
  | { readonly kind: "unsubscribe"; readonly subject: string }
  /** Answered with the same number, when everything before it was read. */
  | { readonly kind: "flush"; readonly number: number }
  | { readonly kind: "message"; readonly subject: string; readonly message: Uint8Array };

const messageKind = 1;
const otherKind = 2;
/** Longer subjects do not exist. */
export const maxSubjectBytes = 256;
/** What a frame may add to the message in it. */
export const maxFrameOverhead: number = maxSubjectBytes + 1_024;

export function encodeLinkFrame(frame: LinkFrame): Uint8Array {
  if (frame.kind !== "message") return Buffer.concat([Buffer.of(otherKind), Buffer.from(JSON.stringify(frame))]);
  const { subject, message } = frame;
  const bytes = Buffer.allocUnsafe(3 + subject.length + message.length);
  bytes[0] = messageKind;
  bytes.writeUInt16BE(subject.length, 1);
  bytes.write(subject, 3, "latin1");
  bytes.set(message, 3 + subject.length);
  return bytes;
}

/** Undefined: no message of this protocol. */
export function decodeLinkFrame(bytes: Buffer): LinkFrame | undefined {
  if (bytes[0] === messageKind && bytes.length >= 3) {
    const length = bytes.readUInt16BE(1);
    if (length > maxSubjectBytes || bytes.length < 3 + length) return undefined;
    return { kind: "message", subject: bytes.toString("latin1", 3, 3 + length), message: bytes.subarray(3 + length) };
  }
  if (bytes[0] !== otherKind || bytes.length > 2_048) return undefined;
  try {
    return readFrame(JSON.parse(bytes.toString("utf8", 1)) as Readonly<Record<string, unknown>> | null);
  } catch {
    return undefined;
  }
}

function readFrame(given: Readonly<Record<string, unknown>> | null): LinkFrame | undefined {
  const { kind, nonce, publicKey, signature, name, maxBytes, subject, number } = given ?? {};
  const isText = (value: unknown): value is string => typeof value === "string" && value.length <= maxSubjectBytes;
  if (kind === "challenge" && isText(nonce)) return { kind, nonce };
  if (kind === "proof" && isText(publicKey) && isText(signature)) return { kind, publicKey, signature };
  if (kind === "welcome" && isText(name) && typeof maxBytes === "number") return { kind, name, maxBytes };
  if ((kind === "subscribe" || kind === "unsubscribe") && isText(subject)) return { kind, subject };
  if (kind === "flush" && typeof number === "number") return { kind, number };
  return undefined;
}

/** What is signed to show a key. */
export function proofText(nonce: string): Buffer {
  return Buffer.from(`toolrack worker link 1\n${nonce}`);
}
