import type { Duplex } from "node:stream";
import { closeCodes, createFrameReader, FrameFault, opcodes, toFrame } from "./frames.ts";

/** One side of a WebSocket. */
export interface Peer {
  /** Sends a message; nothing is sent after the connection has ended. */
  send(message: Uint8Array): void;
  /** Says why, and ends the connection. */
  close(code: number, reason: string): void;
}

export interface PeerOptions {
  readonly side: "client" | "server";
  /** The longest message that is taken. */
  readonly maxBytes: number;
  /** The other side is asked for a sign of life so often; after three times as long without one the connection ends. @default 5000 */
  readonly pingMs?: number;
  /** A side that does not read may have so many bytes waiting; then the connection ends. @default 16777216 */
  readonly maxWaitingBytes?: number;
  onMessage(message: Buffer): void;
  /** Called once. `code` and `reason` are those of the other side, if it gave any. */
  onEnd(reason: string, code?: number): void;
}

/** A WebSocket over a connection whose handshake is done. */
export function createPeer(socket: Duplex, options: PeerOptions): Peer {
  const { side, maxBytes, pingMs = 5_000, maxWaitingBytes = 16_777_216, onMessage, onEnd } = options;
  const isMasked = side === "client";
  let isEnded = false;
  let heardAt = performance.now();
  /** The last ping that was not answered yet, because the other side does not read. Those before it need no answer. */
  let unanswered: Buffer | undefined;

  function end(reason: string, code?: number): void {
    if (isEnded) return;
    isEnded = true;
    clearInterval(timer);
    unanswered = undefined;
    onEnd(reason, code);
  }

  function close(code: number, reason: string): void {
    if (isEnded) return;
    const text = Buffer.from(reason).subarray(0, 120);
    const payload = Buffer.alloc(2 + text.length);
    payload.writeUInt16BE(code);
    payload.set(text, 2);
    socket.end(toFrame(opcodes.close, payload, isMasked));
    // Whoever does not close its side is not waited for.
    setTimeout(() => socket.destroy(), 1_000).unref();
    end(reason);
  }

  function onControl(opcode: number, payload: Buffer): void {
    if (opcode === opcodes.ping) {
      if (socket.writableNeedDrain) unanswered = Buffer.from(payload);
      else socket.write(toFrame(opcodes.pong, payload, isMasked));
    }
    if (opcode !== opcodes.close) return;
    const code = payload.length >= 2 ? payload.readUInt16BE() : undefined;
    const reason = payload.subarray(2).toString("utf8");
    if (!isEnded) socket.end(toFrame(opcodes.close, payload.subarray(0, 2), isMasked));
    end(reason === "" ? "The other side closed the connection." : reason, code);
  }

  const read = createFrameReader({
    isMasked: side === "server",
    maxBytes,
    onMessage: (message) => {
      if (!isEnded) onMessage(message);
    },
    onControl,
  });
  socket.on("data", (piece: Buffer) => {
    if (isEnded) return;
    heardAt = performance.now();
    try {
      read(piece);
    } catch (error) {
      if (!(error instanceof FrameFault)) throw error;
      close(error.code, error.message);
    }
  });
  socket.on("drain", () => {
    if (unanswered === undefined || isEnded) return;
    socket.write(toFrame(opcodes.pong, unanswered, isMasked));
    unanswered = undefined;
  });
  socket.on("error", (error) => end(error.message));
  socket.on("end", () => {
    end("The other side ended the connection.");
    socket.end();
  });
  socket.on("close", () => end("The connection was lost."));

  const timer = setInterval(() => {
    if (performance.now() - heardAt > 3 * pingMs) {
      end("The other side is silent.");
      socket.destroy();
    } else if (!socket.writableNeedDrain) socket.write(toFrame(opcodes.ping, Buffer.alloc(0), isMasked));
  }, pingMs).unref();

  return {
    send(message) {
      if (isEnded) return;
      if (socket.writableLength > maxWaitingBytes) {
        end("The other side does not read.");
        socket.destroy();
        return;
      }
      socket.write(toFrame(opcodes.binary, message, isMasked));
    },
    close,
  };
}

export { closeCodes };
