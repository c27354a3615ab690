import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fromBase64, toBase64, toHex, utf8Length } from "../../src/util/bytes.ts";

const withBuffers = Buffer;

describe.each(["with buffers", "without"])("bytes, %s", (how) => {
  const run = (check: () => void): void => {
    if (how === "without") vi.stubGlobal("Buffer", undefined);
    check();
  };
  afterEach(() => vi.unstubAllGlobals());

  it("counts the bytes of any text, halves of a pair included", () => {
    const texts = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom("a", "é", "€", "\ud83d", "\ude00", "😀") }));
    run(() => fc.assert(fc.property(texts, (text) => utf8Length(text) === withBuffers.byteLength(text))));
  });

  it("writes and reads base64, and writes hexadecimal digits", () => {
    run(() =>
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
          const expected = withBuffers.from(bytes);
          expect(toBase64(bytes)).toBe(expected.toString("base64"));
          expect(toHex(bytes)).toBe(expected.toString("hex"));
          expect([...fromBase64(toBase64(bytes))]).toEqual([...bytes]);
        }),
      ),
    );
  });

  it("writes a part of a larger buffer, and more bytes than a call takes arguments", () => {
    const large = new Uint8Array(300_001).map((_, index) => index);
    run(() => {
      expect(toBase64(large.subarray(1))).toBe(withBuffers.from(large.subarray(1)).toString("base64"));
    });
  });

  it.each(["iVBORw==", "iVBORw", "iVBO\nRw=", "-_-_", "a", "abc=def", "a!b c"])("reads %j as Node does", (text) => {
    run(() => expect([...fromBase64(text)]).toEqual([...withBuffers.from(text, "base64")]));
  });
});
