import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";

afterEach(() => vi.useRealTimers());

describe("while a test moves the clock", () => {
  it("its own timers are moved and counted", () => {
    vi.useFakeTimers();
    const seen: string[] = [];
    setTimeout(() => seen.push("late"), 1_000);
    const repeated = setInterval(() => seen.push("again"), 400);
    clearTimeout(setTimeout(() => seen.push("never"), 500));
    expect(vi.getTimerCount()).toBe(2);
    vi.advanceTimersByTime(1_000);
    clearInterval(repeated);
    expect(seen).toEqual(["again", "again", "late"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("Node's own code keeps its timers: a request is answered, and the connection that stays is not counted", async () => {
    const server = createServer((_, response) => response.end("answered"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      vi.useFakeTimers();
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      expect(await response.text()).toBe("answered");
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it("a timer from before is cleared as itself", async () => {
    let isCalled = false;
    const before = setTimeout(() => (isCalled = true), 5);
    vi.useFakeTimers();
    clearTimeout(before);
    vi.useRealTimers();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(isCalled).toBe(false);
  });
});
