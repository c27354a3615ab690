import { describe, expect, it } from "vitest";
import { contentHash } from "../../src/util/hash.ts";

describe("contentHash", () => {
  it("tells different values apart, and is the same for equal ones", () => {
    expect(contentHash({ a: 1, b: 2 })).toBe(contentHash({ b: 2, a: 1 }));
    expect(contentHash({ a: 1 })).not.toBe(contentHash({ a: "1" }));
    expect(contentHash({})).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});
