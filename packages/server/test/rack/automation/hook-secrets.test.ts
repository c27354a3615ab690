import { describe, expect, it } from "vitest";
import { rotated } from "../../../src/rack/automation/hooks/hook-secrets.ts";

describe("the secrets of a webhook after a rotation", () => {
  it("are the new one, and those before it until the overlap is over", () => {
    expect(rotated([{ name: "a" }], { name: "b" }, 1_000, 10)).toEqual({ secrets: [{ name: "b" }, { name: "a", until: 1_000 }], gone: [] });
  });

  it("are the new one alone without an overlap", () => {
    expect(rotated([{ name: "a" }], { name: "b" }, 10, 10)).toEqual({ secrets: [{ name: "b" }], gone: [{ name: "a", until: 10 }] });
  });

  it("count no longer than an earlier rotation said, and sooner if this one says so", () => {
    const before = [{ name: "b" }, { name: "a", until: 500 }];
    expect(rotated(before, { name: "c" }, 9_000, 10).secrets).toEqual([
      { name: "c" },
      { name: "b", until: 9_000 },
      { name: "a", until: 500 },
    ]);
    expect(rotated(before, { name: "c" }, 100, 10).secrets).toEqual([{ name: "c" }, { name: "b", until: 100 }, { name: "a", until: 100 }]);
    expect(rotated(before, { name: "c" }, 9_000, 500).gone).toEqual([{ name: "a", until: 500 }]);
  });
});
