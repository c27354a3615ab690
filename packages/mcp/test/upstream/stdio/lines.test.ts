import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineReader, type Line } from "../../../src/upstream/stdio/lines.ts";

function read(chunks: readonly Uint8Array[], maxBytes: number): readonly Line[] {
  const lines: Line[] = [];
  const reader = createLineReader(maxBytes, (line) => void lines.push(line));
  for (const chunk of chunks) reader(Buffer.from(chunk));
  return lines;
}

describe("lines of a stream", () => {
  it("are the same however the bytes are cut", () => {
    const text = fc.array(fc.string({ maxLength: 20, unit: "grapheme" }).filter((line) => line !== "" && !line.includes("\n")));
    fc.assert(
      fc.property(text, fc.array(fc.nat(300)), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        const at = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort((a, b) => a - b);
        const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(read(chunks, 10_000)).toEqual(lines.map((line) => ({ kind: "line", bytes: Buffer.from(line) })));
      }),
    );
  });

  it("that are too long keep their two ends, and the next one is whole again", () => {
    const long = `{"id":7,"result":"${"x".repeat(5_000)}","last":true}`;
    for (const size of [1, 7, 64, 10_000]) {
      const bytes = Buffer.from(`${long}\nshort\n`);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
      const [first, second] = read(chunks, 1_000);
      expect(first).toMatchObject({ kind: "too-long", bytes: long.length });
      if (first?.kind !== "too-long") throw new Error("it was not too long");
      expect(first.head).toMatch(/^\{"id":7,"result":"x+$/);
      expect(first.tail).toMatch(/x+","last":true\}$/);
      expect(first.head.length + first.tail.length).toBeLessThanOrEqual(512);
      expect(second).toEqual({ kind: "line", bytes: Buffer.from("short") });
    }
  });

  it("that have not ended yet are not told", () => {
    expect(read([Buffer.from("half")], 100)).toEqual([]);
    expect(read([Buffer.from("\n\n\n")], 100)).toEqual([]);
  });

  it("may have so many bytes, and not one more", () => {
    const line = Buffer.from("x".repeat(10));
    expect(read([Buffer.from(`${"x".repeat(10)}\n`)], 10)).toEqual([{ kind: "line", bytes: line }]);
    const tooLong = { kind: "too-long", bytes: 11, head: "x".repeat(10), tail: "y" };
    expect(read([line, Buffer.from("y\n")], 10)).toEqual([tooLong]);
    expect(read([Buffer.from(`${"x".repeat(11)}\n`)], 10)).toEqual([{ ...tooLong, head: "x".repeat(11), tail: "x".repeat(11) }]);
  });

  it("that are too long keep 256 characters of each end, however they come", () => {
    const [a, b, c] = ["a".repeat(300), "b".repeat(200), "c".repeat(100)];
    const [line, next] = read([Buffer.from(a), Buffer.from(b), Buffer.from(`${c}\nnext\n`)], 350);
    expect(line).toEqual({ kind: "too-long", bytes: 600, head: "a".repeat(256), tail: `${"b".repeat(156)}${c}` });
    expect(next).toEqual({ kind: "line", bytes: Buffer.from("next") });
    const [whole, after] = read([Buffer.from(`${a}${b}\n`), Buffer.from(`${b}${a}\n`)], 350);
    expect(whole).toEqual({ kind: "too-long", bytes: 500, head: "a".repeat(256), tail: `${"a".repeat(56)}${b}` });
    expect(after).toEqual({ kind: "too-long", bytes: 500, head: `${b}${"a".repeat(56)}`, tail: "a".repeat(256) });
  });
});
