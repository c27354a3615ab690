import { describe, expect, it } from "vitest";
import { createCallIds } from "../../src/call/call-ids.ts";

describe("createCallIds", () => {
  it("never gives an id twice, and gives them in order", () => {
    const next = createCallIds();
    const ids = Array.from({ length: 25_000 }, next);
    expect(new Set(ids).size).toBe(ids.length);
    const numbers = ids.map((id) => Number(id.slice(id.lastIndexOf("-") + 1)));
    expect(numbers).toEqual(numbers.map((_, index) => index));
  });

  it("begins differently in every registry", () => {
    const beginnings = Array.from({ length: 1_000 }, () => createCallIds()().slice(0, 16));
    expect(new Set(beginnings).size).toBe(1_000);
  });
});
