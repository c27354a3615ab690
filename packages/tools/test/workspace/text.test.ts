import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitLines, toEndedLines, fromEndedLines, toPlainLines } from "../../src/workspace/lines.ts";
import { applyEdits } from "../../src/workspace/replace.ts";
import { decodeText, encodeText, textEncodings } from "../../src/workspace/text.ts";
import { createTextLog, showLog } from "../../src/workspace/text-log.ts";

describe("encodings", () => {
  it("whatever is read as text is written as the very same bytes", () => {
    const beginnings = [[], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]].map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(
        fc.constantFrom(...beginnings),
        fc.oneof(
          fc.uint8Array({ max: 255 }),
          fc.string({ unit: "grapheme" }).map((text) => Buffer.from(text)),
        ),
        (mark, body) => {
          const bytes = Buffer.concat([mark, body]);
          const decoded = decodeText(bytes);
          if (decoded !== undefined) expect(Buffer.from(encodeText(decoded)).equals(bytes)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("every text comes back from every encoding that has its characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.constantFrom(...textEncodings), (text, encoding) => {
        if (encoding === "latin1" || text.includes("\0") || text.startsWith("\uFEFF")) return;
        expect(decodeText(encodeText({ text, encoding }))).toEqual({ text, encoding });
      }),
    );
  });

  it("bytes with a NUL are no text, and half a character of UTF-16 is none either", () => {
    expect(decodeText(Buffer.from([65, 0, 66]))).toBeUndefined();
    expect(decodeText(Buffer.from([0xff, 0xfe, 65]))).toBeUndefined();
  });
});

describe("lines", () => {
  const anyText = fc.array(fc.constantFrom("a", "b", "\n", "\r\n", "\r", " ")).map((parts) => parts.join(""));

  it("a text is the sum of its lines and their ends", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(fromEndedLines(toEndedLines(text), "\n")).toBe(text);
      }),
    );
    expect(splitLines("a\r\nb\n")).toEqual(["a", "b"]);
    expect(splitLines("")).toEqual([]);
  });

  it("a place without carriage returns is found again in the original", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const plain = toPlainLines(text);
        for (let at = 0; at < plain.text.length; at++) {
          const there = text.slice(plain.toOriginal(at));
          expect(there.replaceAll("\r\n", "\n").startsWith(plain.text[at]!)).toBe(true);
        }
        expect(plain.toOriginal(plain.text.length)).toBe(text.length);
      }),
    );
  });

  it("an edit there and back gives the same text, whatever the line endings", () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const text = `${before}NEEDLE\n${after}`;
        const there = applyEdits(text, [{ oldText: "NEEDLE", newText: "1\n2" }], "f").text;
        expect(applyEdits(there, [{ oldText: "1\n2", newText: "NEEDLE" }], "f").text).toBe(text);
      }),
    );
  });

  it("edits that overlap are refused", () => {
    const edits = [
      { oldText: "abc", newText: "x" },
      { oldText: "cde", newText: "y" },
    ];
    expect(() => applyEdits("abcde", edits, "f")).toThrow("two edits overlap in line 1");
  });
});

describe("logs", () => {
  it("keep the latest text within bounds, and the places of the whole", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 20 })), fc.integer({ min: 1, max: 50 }), (parts, max) => {
        const log = createTextLog(max);
        for (const part of parts) log.append(Buffer.from(part));
        log.end();
        const whole = Buffer.from(parts.join("")).toString();
        expect(log.length).toBe(whole.length);
        expect(log.slice(0)).toBe(whole.slice(log.start));
        expect(whole.length - log.start).toBeLessThan(max + 50);
        if (whole.length <= max) expect(log.start).toBe(0);
      }),
    );
  });

  it("a character that comes in two parts is one", () => {
    const log = createTextLog(100);
    const bytes = Buffer.from("é");
    log.append(bytes.subarray(0, 1));
    log.append(bytes.subarray(1));
    expect(log.slice(0)).toBe("é");
  });

  it("a long one is shown by its beginning and its end", () => {
    const log = createTextLog(1_000);
    log.append(Buffer.from("a".repeat(50) + "m".repeat(100) + "z".repeat(50)));
    const { text, isCut } = showLog(log, 40, (from) => `; from ${from}`);
    expect({ text, isCut }).toEqual({ text: `${"a".repeat(10)}\n[… 160 characters left out; from 10 …]\n${"z".repeat(30)}`, isCut: true });
  });
});
