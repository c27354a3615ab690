import {
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
  timingSafeEqual,
  verify,
} from "node:crypto";
import { type Keys, printOf, readPublicKey } from "./identity.ts";

/** Who sent a message: the key, and the process that used it. */
export interface Sender {
  readonly key: string;
  readonly instance: string;
}

export interface Opened<Body> {
  readonly from: Sender;
  readonly body: Body;
}

/** The seal of one process: signatures for everybody, and with each process that it knows a key of both, which is some hundred times faster. */
export interface Seal {
  readonly self: Sender;
  /** The public half for keys of two. */
  readonly exchange: string;
  signed(to: string, body: object): Uint8Array;
  /** Opens what a trusted key has signed for this subject, once; anything else is undefined. */
  openSigned<Body>(to: string, message: Uint8Array): Opened<Body> | undefined;
  /** The key that a message names as its sender, which nothing shows to be true. */
  claimedKey(message: Uint8Array): string | undefined;
  /** From now on, messages of this process are opened with the key of both. */
  pairWith(sender: Sender, exchange: unknown): boolean;
  forget(instance: string): void;
  paired(to: string, instance: string, body: object): Uint8Array | undefined;
  openPaired<Body>(to: string, message: Uint8Array): Opened<Body> | undefined;
}

export interface SealOptions {
  readonly keys: Keys;
  /** The public keys that messages are taken from. */
  readonly trusted: readonly string[];
  now(): number;
}

/** Clocks may differ by so much; older signed messages are refused, so that they cannot be sent again later. */
const maxAgeMs = 120_000;
/** More processes than this are not known at the same time. */
const maxSenders = 10_000;

interface Pair {
  readonly key: Buffer;
  readonly sender: Sender;
  received: number;
}

export function createSeal({ keys, trusted, now }: SealOptions): Seal {
  const verifying = new Map<string, KeyObject>(trusted.map((key) => [key, readPublicKey(key)]));
  const own = generateKeyPairSync("x25519");
  const exchange = own.publicKey.export({ format: "jwk" }).x!;
  const self: Sender = { key: keys.publicKey, instance: randomBytes(9).toString("hex") };
  const pairs = new Map<string, Pair>();
  /** The number of the last signed message of each process. */
  const last = new Map<string, number>();
  let signatures = 0;
  /**
   * Two processes that lose each other and meet again have the same key as before: numbers go on where they were, so that nothing from the
   * time before is opened again.
   */
  const forgotten = new Map<string, Pair>();
  let sent = 0;

  return {
    self,
    exchange,
    signed(to, body) {
      const text = JSON.stringify({ to, ...self, number: (signatures += 1), at: now(), body });
      return encode({ text, by: sign(null, Buffer.from(text), keys.signing).toString("base64") });
    },
    openSigned(to, message) {
      const { text, by } = decode(message);
      const { to: meant, key, instance, number, at, body } = readClaims(text);
      const verifier = typeof key === "string" ? verifying.get(key) : undefined;
      if (verifier === undefined || !isInstance(instance) || !isObject(body) || meant !== to) return undefined;
      if (!verify(null, Buffer.from(text), verifier, Buffer.from(by, "base64"))) return undefined;
      const id = `${printOf(key as string)}.${instance}`;
      if (typeof at !== "number" || typeof number !== "number") return undefined;
      if (!(Math.abs(now() - at) <= maxAgeMs) || !(number > (last.get(id) ?? 0))) return undefined;
      if (!last.has(id) && last.size >= maxSenders) last.delete(last.keys().next().value!);
      last.delete(id);
      last.set(id, number);
      return { from: { key: key as string, instance }, body: body as never };
    },
    claimedKey(message) {
      const { key } = readClaims(decode(message).text);
      return typeof key === "string" && key.length <= 100 ? key : undefined;
    },
    pairWith(sender, theirs) {
      const key = sharedKey(own.privateKey, exchange, theirs);
      if (key === undefined) return false;
      const { instance } = sender;
      const before = pairs.get(instance) ?? forgotten.get(instance);
      pairs.set(instance, { key, sender, received: before?.key.equals(key) === true ? before.received : 0 });
      forgotten.delete(instance);
      return true;
    },
    forget(instance) {
      const pair = pairs.get(instance);
      if (pair === undefined) return;
      pairs.delete(instance);
      if (forgotten.size >= maxSenders) forgotten.delete(forgotten.keys().next().value!);
      forgotten.set(instance, pair);
    },
    paired(to, instance, body) {
      const pair = pairs.get(instance);
      if (pair === undefined) return undefined;
      const text = JSON.stringify({ to, instance: self.instance, number: (sent += 1), body });
      return encode({ text, by: mac(pair.key, text).toString("base64") });
    },
    openPaired(to, message) {
      const { text, by } = decode(message);
      const { to: meant, instance, number, body } = readClaims(text);
      const pair = isInstance(instance) ? pairs.get(instance) : undefined;
      if (pair === undefined || meant !== to || !isObject(body) || typeof number !== "number") return undefined;
      const given = Buffer.from(by, "base64");
      const expected = mac(pair.key, text);
      if (given.length !== expected.length || !timingSafeEqual(given, expected) || !(number > pair.received)) return undefined;
      pair.received = number;
      return { from: pair.sender, body: body as never };
    },
  };
}

function sharedKey(own: KeyObject, exchange: string, theirs: unknown): Buffer | undefined {
  if (typeof theirs !== "string") return undefined;
  try {
    const publicKey = createPublicKey({ key: { kty: "OKP", crv: "X25519", x: theirs }, format: "jwk" });
    const secret = diffieHellman({ privateKey: own, publicKey });
    return Buffer.from(hkdfSync("sha256", secret, [exchange, theirs].sort().join("."), "toolrack worker 1", 32));
  } catch {
    return undefined;
  }
}

function mac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

interface Frame {
  readonly text: string;
  readonly by: string;
}

/** The seal, a line end, and what it covers. */
function encode({ text, by }: Frame): Uint8Array {
  return Buffer.from(`${by}\n${text}`);
}

function decode(message: Uint8Array): Frame {
  const whole = Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString("utf8");
  const end = whole.indexOf("\n");
  return { by: whole.slice(0, Math.max(end, 0)), text: whole.slice(end + 1) };
}

/** What a message says of itself, before anything shows that it is true. */
function readClaims(text: string): Readonly<Record<string, unknown>> {
  try {
    const claims: unknown = JSON.parse(text);
    if (isObject(claims)) return claims;
  } catch {
    // no message of ours
  }
  return {};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isInstance(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{18}$/.test(value);
}
