import { describe, expect, it } from "vitest";
import { createBudget } from "../../../src/rack/programs/budget.ts";

const megabyte = 1_024 * 1_024;
const holding = (counted: number, held: number = counted): { memoryBytes: number; measureMemory(): number } => ({
  memoryBytes: counted * megabyte,
  measureMemory: () => held * megabyte,
});

describe("the memory of all programs", () => {
  it("is refused to a large program when it is used up, and free again when one is gone", () => {
    const budget = createBudget(10 * megabyte);
    const [a, b] = [{}, {}];
    expect(budget.holds(a, holding(6))).toBe(true);
    expect(budget.holds(b, holding(6))).toBe(false);
    budget.releases(a);
    expect(budget.holds(b, holding(6))).toBe(true);
  });

  it("is measured before a program is refused", () => {
    const budget = createBudget(10 * megabyte);
    expect(budget.holds({}, holding(6))).toBe(true);
    expect(budget.holds({}, holding(30, 1))).toBe(true);
  });

  it("does not end small programs", () => {
    const budget = createBudget(10 * megabyte);
    expect(budget.holds({}, holding(11))).toBe(false);
    expect(budget.holds({}, holding(0.2))).toBe(true);
  });
});
