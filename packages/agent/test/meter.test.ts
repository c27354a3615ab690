import { createFakeClock } from "@toolrack/core/testing";
import { expect, it } from "vitest";
import { createMeter } from "../src/budget/meter.ts";

it("the time of a child is over with that of its parent, or before, whichever comes first", () => {
  const clock = createFakeClock();
  const parent = createMeter({ budget: { ms: 1_000 }, clock });
  expect(createMeter({ budget: {}, clock, parent }).deadline).toBe(parent.deadline);
  expect(createMeter({ budget: { ms: 5_000 }, clock, parent }).deadline).toBe(parent.deadline);
  expect(createMeter({ budget: { ms: 10 }, clock, parent }).deadline).toBe(parent.deadline - 990);
});
