import { randomBytes, verify } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { printOf, readPublicKey } from "../protocol/identity.ts";
import { decodeLinkFrame, encodeLinkFrame, type LinkFrame, maxFrameOverhead, proofText } from "../protocol/link-frames.ts";
import type { Link } from "./link.ts";
import { added } from "./listeners.ts";
import { mayPublish, maySubscribe } from "./permissions.ts";
import { createAcceptor, handshakeFault } from "./websocket/handshake.ts";
import { closeCodes, type Connection, createPeer } from "./websocket/peer.ts";

/** Carries messages between a server and the workers that connected to it by WebSocket, where there is no broker. */
export interface Hub {
  /** A link of the server itself. */
  connect(): Link;
  /** Why a request cannot be a worker's; undefined if it can. `by` is who signed in. */
  faultOf(incoming: IncomingMessage, by?: string): string | undefined;
  /** Takes the connection of a request without a fault. Whose it is, the worker shows by its key. */
  take(incoming: IncomingMessage, socket: Duplex, options?: TakeOptions): void;
  /** How many workers are connected. */
  readonly size: number;
  /** Ends every connection. Links of the server stay open, with nobody behind them. */
  disconnect(): void;
}

export interface TakeOptions {
  /** Who signed in: nobody takes the places of others without the key of a worker. */
  readonly by?: string;
  /** Aborted when that sign-in ends, and the connection with it. */
  readonly signal?: AbortSignal | undefined;
}

export interface HubOptions {
  /** The pools that a public key belongs to now. */
  poolsOf(publicKey: string): readonly string[];
  /** The longest message. @default 1_000_000 */
  readonly maxBytes?: number;
  /** How many connections there may be, those included that have not shown their key. @default 1_000 */
  readonly maxConnections?: number;
  /** How many connections of one sign-in may be there that have not shown their key. @default 50 */
  readonly maxUnproven?: number;
  /** How long a worker may take to show its key. @default 10_000 */
  readonly proofMs?: number;
  readonly pingMs?: number;
}

interface Port {
  readonly name: string;
  take(subject: string, message: Uint8Array): void;
  tellGone?(name: string): void;
}

/** More subjects than this no worker needs: one for itself and one for everybody, in each pool. */
const maxSubjects = 200;
/** What shows a key is far shorter. Before it is shown, nobody makes the server keep more than this. */
const maxUnprovenBytes = 4_096;

