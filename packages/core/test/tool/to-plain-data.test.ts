import { describe, expect, it } from "vitest";
import { toPlainData } from "../../src/tool/to-plain-data.ts";

const bytes = (count: number, kind: string): string =>
  `result.at is ${count} bytes (${kind}); return base64 text, or an image or audio block`;

describe("toPlainData refuses, with what to return instead:", () => {
  it.each([
    [new Uint8ClampedArray(3), bytes(3, "Uint8ClampedArray")],
    [new DataView(new ArrayBuffer(5)), bytes(5, "DataView")],
    [new ArrayBuffer(2), bytes(2, "ArrayBuffer")],
    [new SharedArrayBuffer(2), bytes(2, "SharedArrayBuffer")],
    [new Blob(["a"]), "result.at is binary data (Blob); return base64 text, or an image or audio block"],
    [new FormData(), "result.at is a FormData; return Object.fromEntries(it)"],
    [new Headers(), "result.at is a Headers; return Object.fromEntries(it)"],
    [new Response(), "result.at is a Response; return what its json() or text() resolves to"],
    [[1][Symbol.iterator](), "result.at is an iterator; return a list: [...it]"],
  ])("%o", (value, message) => {
    expect(() => toPlainData({ at: value }, "result")).toThrow(message);
  });
});

it("what toJSON returns is not asked for toJSON again, as in JSON.stringify", () => {
  const inner = { toJSON: () => "inner", shown: 1 };
  const outer = { toJSON: () => inner };
  expect(() => toPlainData({ outer }, "result")).toThrow("result.outer.toJSON is a function; return plain data");
  expect(toPlainData({ outer: { toJSON: () => ({ shown: 1 }) } }, "result")).toEqual({ outer: { shown: 1 } });
});
