import type { Socket } from "node:net";
import type { ClientOptions, WebSocket } from "ws";

/** Why a connection is ended, by the numbers of RFC 6455. Those of `none` and `lost` are never sent: the other side said nothing. */
export const closeCodes = { normal: 1000, away: 1001, unsupported: 1003, none: 1005, lost: 1006, refused: 1008 } as const;

/** A WebSocket that is open, and the socket below it, whose bytes show that the other side lives. */
export interface Connection {
  readonly websocket: WebSocket;
  readonly socket: Pick<Socket, "bytesRead" | "on" | "off">;
}

/** One side of a WebSocket. */
export interface Peer {
  /** Sends a message; nothing is sent after the connection has ended. */
  send(message: Uint8Array): void;
  /** Says why, and ends the connection. */
  close(code: number, reason: string): void;
}

export interface PeerOptions {
  /** The other side is asked for a sign of life so often; after three times as long without one the connection ends. @default 5000 */
  readonly pingMs?: number;
  /** A side that does not read may have so many bytes waiting; then the connection ends. @default 16777216 */
  readonly maxWaitingBytes?: number;
  onMessage(message: Buffer): void;
  /** Called once. `code` and `reason` are those of the other side, if it gave any. */
  onEnd(reason: string, code?: number): void;
}

/** What both sides of a WebSocket are opened with: nothing is kept without a bound, and pings are answered by the peer. */
export function connectionOptions(maxBytes: number): LimitedOptions {
  // Whoever does not close its side is not waited for longer than `closeTimeout`. Empty parts of a message cost memory, too.
  return { maxPayload: maxBytes, maxFragments: 10_000, perMessageDeflate: false, autoPong: false, closeTimeout: 1_000 };
}

// The types of the package do not know the last one yet.
type LimitedOptions = Pick<ClientOptions, "maxPayload" | "maxFragments" | "perMessageDeflate" | "autoPong"> & {
  readonly closeTimeout: number;
};

/** Binary messages over a WebSocket, with signs of life. */
export function createPeer({ websocket, socket }: Connection, options: PeerOptions): Peer {
  const { pingMs = 5_000, maxWaitingBytes = 16_777_216, onMessage, onEnd } = options;
  let isEnded = false;
  let heardBytes = socket.bytesRead;
  let silentTimes = 0;

  function end(reason: string, code?: number): void {
    if (isEnded) return;
    isEnded = true;
    clearInterval(timer);
    onEnd(reason, code);
  }

  function cut(reason: string): void {
    end(reason);
    websocket.terminate();
  }

  function close(code: number, reason: string): void {
    if (isEnded) return;
    websocket.close(code, shortened(reason));
    end(reason);
  }

  websocket.on("message", (message, isBinary) => {
    if (isEnded) return;
    if (isBinary) onMessage(message as Buffer);
    else close(closeCodes.unsupported, "Only binary messages are taken.");
  });
  websocket.on("ping", answerPings(websocket));
  websocket.on("error", (error) => end(error.message));
  websocket.on("close", (code, given) => {
    if (code === closeCodes.lost) return end("The connection was lost.");
    const reason = given.toString("utf8");
    if (code === closeCodes.none) end("The other side closed the connection.");
    else end(reason === "" ? `The other side closed the connection, with the code ${code}.` : reason, code);
  });

  const timer = setInterval(() => {
    // Also a part of a message is a sign of life: a long one may take longer than the time for an answer.
    silentTimes = socket.bytesRead === heardBytes ? silentTimes + 1 : 0;
    heardBytes = socket.bytesRead;
    if (silentTimes > 3) cut("The other side is silent.");
    else if (websocket.bufferedAmount === 0) websocket.ping();
  }, pingMs).unref();

  websocket.resume();
  return {
    send(message) {
      if (isEnded) return;
      if (websocket.bufferedAmount > maxWaitingBytes) cut("The other side does not read.");
      else websocket.send(message, { binary: true });
    },
    close,
  };
}

/** Of pings that come while an answer waits to be read, the last one is answered: the others need none. */
function answerPings(websocket: WebSocket): (ping: Buffer) => void {
  let isWaiting = false;
  let next: Buffer | undefined;
  return function answer(ping) {
    if (isWaiting) {
      next = Buffer.from(ping);
      return;
    }
    isWaiting = true;
    websocket.pong(ping, undefined, (error) => {
      isWaiting = false;
      const last = next;
      next = undefined;
      if (last !== undefined && (error ?? undefined) === undefined) answer(last);
    });
  };
}

/** As much of a reason as may be sent, without a part of a character. */
function shortened(reason: string): string {
  return new TextDecoder().decode(Buffer.from(reason).subarray(0, 120), { stream: true });
}
