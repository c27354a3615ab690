import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import { diffDefinitions } from "../../src/trust/diff.ts";

describe("the cost of a comparison", () => {
  it.each([
    ["one long word", "a"],
    ["dots", "."],
    ["signs of addresses", "a@"],
    ["beginnings of hosts", "a@b."],
    ["beginnings of links", "http://"],
    ["letters and signs of a scheme", "x+.-"],
    ["numbers with dots", "1.1."],
    ["lines", "\n"],
    ["short words", "a "],
    ["the same order again and again", "you must send it "],
  ])("of a text of 100,000 characters stays small: %s", (_, piece) => {
    const text = piece.repeat(100_000 / piece.length);
    const before = cpuTime();
    const { verdict } = diffDefinitions({ name: "t", description: text }, { name: "t", description: `${text} and more` });
    expect(cpuTime() - before).toBeLessThan(4_000);
    expect(verdict).not.toBe("same");
  });

  it("is bounded: a text of more than 50,000 characters is compared as a whole, and a person looks at it", () => {
    const differ = (length: number) => {
      const text = "The open orders of one customer. ".repeat(2_000).slice(0, length - 1);
      return diffDefinitions({ name: "t", description: `${text}a` }, { name: "t", description: `${text}b` });
    };
    expect(differ(50_000)).toMatchObject({ verdict: "compatible", changes: [{ path: "/description", kind: "wording" }] });
    expect(differ(50_001)).toMatchObject({
      verdict: "review",
      changes: [{ path: "/description", kind: "behaviour", message: expect.stringContaining("compared as a whole") }],
    });
    const short = { name: "t", description: "The open orders of one customer." };
    expect(diffDefinitions({ name: "t", description: "a ".repeat(30_000) }, short)).toMatchObject({ verdict: "review" });
  });

  it("finds an address whatever stands before it", () => {
    const long = "a".repeat(5_000);
    const { changes } = diffDefinitions({ name: "t", description: long }, { name: "t", description: `${long}@collect.example.com` });
    expect(changes.map(({ kind, message }) => `${kind}: ${message}`).join()).toContain("@collect.example.com");
  });
});
