import { describe, expect, it } from "vitest";
import { PersonWaits } from "../../src/call/person-waits.ts";

describe("the time that people took", () => {
  it("counts waits that overlap once, and nothing in between", () => {
    const waits = new PersonWaits();
    expect([waits.isOpen, waits.totalMs]).toEqual([false, 0]);
    waits.begin(100);
    waits.begin(150);
    waits.end(180);
    expect([waits.isOpen, waits.totalMs]).toEqual([true, 0]);
    waits.end(200);
    expect([waits.isOpen, waits.totalMs]).toEqual([false, 100]);
    waits.begin(1_000);
    waits.end(1_005);
    expect(waits.totalMs).toBe(105);
    waits.begin(2_000);
    expect([waits.totalMs, waits.until(2_010)]).toEqual([105, 115]);
  });

  it("is told once when nobody is waited for any more", () => {
    const waits = new PersonWaits();
    let ends = 0;
    waits.begin(0);
    waits.begin(0);
    waits.onEnd(() => void ends++);
    waits.end(1);
    expect(ends).toBe(0);
    waits.end(2);
    waits.begin(3);
    waits.end(4);
    expect(ends).toBe(1);
  });
});
