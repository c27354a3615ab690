import { sign } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "@toolrack/core";
import { type Keys, readKeys } from "../protocol/identity.ts";
import { decodeLinkFrame, encodeLinkFrame, type LinkFrame, maxFrameOverhead, proofText } from "../protocol/link-frames.ts";
import type { Link } from "./link.ts";
import { added } from "./listeners.ts";
import { dial } from "./websocket/handshake.ts";
import { closeCodes, createPeer, type Peer } from "./websocket/peer.ts";

export interface ServerLinkOptions {
  /** The Toolrack server: "https://tools.example.com". */
  readonly url: string;
  /** An API key of that server. When it is revoked, the link is cut. */
  readonly token: string;
  /** The private key of the worker, which shows to the server which messages are for it. */
  readonly privateKey: string;
  /** An own certificate authority, as PEM. */
  readonly ca?: string;
  /** @default 5_000 */
  readonly connectTimeoutMs?: number;
  readonly pingMs?: number;
}

/** A link of a worker to one Toolrack server, by WebSocket: no broker is needed. Resolves when the server has let the worker in. */
export async function serverLink(options: ServerLinkOptions): Promise<Link> {
  const { token, ca, connectTimeoutMs = 5_000, pingMs } = options;
  const url = linkUrl(options.url);
  const keys = readKeys(options.privateKey);
  const subscriptions = new Map<string, Set<(message: Uint8Array) => void>>();
  const connections = new Set<(isConnected: boolean) => void>();
  const flushes = new Map<number, () => void>();
  const closing = new AbortController();
  let current: Opened | undefined;
  let flushed = 0;

  const send = (frame: LinkFrame): void => current?.peer.send(encodeLinkFrame(frame));

  function onFrame(frame: LinkFrame): void {
    if (frame.kind === "message") return subscriptions.get(frame.subject)?.forEach((listener) => listener(frame.message));
    if (frame.kind !== "flush") return;
    flushes.get(frame.number)?.();
    flushes.delete(frame.number);
  }

  function onLost(): void {
    if (current === undefined) return;
    current = undefined;
    for (const release of flushes.values()) release();
    flushes.clear();
    for (const listener of connections) listener(false);
    if (!closing.signal.aborted) void reconnect();
  }

  const open = (): Promise<Opened> =>
    openLink({ url, token, ca, keys, timeoutMs: connectTimeoutMs, pingMs, signal: closing.signal, onFrame, onLost });

  async function reconnect(): Promise<void> {
    for (let pauseMs = firstPauseMs; !closing.signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      // Workers of a server that restarts do not all come at once.
      await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: closing.signal }).catch(() => undefined);
      const opened = closing.signal.aborted ? undefined : await open().catch(() => undefined);
      if (opened === undefined) continue;
      if (opened.isLost()) continue;
      current = opened;
      for (const subject of subscriptions.keys()) send({ kind: "subscribe", subject });
      for (const listener of connections) listener(true);
      return;
    }
  }

  try {
    current = await open();
  } catch (error) {
    throw new ToolError("SOURCE_FAILED", `The server at ${url.origin} cannot be used: ${(error as Error).message}`, { cause: error });
  }
  const { maxBytes } = current;
  if (current.isLost()) onLost();

  return {
    get name() {
      return current?.name ?? ""; // another one after each reconnection
    },
    get isConnected() {
      return current !== undefined;
    },
    maxBytes,
    publish: (subject, message) => send({ kind: "message", subject, message }),
    subscribe(subject, onMessage) {
      if (!subscriptions.has(subject)) send({ kind: "subscribe", subject });
      subscriptions.set(subject, (subscriptions.get(subject) ?? new Set()).add(onMessage));
      return () => {
        const listeners = subscriptions.get(subject);
        if (listeners?.delete(onMessage) !== true || listeners.size > 0) return;
        subscriptions.delete(subject);
        send({ kind: "unsubscribe", subject });
      };
    },
    onConnection: (listener) => added(connections, listener),
    onGone: () => () => undefined, // a worker hears of no other one
    flush: () =>
      new Promise<void>((resolve) => {
        if (current === undefined) return resolve();
        flushes.set((flushed += 1), resolve);
        send({ kind: "flush", number: flushed });
      }),
    async close() {
      closing.abort();
      current?.peer.close(closeCodes.normal, "");
      current = undefined;
    },
  };
}

const firstPauseMs = 100;
const longestPauseMs = 5_000;

interface Opened {
  readonly peer: Peer;
  readonly name: string;
  readonly maxBytes: number;
  /** Whether it ended before anybody could be told. */
  isLost(): boolean;
}

interface OpenLinkOptions {
  readonly url: URL;
  readonly token: string;
  readonly ca: string | undefined;
  readonly keys: Keys;
  readonly timeoutMs: number;
  readonly pingMs: number | undefined;
  readonly signal: AbortSignal;
  onFrame(frame: LinkFrame): void;
  /** Called once, when a link that was open has ended. */
  onLost(): void;
}

/** Connects, and shows the key of the worker. Rejects with what the server said. */
async function openLink({ url, token, ca, keys, timeoutMs, pingMs, signal, onFrame, onLost }: OpenLinkOptions): Promise<Opened> {
  const connection = await dial({ url, token, ca, timeoutMs, maxBytes: maxTakenBytes + maxFrameOverhead, signal });
  return new Promise<Opened>((resolve, reject) => {
    let state: "opening" | "open" | "lost" = "opening";
    const timer = setTimeout(
      () => peer.close(closeCodes.normal, `The server did not let the worker in within ${timeoutMs} ms.`),
      timeoutMs,
    );
    const peer = createPeer(connection, {
      ...(pingMs !== undefined && { pingMs }),
      onMessage(bytes) {
        const frame = decodeLinkFrame(bytes);
        if (frame === undefined) return peer.close(closeCodes.refused, "That is no message of a server.");
        if (frame.kind === "challenge") {
          const signature = sign(null, proofText(frame.nonce), keys.signing).toString("base64");
          return peer.send(encodeLinkFrame({ kind: "proof", publicKey: keys.publicKey, signature }));
        }
        if (frame.kind !== "welcome") return onFrame(frame);
        if (state !== "opening") return;
        clearTimeout(timer);
        state = "open";
        resolve({ peer, name: frame.name, maxBytes: Math.min(frame.maxBytes, maxTakenBytes), isLost: () => state === "lost" });
      },
      onEnd(reason) {
        clearTimeout(timer);
        const before = state;
        state = "lost";
        if (before === "opening") reject(new Error(reason));
        else if (before === "open") onLost();
      },
    });
  });
}

/** No server may make a worker keep more in memory for one message. */
const maxTakenBytes = 64_000_000;

/** The address of a server → that of its links. A path before it stays: for servers below one. */
function linkUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "")
    throw new ToolError(
      "CONFIG_INVALID",
      `"${text.slice(0, 200)}" is no address of a Toolrack server. Write https://host, without user and password.`,
    );
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/api/v1/workers/link`;
  return url;
}
