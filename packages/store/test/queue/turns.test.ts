import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it, vi } from "vitest";
import { createTurns } from "../../src/queue/turns.ts";

describe("turns", () => {
  /** Starts work by the names of its doings, and tells the order in which they begin and end. */
  function watch(): { told: string[]; work(name: string): () => Promise<string>; end(name: string): Promise<void> } {
    const told: string[] = [];
    const ends = new Map<string, () => void>();
    return {
      told,
      work: (name) => async () => {
        told.push(`${name} begins`);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        told.push(`${name} ends`);
        return name;
      },
      async end(name) {
        ends.get(name)!();
        await new Promise((resolve) => setImmediate(resolve));
      },
    };
  }

  it("let those go on together that may, and wait for those that are alone, in the order in which they came", async () => {
    const turns = createTurns();
    const { told, work, end } = watch();
    const all = [
      turns.together(work("a")),
      turns.together(work("b")),
      turns.alone(work("C")),
      turns.together(work("d")),
      turns.alone(work("E")),
    ];
    await new Promise((resolve) => setImmediate(resolve));
    expect(told.splice(0)).toEqual(["a begins", "b begins"]);
    await end("b");
    expect(told.splice(0)).toEqual(["b ends"]);
    await end("a");
    expect(told.splice(0)).toEqual(["a ends", "C begins"]);
    await end("C");
    expect(told.splice(0)).toEqual(["C ends", "d begins"]);
    await end("d");
    await end("E");
    expect(told).toEqual(["d ends", "E begins", "E ends"]);
    expect(await Promise.all(all)).toEqual(["a", "b", "C", "d", "E"]);
  });

  it("go on after one that failed, and keep its failure to itself", async () => {
    const turns = createTurns();
    const fail = (text: string) => () => Promise.reject(new Error(text));
    const outcomes = await Promise.allSettled([
      turns.together(fail("one")),
      turns.alone(async () => 2),
      turns.alone(fail("three")),
      turns.together(async () => 4),
    ]);
    expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : String(outcome.reason)))).toEqual([
      "Error: one",
      2,
      "Error: three",
      4,
    ]);
  });
});

describe("turns with a limit", () => {
  const limit = { waitMs: 100, error: () => new Error("too long") };
  const never = (): Promise<never> => new Promise(() => undefined);

  it("PG2: are given up by all who wait when the one before them hangs, and what they wanted is not done later", async () => {
    const turns = createTurns(limit);
    let end = (): void => undefined;
    const hanging = turns.alone(() => new Promise<void>((resolve) => (end = resolve)));
    let done = 0;
    const waiting = await Promise.allSettled([turns.alone(async () => done++), turns.together(async () => done++)]);
    expect(waiting.map((outcome) => outcome.status === "rejected" && String(outcome.reason))).toEqual([
      "Error: too long",
      "Error: too long",
    ]);
    end();
    await hanging;
    expect(await turns.alone(async () => "next")).toBe("next");
    expect(done).toBe(0);
  });

  it("are waited for as long as others before them succeed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    afterThisTest(() => vi.useRealTimers());
    const turns = createTurns(limit);
    const work = () => new Promise<number>((resolve) => setTimeout(resolve, 99, 1));
    const all = Promise.all(Array.from({ length: 12 }, () => turns.alone(work)));
    await vi.advanceTimersByTimeAsync(12 * 99);
    expect(await all).toHaveLength(12);
  });

  it("are given up also when each of those before them fails", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    afterThisTest(() => vi.useRealTimers());
    const turns = createTurns(limit);
    const fail = () => new Promise<never>((_, reject) => setTimeout(reject, 40, new Error("away")));
    const failing = Promise.allSettled(Array.from({ length: 5 }, () => turns.alone(fail)));
    const givenUp = expect(turns.alone(never)).rejects.toThrow("too long");
    await vi.advanceTimersByTimeAsync(500);
    await givenUp;
    await failing;
  });

  it("cost no timer where nobody is before them, and none is left when they have come", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    afterThisTest(() => vi.useRealTimers());
    const turns = createTurns(limit);
    for (const work of [async () => 1, () => Promise.reject(new Error("failed")), async () => 2]) {
      const done = turns.alone<unknown>(work).catch(String);
      expect(vi.getTimerCount()).toBe(0);
      await done;
    }
    const both = [turns.alone(async () => 3), turns.alone(async () => 4)];
    expect(vi.getTimerCount()).toBe(1);
    await Promise.all(both);
    expect(vi.getTimerCount()).toBe(0);
    let end = (): void => undefined;
    const hanging = turns.alone(() => new Promise<void>((resolve) => (end = resolve)));
    const late = expect(turns.alone(async () => 5)).rejects.toThrow("too long");
    await vi.advanceTimersByTimeAsync(100);
    await late;
    end();
    await hanging;
    const next = turns.alone(async () => 6); // behind one that gave up
    await next;
    expect(vi.getTimerCount()).toBe(0);
    const last = turns.alone(async () => 7);
    expect(vi.getTimerCount()).toBe(0);
    await last;
  });

  it("are given up exactly when the time since they came, or since the last success, is over", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    afterThisTest(() => vi.useRealTimers());
    const turns = createTurns(limit);
    const told: string[] = [];
    const first = turns.alone(() => new Promise((resolve) => setTimeout(resolve, 60)));
    void turns.alone(never);
    await vi.advanceTimersByTimeAsync(30);
    void turns.alone(never).catch(() => told.push("waited from 30, and since the success at 60"));
    await vi.advanceTimersByTimeAsync(30);
    await first;
    await vi.advanceTimersByTimeAsync(20);
    void turns.alone(never).catch(() => told.push("waited from 80"));
    await vi.advanceTimersByTimeAsync(79);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toEqual(["waited from 30, and since the success at 60"]);
    await vi.advanceTimersByTimeAsync(19);
    expect(told).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toHaveLength(2);
  });
});
