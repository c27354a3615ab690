import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";

/** Which end of a channel this process is. */
export type Side = "server" | "worker";

export interface ChannelOptions {
  readonly side: Side;
  /** What both ends agreed on. */
  readonly secret: Buffer;
  /** A secret that both ends had before. */
  readonly salt?: Buffer;
  /** Who talks about what, and the public halves of the agreement: both ends give the same. */
  readonly context: readonly string[];
}

/** Encrypts messages between two processes: AES-256-GCM, with a key for each direction and a number for each message. */
export interface Channel {
  /** The clear text in front of a message, and the message. `header` is given the number. */
  seal(subject: string, header: (number: number) => string, body: object): { readonly header: string; readonly sealed: Buffer };
  /** What was sealed for this subject under this header, once and in order; anything else is undefined. */
  open(subject: string, header: string, number: number, sealed: Buffer): unknown;
  /** A secret of both ends that no message is encrypted with. */
  readonly root: Buffer;
}

/** The version of what servers and workers say to each other. Version 1 did not encrypt. */
export const protocol = 2;

const algorithm = "aes-256-gcm";
const [keyBytes, tagBytes] = [32, 16];
/** Names of directions: who a message is for. */
const directions = { server: "to worker", worker: "to server" } as const satisfies Record<Side, string>;

export function createChannel({ side, secret, salt = Buffer.alloc(0), context }: ChannelOptions): Channel {
  const derived = Buffer.from(hkdfSync("sha256", secret, salt, JSON.stringify(["toolrack worker", protocol, ...context]), 3 * keyBytes));
  const keyAt = (index: number): Buffer => derived.subarray(index * keyBytes, (index + 1) * keyBytes);
  const keys = { "to worker": keyAt(0), "to server": keyAt(1) };
  const outgoing = directions[side];
  const incoming = directions[side === "server" ? "worker" : "server"];
  const [sending, receiving] = [keys[outgoing], keys[incoming]];
  let sent = 0;
  let received = 0;

  return {
    root: keyAt(2),
    seal(subject, headerOf, body) {
      const number = (sent += 1);
      const header = headerOf(number);
      const cipher = createCipheriv(algorithm, sending, nonceOf(number)).setAAD(boundTo(outgoing, subject, header));
      const sealed = Buffer.concat([cipher.update(JSON.stringify(body), "utf8"), cipher.final(), cipher.getAuthTag()]);
      return { header, sealed };
    },
    open(subject, header, number, sealed) {
      if (number <= received || sealed.length < tagBytes) return undefined;
      const end = sealed.length - tagBytes;
      try {
        const decipher = createDecipheriv(algorithm, receiving, nonceOf(number), { authTagLength: tagBytes })
          .setAAD(boundTo(incoming, subject, header))
          .setAuthTag(sealed.subarray(end));
        const text = Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]).toString("utf8");
        received = number;
        return JSON.parse(text) as unknown;
      } catch {
        return undefined;
      }
    },
  };
}

/** A key belongs to one direction of one agreement, so the number of a message occurs once under it. */
function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 4);
  return nonce;
}

function boundTo(direction: string, subject: string, header: string): Buffer {
  return Buffer.from(JSON.stringify([protocol, direction, subject, header]));
}
