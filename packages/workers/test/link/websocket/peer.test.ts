import { Duplex } from "node:stream";
import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it, vi } from "vitest";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { opcodes, toFrame } from "../../../src/link/websocket/frames.ts";
import { createPeer } from "../../../src/link/websocket/peer.ts";

/** A connection whose other side reads only when it is told to. */
function connection() {
  const written: Buffer[] = [];
  let release: (() => void) | undefined;
  let isReading = false;
  const socket = new Duplex({
    highWaterMark: 64,
    read() {},
    write(piece: Buffer, _, done) {
      written.push(piece);
      if (isReading) done();
      else release = done;
    },
  });
  const ends: unknown[][] = [];
  const peer = createPeer(socket, {
    side: "server",
    maxBytes: 1_000,
    maxWaitingBytes: 10_000,
    pingMs: 1_000,
    onMessage: () => undefined,
    onEnd: (...end) => ends.push(end),
  });
  return {
    peer,
    socket,
    written,
    ends,
    receive: (opcode: number, text: string) => socket.push(toFrame(opcode, Buffer.from(text), true)),
    readAll() {
      isReading = true;
      release?.();
    },
  };
}

describe("a WebSocket", () => {
  it("answers the last of many pings where the other side does not read, and keeps no queue of answers", async () => {
    const { socket, written, receive, readAll } = connection();
    for (let count = 0; count < 5_000; count++) receive(opcodes.ping, `ping ${count}`);
    await turns(10);
    expect(socket.writableLength).toBeLessThan(1_000);
    readAll();
    await turns(10);
    const answers = written.map((frame) => frame.subarray(2).toString());
    expect(answers.length).toBeLessThan(20);
    expect(answers.at(-1)).toBe("ping 4999");
  });

  it("ends where the other side does not read what it is sent", async () => {
    const { peer, ends, socket } = connection();
    for (let count = 0; count < 100; count++) peer.send(Buffer.alloc(900));
    expect(ends).toEqual([["The other side does not read.", undefined]]);
    expect(socket.destroyed).toBe(true);
  });

  it("ends where the other side is silent, and stays while it answers", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    afterThisTest(() => void vi.useRealTimers());
    const { ends, receive, readAll } = connection();
    readAll();
    for (let second = 0; second < 10; second++) {
      vi.advanceTimersByTime(1_000);
      receive(opcodes.pong, "");
      await turns();
    }
    expect(ends).toEqual([]);
    vi.advanceTimersByTime(5_000);
    expect(ends).toEqual([["The other side is silent.", undefined]]);
  });

  it("tells why the other side ended it", async () => {
    const { ends, receive, readAll } = connection();
    readAll();
    receive(opcodes.close, "\u0003\u00f0no more");
    await turns();
    expect(ends[0]![0]).toMatch(/no more/);
  });
});
