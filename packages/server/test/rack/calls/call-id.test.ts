import { untilLater } from "@toolrack/testkit/until";
import { expect, it } from "vitest";
import { newCallId } from "../../../src/rack/calls/call-id.ts";

it("the names of calls are all different, unguessable in the same places, and in the order of their time", async () => {
  const first = newCallId();
  await untilLater();
  const later = Array.from({ length: 10_000 }, newCallId);
  expect(new Set([first, ...later]).size).toBe(10_001);
  for (const id of later) {
    expect(id).toMatch(/^[0-9a-z]{9}[\w-]{24}$/);
    expect(id.slice(0, 9) > first.slice(0, 9)).toBe(true);
  }
  const seen = Array.from({ length: 24 }, (_, place) => new Set(later.map((id) => id[9 + place])).size);
  expect(Math.min(...seen)).toBe(64);
  expect(Number.parseInt(first.slice(0, 9), 36)).toBeLessThanOrEqual(Date.now());
});
