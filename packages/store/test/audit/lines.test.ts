import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hashRow, storable } from "../../src/engines/_chain.ts";

describe("a line of the audit", () => {
  const row = {
    number: 7,
    at: 5,
    owner: "o",
    kind: "call",
    agent: "a",
    subject: "wäit",
    callId: null,
    ok: 1,
    code: null,
    durationMs: 0.5,
    body: '{"x":"ÿ\\n"}',
    previous: "p",
  };

  it("is hashed as the SHA-256 of its columns as a JSON list, with a key as their HMAC", () => {
    const text = JSON.stringify([7, 5, "o", "call", "a", "wäit", null, 1, null, 0.5, row.body, "p"]);
    const key = new Uint8Array(32).fill(3);
    expect(hashRow(row, undefined)).toBe(createHash("sha256").update(text).digest("hex"));
    expect(hashRow(row, key)).toBe(createHmac("sha256", key).update(text).digest("hex"));
  });

  it("keeps ordinary names as they are, and makes others fit", () => {
    expect(storable("read_file 2")).toBe("read_file 2");
    expect(storable("a\0b\ud800")).toBe("a\ufffdb\ufffd");
    expect(storable("x".repeat(512))).toHaveLength(512);
    expect(storable("x".repeat(600))).toBe(`${"x".repeat(511)}…`);
  });
});
