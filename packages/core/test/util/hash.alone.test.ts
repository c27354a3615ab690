import { afterEach, describe, expect, it, vi } from "vitest";
import { contentHash } from "../../src/util/hash.ts";
import { portableHash } from "../../src/util/portable-hash.ts";

describe("contentHash", () => {
  it("tells different values apart, and is the same for equal ones", () => {
    expect(contentHash({ a: 1, b: 2 })).toBe(contentHash({ b: 2, a: 1 }));
    expect(contentHash({ a: 1 })).not.toBe(contentHash({ a: "1" }));
    expect(contentHash({})).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

describe("portableHash", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("is the same hash, also where there is no Node", async () => {
    const value = { a: ["é", 1] };
    expect(portableHash(value)).toBe(contentHash(value));
    vi.resetModules();
    vi.stubGlobal("process", undefined);
    const elsewhere = await import("../../src/util/portable-hash.ts");
    expect(elsewhere.portableHash(value)).toBe(contentHash(value));
  });
});
