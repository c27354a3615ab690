import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutText } from "../../src/util/cut-text.ts";
import { fitsBytes } from "../../src/util/fits-bytes.ts";

/** Half a surrogate pair does not come back from bytes. */
const isWellFormed = (text: string): boolean => Buffer.from(text).toString() === text;

describe("cutText", () => {
  it("leaves a text alone that fits to the byte", () => {
    expect(cutText("äöü", 6)).toBeUndefined();
    expect(cutText("", 0)).toBeUndefined();
    expect(cutText("äöü", 5)).toEqual({ text: "äö", leftOut: 1 });
  });

  it("never cuts a character in two", () => {
    expect(cutText("👍👍", 7)).toEqual({ text: "👍", leftOut: 2 });
    expect(cutText("👍", 3)).toEqual({ text: "", leftOut: 2 });
    expect(isWellFormed(cutText("👍".repeat(500), 301)!.text)).toBe(true);
  });

  it("is within the budget, well formed, and head, tail and number agree with the original", () => {
    const text = fc.oneof(fc.string({ unit: "binary", maxLength: 600 }), fc.string({ unit: "grapheme", maxLength: 300 }));
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 700 }), (original, maxBytes) => {
        const cut = cutText(original, maxBytes);
        expect(cut === undefined).toBe(Buffer.byteLength(original) <= maxBytes);
        if (cut === undefined) return;
        expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(maxBytes);
        expect(isWellFormed(cut.text)).toBe(true);
        const note = `\n[… ${cut.leftOut} of ${original.length} characters left out …]\n`;
        const [head, tail] = cut.text.includes(note) ? cut.text.split(note) : [cut.text, ""];
        expect(original.startsWith(head!) && original.endsWith(tail!)).toBe(true);
        expect(head!.length + tail!.length + cut.leftOut).toBe(original.length);
      }),
    );
  });

  it("tells like a count of bytes whether a text fits", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.nat({ max: 60 }),
        (text, max) => fitsBytes(text, max) === Buffer.byteLength(text) <= max,
      ),
    );
  });
});
