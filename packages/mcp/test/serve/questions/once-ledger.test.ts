import { describe, expect, it } from "vitest";
import { createOnceLedger } from "../../../src/serve/questions/once-ledger.ts";

const [past, future] = [Date.now() - 1_000, Date.now() + 600_000];

describe("a ledger of what was used", () => {
  it("accepts an id once", () => {
    const ledger = createOnceLedger();
    expect([ledger.claim("a", future), ledger.claim("a", future), ledger.claim("b", future)]).toEqual([true, false, true]);
  });

  it("that is full forgets what has expired, and nothing else", () => {
    const ledger = createOnceLedger(2);
    expect([ledger.claim("old", past), ledger.claim("new", future)]).toEqual([true, true]);
    expect(ledger.claim("third", future)).toBe(true);
    expect(ledger.claim("new", future)).toBe(false);
  });

  it("that is full of what has not expired accepts nothing further", () => {
    const ledger = createOnceLedger(2);
    expect([ledger.claim("a", future), ledger.claim("b", future)]).toEqual([true, true]);
    expect([ledger.claim("c", future), ledger.claim("c", future)]).toEqual([false, false]);
  });

  it("that is not full remembers what has expired, too", () => {
    const ledger = createOnceLedger(3);
    ledger.claim("old", past);
    expect(ledger.claim("old", future)).toBe(false);
  });
});
