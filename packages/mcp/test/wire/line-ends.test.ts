import fc from "fast-check";
import { expect, it } from "vitest";
import { createLineEnds } from "../../src/wire/line-ends.ts";

function rewrite(bytes: Buffer, size: number): Buffer {
  const toLines = createLineEnds();
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(toLines(bytes.subarray(at, at + size)));
  return Buffer.concat(pieces);
}

it("ends every line with \\n, and leaves out a byte order mark, however the bytes are cut", () => {
  const text = fc.array(fc.constantFrom("\r", "\n", "\r\n", "\uFEFF", "a", "é")).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 10 }), (original, size) => {
      const expected = original.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
      const bytes = Buffer.from(original);
      const rewritten = rewrite(bytes, size).toString("utf8");
      expect(rewritten).toBe(expected);
    }),
  );
});

it("leaves alone what only begins like a byte order mark", () => {
  const bytes = Buffer.from([0xef, 0xbb, 0x61, 0x0a]);
  for (const size of [1, 2, 3, 4]) expect(rewrite(bytes, size)).toEqual(bytes);
});
