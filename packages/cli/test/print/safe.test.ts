import { describe, expect, it } from "vitest";
import { safe } from "../../src/print/safe.ts";

describe("safe", () => {
  it("S6: takes out what would move the cursor, recolour or retitle the terminal, and keeps lines", () => {
    expect(safe("\u001b[31mred\u001b[0m")).toBe("red");
    expect(safe("\u001b]0;title\u0007text")).toBe("text");
    expect(safe("a\rb\u0008c\u0000")).toBe("abc");
    expect(safe("one\n\ttwo")).toBe("one\n\ttwo");
  });

  it("takes out what would turn the direction of writing", () => {
    expect(safe("abc\u202egnp.exe")).toBe("abcgnp.exe");
  });

  it("takes anything", () => {
    expect([safe(undefined), safe(null), safe(5)]).toEqual(["", "", "5"]);
  });
});