export function createHub(options: HubOptions): Hub {
  const { poolsOf, maxBytes = 1_000_000, maxConnections = 1_000, maxUnproven = 50, proofMs = 10_000, pingMs } = options;
  const bySubject = new Map<string, Set<Port>>();
  const ports = new Set<Port>();
  const connections = new Set<() => void>();
  /** How many connections have not shown their key, by sign-in. */
  const unproven = new Map<string, number>();
  const accept = createAcceptor(maxBytes + maxFrameOverhead);
  const salt = randomBytes(6).toString("hex");
  let count = 0;

  const nextName = (): string => `${salt}.${(count += 1)}`;

  function join(subject: string, port: Port): void {
    bySubject.set(subject, (bySubject.get(subject) ?? new Set()).add(port));
  }
  function leave(subject: string, port: Port): void {
    const joined = bySubject.get(subject);
    joined?.delete(port);
    if (joined?.size === 0) bySubject.delete(subject);
  }
  function publish(subject: string, message: Uint8Array): void {
    for (const port of bySubject.get(subject) ?? []) port.take(subject, message);
  }

  function connect(): Link {
    const listeners = new Map<string, Set<(message: Uint8Array) => void>>();
    const gone = new Set<(name: string) => void>();
    const port: Port = {
      name: nextName(),
      take: (subject, message) => queueMicrotask(() => listeners.get(subject)?.forEach((listener) => listener(message))),
      tellGone: (name) => gone.forEach((listener) => listener(name)),
    };
    ports.add(port);
    let isOpen = true;
    return {
      name: port.name,
      maxBytes,
      get isConnected() {
        return isOpen;
      },
      publish(subject, message) {
        if (isOpen) publish(subject, message);
      },
      subscribe(subject, onMessage) {
        listeners.set(subject, (listeners.get(subject) ?? new Set()).add(onMessage));
        join(subject, port);
        return () => {
          listeners.get(subject)?.delete(onMessage);
          if (listeners.get(subject)?.size !== 0) return;
          listeners.delete(subject);
          leave(subject, port);
        };
      },
      onConnection: () => () => undefined, // it is this process
      onGone: (listener) => added(gone, listener),
      flush: async () => {},
      async close() {
        isOpen = false;
        ports.delete(port);
        for (const subject of listeners.keys()) leave(subject, port);
        listeners.clear();
      },
    };
  }

  function countUnproven(by: string, more: 1 | -1): void {
    const count = (unproven.get(by) ?? 0) + more;
    if (count > 0) unproven.set(by, count);
    else unproven.delete(by);
  }

  function faultOf(incoming: IncomingMessage, by = ""): string | undefined {
    if (connections.size >= maxConnections)
      return `${connections.size} workers are connected already, and no more may. Close some, or use a NATS broker.`;
    if ((unproven.get(by) ?? 0) >= maxUnproven)
      return `${maxUnproven} connections of this sign-in have not shown the key of a worker yet, and no more may. Connect again later.`;
    return handshakeFault(incoming);
  }

  function begin(connection: Connection, { by = "", signal }: TakeOptions): void {
    const nonce = randomBytes(24).toString("base64");
    const subjects = new Set<string>();
    /** Of the public key, once it is shown. */
    let print: string | undefined;
    let key = "";
    const send = (frame: LinkFrame): void => peer.send(encodeLinkFrame(frame));
    const refuse = (why: string): void => peer.close(closeCodes.refused, why);
    const port: Port = { name: nextName(), take: (subject, message) => send({ kind: "message", subject, message }) };
    const end = (): void => peer.close(closeCodes.away, "The server closes the connection.");
    const onRevoked = (): void => refuse("The key that the worker signed in with has ended.");

    function takeProof({ publicKey, signature }: Extract<LinkFrame, { kind: "proof" }>): void {
      if (!isSigned(nonce, publicKey, signature)) return refuse("The worker did not show that the key is its own.");
      if (poolsOf(publicKey).length === 0) return refuse(`No pool knows the key ${publicKey}. Add it to sources.<id>.workers.keys.`);
      prove();
      print = printOf(publicKey);
      key = publicKey;
      ports.add(port);
      send({ kind: "welcome", name: port.name, maxBytes });
    }

    function takeFrame(frame: LinkFrame | undefined): void {
      if (frame?.kind === "proof" && print === undefined) return takeProof(frame);
      if (frame === undefined || print === undefined) return refuse("That is no message of a worker.");
      const pools = poolsOf(key);
      switch (frame.kind) {
        case "subscribe":
          if (subjects.size >= maxSubjects || !maySubscribe(frame.subject, pools, print))
            return refuse(`The worker may not listen on ${frame.subject}.`);
          subjects.add(frame.subject);
          return join(frame.subject, port);
        case "unsubscribe":
          if (subjects.delete(frame.subject)) leave(frame.subject, port);
          return;
        case "message":
          if (!mayPublish(frame.subject, pools)) return refuse(`The worker may not send to ${frame.subject}.`);
          return publish(frame.subject, frame.message);
        case "flush":
          return send(frame);
        default:
          return refuse("That is no message of a worker.");
      }
    }

    const timer = setTimeout(() => refuse("The worker did not show its key in time."), proofMs).unref();
    let unprovenBytes = 0;
    const onData = (data: Uint8Array): void => {
      if ((unprovenBytes += data.length) <= maxUnprovenBytes) return;
      refuse(`The worker sent more than ${maxUnprovenBytes} bytes before it showed its key.`);
      connection.websocket.pause(); // until it is gone
    };
    connection.socket.on("data", onData);
    countUnproven(by, 1);
    /** Once: its key is shown, or it is gone. */
    let prove = (): void => {
      prove = () => {};
      clearTimeout(timer);
      connection.socket.off("data", onData);
      countUnproven(by, -1);
    };
    const peer = createPeer(connection, {
      ...(pingMs !== undefined && { pingMs }),
      onMessage: (bytes) => takeFrame(decodeLinkFrame(bytes)),
      onEnd() {
        prove();
        signal?.removeEventListener("abort", onRevoked);
        connections.delete(end);
        for (const subject of subjects) leave(subject, port);
        if (ports.delete(port)) for (const other of ports) other.tellGone?.(port.name);
      },
    });
    connections.add(end);
    send({ kind: "challenge", nonce });
    signal?.addEventListener("abort", onRevoked, { once: true });
    if (signal?.aborted === true) onRevoked();
  }

  return {
    connect,
    faultOf,
    take: (incoming, socket, options = {}) => accept(incoming, socket, (connection) => begin(connection, options)),
    get size() {
      return connections.size;
    },
    disconnect() {
      for (const end of connections) end();
    },
  };
}

function isSigned(nonce: string, publicKey: string, signature: string): boolean {
  try {
    return verify(null, proofText(nonce), readPublicKey(publicKey), Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}
