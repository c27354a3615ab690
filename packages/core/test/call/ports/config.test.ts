import { describe, expect, it } from "vitest";
import { createMemoryConfig } from "../../../src/call/ports/config.ts";

describe("createMemoryConfig", () => {
  it("answers what was given and set at once, and nothing that every object inherits", () => {
    const config = createMemoryConfig({ a: { unit: "C" } });
    config.set("b", { unit: "F" });
    expect([config.get("a"), config.get("b"), config.get("c"), config.get("constructor")]).toEqual([
      { unit: "C" },
      { unit: "F" },
      undefined,
      undefined,
    ]);
    config.set("a", { unit: "K" });
    expect(config.get("a")).toEqual({ unit: "K" });
  });
});
