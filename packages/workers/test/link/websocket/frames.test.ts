import { describe, expect, it } from "vitest";
import { createFrameReader, FrameFault, opcodes, toFrame } from "../../../src/link/websocket/frames.ts";

function readerOf(options: { isMasked?: boolean; maxBytes?: number } = {}) {
  const seen: [kind: string, text: string][] = [];
  const read = createFrameReader({
    isMasked: false,
    maxBytes: 200_000,
    ...options,
    onMessage: (message) => seen.push(["message", message.toString()]),
    onControl: (opcode, payload) => seen.push([String(opcode), payload.toString()]),
  });
  return { read, seen };
}
const fin = 0x80;

describe("frames", () => {
  it.each([0, 1, 125, 126, 127, 65_535, 65_536, 100_000])("of %i bytes are read as they were written, masked or not", (length) => {
    const text = "x".repeat(length);
    for (const isMasked of [true, false]) {
      const { read, seen } = readerOf({ isMasked });
      read(toFrame(opcodes.binary, Buffer.from(text), isMasked));
      expect(seen).toEqual([["message", text]]);
    }
  });

  it("are read from pieces of any size, several from one piece", () => {
    const bytes = Buffer.concat(["one", "two".repeat(100), ""].map((text) => toFrame(opcodes.binary, Buffer.from(text), true)));
    for (const size of [1, 2, 3, 7, 1_000]) {
      const { read, seen } = readerOf({ isMasked: true });
      for (let at = 0; at < bytes.length; at += size) read(Buffer.from(bytes.subarray(at, at + size)));
      expect(seen.map(([, text]) => text)).toEqual(["one", "two".repeat(100), ""]);
    }
  });

  it("are put together from parts, with pings between them", () => {
    const { read, seen } = readerOf();
    read(Buffer.concat([Buffer.of(opcodes.binary, 1), Buffer.from("a")]));
    read(toFrame(opcodes.ping, Buffer.from("p"), false));
    read(Buffer.concat([Buffer.of(opcodes.continuation, 1), Buffer.from("b")]));
    read(Buffer.concat([Buffer.of(fin | opcodes.continuation, 1), Buffer.from("c")]));
    expect(seen).toEqual([
      ["9", "p"],
      ["message", "abc"],
    ]);
  });

  it.each([
    ["is longer than the limit, before any of it was read", Buffer.of(fin | opcodes.binary, 127, 0, 0, 0, 1, 0, 0, 0, 0), 1009],
    ["is not masked as it must be", Buffer.of(fin | opcodes.binary, 0x80, 0, 0, 0, 0), 1002],
    ["uses an extension", Buffer.of(fin | 0x40 | opcodes.binary, 0), 1002],
    ["is a text", Buffer.of(fin | opcodes.text, 0), 1003],
    ["is of no kind that exists", Buffer.of(fin | 3, 0), 1002],
    ["goes on with nothing", Buffer.of(fin | opcodes.continuation, 0), 1002],
    ["is a ping in parts", Buffer.of(opcodes.ping, 0), 1002],
    ["is a long ping", Buffer.of(fin | opcodes.ping, 126, 0, 200), 1002],
  ])("are refused where one %s", (_, bytes, code) => {
    const { read } = readerOf();
    expect(() => read(bytes)).toThrow(FrameFault);
    expect(() => readerOf().read(bytes)).toThrow(expect.objectContaining({ code }));
  });

  it("are refused where the parts of one are longer than the limit, or too many", () => {
    const long = readerOf({ maxBytes: 10 });
    long.read(Buffer.concat([Buffer.of(opcodes.binary, 6), Buffer.alloc(6)]));
    expect(() => long.read(Buffer.of(opcodes.continuation, 6))).toThrow(expect.objectContaining({ code: 1009 }));
    const many = readerOf();
    many.read(Buffer.of(opcodes.binary, 0));
    expect(() => {
      for (let count = 0; count < 10_001; count++) many.read(Buffer.of(opcodes.continuation, 0));
    }).toThrow(expect.objectContaining({ code: 1009 }));
  });
});
