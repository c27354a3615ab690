import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { ToolError } from "@toolrack/core";

/** The headers of a signed message, as Standard Webhooks writes them. */
export interface SignedHeaders {
  readonly "webhook-id": string;
  /** Seconds since 1970. */
  readonly "webhook-timestamp": string;
  /** "v1,<base64>", several separated by blanks: one for each secret. */
  readonly "webhook-signature": string;
}

/** How far the time of a message may be from ours, in both directions. */
export const toleranceMs = 300_000;

export function newSigningSecret(): string {
  return `${prefix}${randomBytes(32).toString("base64")}`;
}

/** Signs a body with every secret, so that a receiver may know the old one, the new one, or both. */
export function signMessage(id: string, atMs: number, body: string | Uint8Array, secrets: readonly string[]): SignedHeaders {
  const timestamp = String(Math.floor(atMs / 1_000));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => `v1,${macOf(id, timestamp, body, secret).toString("base64")}`).join(" "),
  };
}

/** The parts of a request that are checked. */
export interface SignedMessage {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  readonly body: Uint8Array;
}

/** Why a message is refused, for the log; undefined if one of the secrets signed it lately. Takes the same time for every wrong signature. */
export function signatureFault(message: SignedMessage, secrets: readonly string[], now: number): string | undefined {
  const { id, timestamp, signature, body } = message;
  if (id === undefined || timestamp === undefined || signature === undefined)
    return "it has no webhook-id, webhook-timestamp or webhook-signature";
  if (!messageId.test(id)) return "its webhook-id is not an id, or has a point, which separates it from the time in what is signed";
  if (!/^\d{1,12}$/.test(timestamp)) return "its webhook-timestamp is not a time in seconds";
  if (Math.abs(now - Number(timestamp) * 1_000) > toleranceMs) return "its webhook-timestamp is more than five minutes away from now";
  const given = signature.split(" ").flatMap((one) => (one.startsWith("v1,") ? [Buffer.from(one.slice(3), "base64")] : []));
  const expected = secrets.map((secret) => macOf(id, timestamp, body, secret));
  const isSigned = given
    .slice(0, mostSignatures)
    .some((one) => expected.some((mac) => one.length === mac.length && timingSafeEqual(one, mac)));
  return isSigned ? undefined : "no secret of this hook made its signature";
}

/** Throws CONFIG_INVALID for a text that is not a secret of this scheme; the text itself is not repeated. */
export function readSigningSecret(name: string, secret: string): Uint8Array {
  const bytes = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), "base64") : Buffer.alloc(0);
  if (bytes.length >= 16) return bytes;
  throw new ToolError(
    "CONFIG_INVALID",
    `The secret "${name}" does not sign webhooks: it has to be whsec_ and the base64 of at least 16 bytes. Make the second part with: openssl rand -base64 32`,
  );
}

const prefix = "whsec_";
/** Without a point: "a.1" at 2 and "a" at 1 would be signed alike. */
const messageId = /^[\w:~/+=-]{1,200}$/;
const mostSignatures = 10;

function macOf(id: string, timestamp: string, body: string | Uint8Array, secret: string): Buffer {
  return createHmac("sha256", readSigningSecret("of a webhook", secret)).update(`${id}.${timestamp}.`).update(body).digest();
}
