import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as onNode from "../../../src/util/on-node/bytes.ts";
import * as onWeb from "../../../src/util/on-web/bytes.ts";

describe.each([
  ["in Node", onNode],
  ["in browsers and workers", onWeb],
])("bytes %s", (_where, { fromBase64, toBase64, toHex, utf8Length }) => {
  it("counts the bytes of any text, halves of a pair included", () => {
    const texts = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom("a", "é", "€", "\ud83d", "\ude00", "😀") }));
    fc.assert(fc.property(texts, (text) => utf8Length(text) === Buffer.byteLength(text)));
  });

  it("writes and reads base64, and writes hexadecimal digits", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
        expect(toHex(bytes)).toBe(Buffer.from(bytes).toString("hex"));
        expect([...fromBase64(toBase64(bytes))]).toEqual([...bytes]);
      }),
    );
  });

  it("writes a part of a larger buffer, and more bytes than a call takes arguments", () => {
    const part = new Uint8Array(300_001).map((_, index) => index).subarray(1);
    expect(toBase64(part)).toBe(Buffer.from(part).toString("base64"));
    expect(toHex(part.subarray(0, 9))).toBe("010203040506070809");
  });

  it.each(["iVBORw==", "iVBORw", "iVBO\nRw=", "-_-_", "a", "abc=def", "a!b c"])("reads %j as Node does", (text) => {
    expect([...fromBase64(text)]).toEqual([...Buffer.from(text, "base64")]);
  });
});

it("has the same names everywhere", () => {
  expect(Object.keys(onWeb)).toEqual(Object.keys(onNode));
});
