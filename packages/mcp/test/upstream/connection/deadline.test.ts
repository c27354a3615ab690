import { getEventListeners } from "node:events";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it, vi } from "vitest";
import { withDeadline } from "../../../src/upstream/connection/deadline.ts";

const waiting = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("taken away"))));

describe("work with a deadline", () => {
  it("leaves neither a timer nor a listener behind, however it ends", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    afterThisTest(() => vi.useRealTimers());
    const { signal } = new AbortController();
    const left = (): unknown => [vi.getTimerCount(), getEventListeners(signal, "abort").length];
    const during: unknown[] = [];
    expect(await withDeadline(100, signal, async () => (during.push(left()), "done"))).toBe("done");
    await expect(withDeadline(100, signal, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect([during, left()]).toEqual([[[1, 1]], [0, 0]]);
  });

  it("ends with the time, and says so, whatever the work says then", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    afterThisTest(() => vi.useRealTimers());
    let own: AbortSignal | undefined;
    const ended = expect(withDeadline(100, new AbortController().signal, (signal) => waiting((own = signal)))).rejects.toEqual(
      new DOMException("Timed out after 100 ms", "TimeoutError"),
    );
    vi.advanceTimersByTime(99);
    expect(own!.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    await ended;
  });

  it("ends with its parent, for its reason, and is not begun after it", async () => {
    const controller = new AbortController();
    const ended = expect(withDeadline(60_000, controller.signal, waiting)).rejects.toThrow("Enough.");
    controller.abort(new Error("Enough."));
    await ended;
    const run = vi.fn();
    await expect(withDeadline(60_000, controller.signal, run)).rejects.toThrow("Enough.");
    expect(run).not.toHaveBeenCalled();
  });
});
