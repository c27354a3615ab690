import { type KeyObject, randomBytes, sign, verify } from "node:crypto";
import { type Channel, createChannel, protocol, type Side } from "./channel.ts";
import type { Exchange } from "./exchange.ts";
import { decodeSealed, decodeSigned, encodeSealed, encodeSigned, isInstance, isObject, readClaims, type SealedHeader } from "./frame.ts";
import { type Keys, printOf, readPublicKey } from "./identity.ts";
import { isOfPair, type ToServer, type ToWorker } from "./messages.ts";

/** Who sent a message: the key, and the process that used it. */
export interface Sender {
  readonly key: string;
  readonly instance: string;
}

export interface Opened<Body> {
  readonly from: Sender;
  readonly body: Body;
}

/**
 * What one process says and hears. Signed messages are for everybody, and can be read by everybody. All others are encrypted: offers and
 * their answers with keys of two processes, everything else with keys of one call.
 */
export interface Seal {
  readonly self: Sender;
  signed(to: string, body: object): Uint8Array;
  /** Opens what a trusted key has signed for this subject, once; anything else is undefined. */
  openSigned<Body>(to: string, message: Uint8Array): Opened<Body> | undefined;
  /** The key that a message names as its sender, which nothing shows to be true. */
  claimedKey(message: Uint8Array): string | undefined;
  /** Agrees with a process on keys; false where its half is none. What was agreed with it before is over. */
  pairWith(other: Sender, own: Exchange, theirs: unknown): boolean;
  forget(instance: string): void;
  /** Agrees with a process on keys for one call; false where there can be none. */
  beginCall(instance: string, call: string, own: Exchange, theirs: unknown): boolean;
  endCall(instance: string, call: string): void;
  /** Encrypts a message to a process; undefined where no keys are agreed on. */
  sealed(to: string, instance: string, body: CallMessage): Uint8Array | undefined;
  /** Opens what was encrypted for this process and this subject, once; anything else is undefined. */
  open<Body extends CallMessage>(to: string, message: Uint8Array): Opened<Body> | undefined;
}

export type CallMessage = Pick<ToWorker | ToServer, "kind" | "call">;

export interface SealOptions {
  readonly side: Side;
  readonly keys: Keys;
  /** The public keys that messages are taken from. */
  readonly trusted: readonly string[];
  now(): number;
  /** Called where a trusted key signed a message of another version of the protocol, which is not opened. */
  onOtherProtocol?(from: Sender, version: number): void;
}

/** Clocks may differ by so much; older signed messages are refused, so that they cannot be sent again later. */
const maxAgeMs = 120_000;
/** More processes than this are not known at the same time. */
const maxSenders = 10_000;

interface Pair {
  readonly sender: Sender;
  readonly theirs: string;
  readonly own: Exchange;
  readonly channel: Channel;
  readonly calls: Map<string, Channel>;
}

export function createSeal({ side, keys, trusted, now, onOtherProtocol }: SealOptions): Seal {
  const verifying = new Map<string, KeyObject>(trusted.map((key) => [key, readPublicKey(key)]));
  const self: Sender = { key: keys.publicKey, instance: randomBytes(9).toString("hex") };
  const pairs = new Map<string, Pair>();
  /** The number of the last signed message of each process. */
  const last = new Map<string, number>();
  let signatures = 0;

  /** The same text on both sides: the server comes first. */
  function contextOf(other: Sender, own: Exchange, theirs: string): readonly string[] {
    const [ours, others] = [
      [self.key, self.instance, own.publicKey],
      [other.key, other.instance, theirs],
    ];
    return side === "server" ? [...ours!, ...others!] : [...others!, ...ours!];
  }

  return {
    self,
    signed(to, body) {
      const text = JSON.stringify({ protocol, to, ...self, number: (signatures += 1), at: now(), body });
      return encodeSigned({ text, by: sign(null, Buffer.from(text), keys.signing).toString("base64") });
    },
    openSigned(to, message) {
      const { text, by } = decodeSigned(message);
      const { protocol: version = 1, to: meant, key, instance, number, at, body } = readClaims(text);
      const verifier = typeof key === "string" ? verifying.get(key) : undefined;
      if (verifier === undefined || !isInstance(instance) || !isObject(body) || meant !== to) return undefined;
      if (!verify(null, Buffer.from(text), verifier, Buffer.from(by, "base64"))) return undefined;
      const from = { key: key as string, instance };
      const id = `${printOf(from.key)}.${instance}`;
      if (typeof version !== "number" || typeof at !== "number" || typeof number !== "number") return undefined;
      if (!(Math.abs(now() - at) <= maxAgeMs) || !(number > (last.get(id) ?? 0))) return undefined;
      if (!last.has(id)) makeRoom(last);
      last.delete(id);
      last.set(id, number);
      if (version === protocol) return { from, body: body as never };
      onOtherProtocol?.(from, version);
      return undefined;
    },
    claimedKey(message) {
      const { key } = readClaims(decodeSigned(message).text);
      return typeof key === "string" && key.length <= 100 ? key : undefined;
    },
    pairWith(other, own, theirs) {
      const secret = own.agree(theirs);
      if (secret === undefined || typeof theirs !== "string") return false;
      const known = pairs.get(other.instance);
      // The same two halves lead to the same keys, whose numbers have to go on.
      if (known?.theirs === theirs && known.own === own) return known.sender.key === other.key;
      const channel = createChannel({ side, secret, context: contextOf(other, own, theirs) });
      pairs.delete(other.instance);
      makeRoom(pairs);
      pairs.set(other.instance, { sender: other, theirs, own, channel, calls: new Map() });
      return true;
    },
    forget: (instance) => void pairs.delete(instance),
    beginCall(instance, call, own, theirs) {
      const pair = pairs.get(instance);
      const secret = own.agree(theirs);
      if (pair === undefined || secret === undefined || pair.calls.has(call)) return false;
      const context = [...contextOf(pair.sender, own, theirs as string), call];
      pair.calls.set(call, createChannel({ side, secret, salt: pair.channel.root, context }));
      return true;
    },
    endCall: (instance, call) => void pairs.get(instance)?.calls.delete(call),
    sealed(to, instance, body) {
      const pair = pairs.get(instance);
      const isOfTwo = isOfPair(body.kind);
      const channel = isOfTwo ? pair?.channel : pair?.calls.get(body.call);
      if (channel === undefined) return undefined;
      const headerOf = (number: number): string =>
        JSON.stringify({ protocol, instance: self.instance, number, ...(!isOfTwo && { call: body.call }) } satisfies SealedHeader);
      const { header, sealed } = channel.seal(to, headerOf, body);
      return encodeSealed(header, sealed);
    },
    open(to, message) {
      const frame = decodeSealed(message);
      if (frame?.protocol !== protocol) return undefined;
      const { instance, call, number, header, sealed } = frame;
      const pair = pairs.get(instance);
      const channel = call === undefined ? pair?.channel : pair?.calls.get(call);
      const body = channel?.open(to, header, number, sealed);
      if (!isObject(body) || typeof body["call"] !== "string" || isOfPair(body["kind"]) !== (call === undefined)) return undefined;
      if (call !== undefined && body["call"] !== call) return undefined;
      return { from: pair!.sender, body: body as never };
    },
  };
}

/** The oldest entry leaves where there are too many. */
function makeRoom(known: Map<string, unknown>): void {
  if (known.size >= maxSenders) known.delete(known.keys().next().value!);
}
