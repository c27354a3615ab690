import { describe, expect, it, vi } from "vitest";
import { createGrace } from "../../../src/upstream/connection/grace.ts";

describe("the time in which tools of a lost server stay", () => {
  it("ends once, told and taken once, unless the connection is back", () => {
    vi.useFakeTimers();
    try {
      let expired = 0;
      const grace = createGrace(100, () => void expired++);
      grace.begin();
      vi.advanceTimersByTime(50);
      grace.begin();
      vi.advanceTimersByTime(49);
      expect([expired, grace.takeExpiry()]).toEqual([0, false]);
      vi.advanceTimersByTime(1);
      expect([expired, grace.takeExpiry(), grace.takeExpiry()]).toEqual([1, true, false]);
      grace.end();
      grace.begin();
      grace.end();
      vi.advanceTimersByTime(200);
      expect([expired, vi.getTimerCount()]).toEqual([1, 0]);
      grace.begin();
      vi.advanceTimersByTime(100);
      grace.end();
      expect([expired, grace.takeExpiry()]).toEqual([2, false]);
    } finally {
      vi.useRealTimers();
    }
  });
});
