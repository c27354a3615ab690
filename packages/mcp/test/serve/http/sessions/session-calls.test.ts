import { describe, expect, it, vi } from "vitest";
import type { HttpExchange } from "../../../../src/serve/http/http-exchange.ts";
import { createSessionCalls, requestKey } from "../../../../src/serve/http/sessions/session-calls.ts";

interface FakeExchange {
  readonly id: number | string;
  readonly cancelled: string[];
  onEnd?: () => void;
}

function exchange(id: number | string): FakeExchange & HttpExchange {
  const cancelled: string[] = [];
  return { id, cancelled, cancel: (reason: string) => void cancelled.push(reason) } as unknown as FakeExchange & HttpExchange;
}

describe("the calls of legacy sessions", () => {
  it("are cancelled by session and request, until they are answered", () => {
    const calls = createSessionCalls();
    const [first, second] = [exchange(1), exchange(2)];
    for (const one of [first, second]) calls.add("s", one);
    expect(calls.cancel("other", requestKey(1))).toBe(false);
    expect(calls.cancel("s", requestKey(1))).toBe(true);
    expect([first.cancelled, second.cancelled]).toEqual([["The client cancelled the call."], []]);
    first.onEnd!();
    expect(calls.cancel("s", requestKey(1))).toBe(false);
    expect(calls.cancel("s", requestKey(2))).toBe(true);
  });

  it("are the newest of an id: the end of an older one does not hide it", () => {
    const calls = createSessionCalls();
    const [older, newer] = [exchange(1), exchange(1)];
    calls.add("s", older);
    calls.add("s", newer);
    older.onEnd!();
    expect(calls.cancel("s", requestKey(1))).toBe(true);
    expect([older.cancelled.length, newer.cancelled.length]).toEqual([0, 1]);
  });

  it("end with their session, and with no other", () => {
    const calls = createSessionCalls();
    const [first, second, other] = [exchange(1), exchange(2), exchange(1)];
    for (const [session, one] of [
      ["s", first],
      ["s", second],
      ["t", other],
    ] as const)
      calls.add(session, one);
    calls.endSession("s");
    calls.endSession("nobody");
    expect([first, second, other].map(({ cancelled }) => cancelled)).toEqual([["The session has ended."], ["The session has ended."], []]);
  });

  it("are cancelled when they come within a minute after their cancel, once", () => {
    vi.useFakeTimers();
    try {
      const calls = createSessionCalls();
      for (const id of [1, 2]) calls.cancel("s", requestKey(id));
      const [overtaken, again, elsewhere] = [exchange(1), exchange(1), exchange(1)];
      calls.add("t", elsewhere);
      calls.add("s", overtaken);
      calls.add("s", again);
      expect([overtaken, again, elsewhere].map(({ cancelled }) => cancelled.length)).toEqual([1, 0, 0]);
      vi.advanceTimersByTime(60_001);
      calls.cancel("s", requestKey(3));
      const late = exchange(2);
      calls.add("s", late);
      expect(late.cancelled).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("that are cancelled ahead are remembered in bounded number, the oldest forgotten first", () => {
    const calls = createSessionCalls();
    for (let id = 0; id <= 10_000; id++) calls.cancel("s", requestKey(id));
    const [oldest, newest] = [exchange(0), exchange(10_000)];
    for (const one of [oldest, newest]) calls.add("s", one);
    expect([oldest.cancelled.length, newest.cancelled.length]).toEqual([0, 1]);
  });

  it("have short keys, different for each id", () => {
    expect([requestKey(1), requestKey("1")]).toEqual(["number 1", "string 1"]);
    expect(requestKey("x".repeat(121))).toBe(`string ${"x".repeat(121)}`);
    const [long, other] = [requestKey("x".repeat(122)), requestKey("y".repeat(122))];
    expect(long).toMatch(/^hash [\w-]{43}$/);
    expect(other).not.toBe(long);
  });
});
