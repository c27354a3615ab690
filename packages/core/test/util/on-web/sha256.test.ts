import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../../src/util/on-web/sha256.ts";

describe("sha256Hex", () => {
  it("gives the digest that Node gives, for texts of every length around a block and for any text", () => {
    const expected = (text: string): string => createHash("sha256").update(text).digest("hex");
    for (let length = 0; length < 200; length++) expect(sha256Hex("a".repeat(length))).toBe(expected("a".repeat(length)));
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => sha256Hex(text) === expected(text)));
  });
});
