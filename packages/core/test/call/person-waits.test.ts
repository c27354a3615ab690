import { expect, it } from "vitest";
import { PersonWaits } from "../../src/call/person-waits.ts";

it("waits for people that overlap count once, from the first to the last", () => {
  const waits = new PersonWaits();
  waits.begin(100);
  waits.begin(300);
  waits.end(400);
  expect([waits.isOpen, waits.totalMs]).toEqual([true, 0]);
  waits.end(600);
  expect([waits.isOpen, waits.totalMs]).toEqual([false, 500]);
  waits.begin(1_000);
  waits.end(1_010);
  expect(waits.totalMs).toBe(510);
});
