import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hashRow, storable } from "../../src/engine/chain.ts";

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
    principal: "key a",
    place: 0,
  };

  const columns = [7, 5, "o", "call", "a", "wäit", null, 1, null, 0.5, row.body, "key a", "p"];

  it("is hashed as the HMAC of its chain, its key and its columns as a JSON list, without a key as their SHA-256", () => {
    const key = { id: "k", bytes: new Uint8Array(32).fill(3) };
    const mac = createHmac("sha256", key.bytes).update(JSON.stringify(["main", "k", ...columns]));
    expect(hashRow({ ...row, chain: "main", keyId: "k" }, key)).toBe(mac.digest("hex"));
    const hash = createHash("sha256").update(JSON.stringify(["main", "", ...columns]));
    expect(hashRow({ ...row, chain: "main", keyId: "" }, undefined)).toBe(hash.digest("hex"));
  });

  it("of a server's own chain is hashed with its place there, whatever its number", () => {
    const key = { id: "k", bytes: new Uint8Array(32).fill(3) };
    const mac = createHmac("sha256", key.bytes).update(JSON.stringify(["c", "k", 9, ...columns.slice(1)]));
    expect(hashRow({ ...row, chain: "c", keyId: "k", place: 9 }, key)).toBe(mac.digest("hex"));
  });

  it("of the first format is hashed as the SHA-256 of its columns alone", () => {
    const hash = createHash("sha256")
      .update(JSON.stringify(columns.filter((column) => column !== "key a")))
      .digest("hex");
    expect(hashRow({ ...row, chain: "", keyId: "" }, undefined)).toBe(hash);
  });

  it("keeps ordinary names as they are, and makes others fit", () => {
    expect(storable("read_file 2")).toBe("read_file 2");
    expect(storable("a\0b\ud800")).toBe("a\ufffdb\ufffd");
    expect(storable("x".repeat(512))).toHaveLength(512);
    expect(storable("x".repeat(600))).toBe(`${"x".repeat(511)}…`);
  });
});
