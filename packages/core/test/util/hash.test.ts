import { afterEach, describe, expect, it, vi } from "vitest";
import { contentHash } from "../../src/util/hash.ts";

describe("contentHash", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("tells different values apart, and is the same for equal ones", () => {
    expect(contentHash({ a: 1, b: 2 })).toBe(contentHash({ b: 2, a: 1 }));
    expect(contentHash({ a: 1 })).not.toBe(contentHash({ a: "1" }));
    expect(contentHash({})).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it("is the same where there is no Node", async () => {
    vi.resetModules();
    vi.stubGlobal("process", undefined);
    const elsewhere = await import("../../src/util/hash.ts");
    expect(elsewhere.contentHash({ a: ["é", 1] })).toBe(contentHash({ a: ["é", 1] }));
  });
});
