import { createFakeClock } from "@toolrack/core/testing";
import { describe, expect, it } from "vitest";
import type { Engine, Writes } from "../../src/engine/engine.ts";
import { StoreError } from "../../src/errors.ts";
import { createEndWriter, type JobEnd } from "../../src/jobs/_ends.ts";

describe("the ends of jobs", () => {
  it("are stored although one that came with them cannot be, and that one once it can", async () => {
    const clock = createFakeClock(0);
    const stored: string[] = [];
    const wrong = new Set(["poison"]);
    let failures = 0;
    const tx = {
      async changeJobs(_owner: string, [id]: readonly string[]) {
        if (wrong.has(id!)) throw new Error("This end cannot be stored.");
        return [{ id }];
      },
    } as unknown as Writes;
    const engine = { writeAudit: (work: (tx: Writes) => unknown) => work(tx) } as unknown as Engine;
    const writer = createEndWriter({
      engine,
      clock,
      owner: "main",
      tell: (_type, { id }) => void stored.push(id),
      onStoreFailed: () => void failures++,
    });
    const write = (id: string): Promise<void> =>
      writer.write(
        () => ({ id, type: "done", marks: {}, expected: {} }) as unknown as JobEnd,
        () => false,
      );
    const poison = write("poison");
    await Promise.all([write("first"), write("second")]);
    await write("later");
    expect(stored).toEqual(["first", "second", "later"]);
    expect(failures).toBeGreaterThan(0);
    wrong.clear();
    await clock.advance(5_000);
    await poison;
    expect(stored.at(-1)).toBe("poison");
  });

  /** `changed` has the ids of each transaction; `error` makes it fail. */
  function createWriter() {
    const clock = createFakeClock(0);
    const state: { error: unknown; changed: unknown[][]; told: string[]; failures: unknown[]; open: number; most: number } = {
      error: undefined,
      changed: [],
      told: [],
      failures: [],
      open: 0,
      most: 0,
    };
    const engine = {
      async writeAudit(work: (tx: Writes) => Promise<unknown>) {
        const changes: unknown[] = [];
        state.changed.push(changes);
        state.most = Math.max(state.most, ++state.open);
        await turn();
        state.open -= 1;
        if (state.error !== undefined) throw state.error;
        return work({
          changeJobs: async (...args: unknown[]) => (changes.push(args), args[1]!.toString() === "lost" ? [] : [{ id: args[1] }]),
        } as never);
      },
    } as unknown as Engine;
    const writer = createEndWriter({
      engine,
      clock,
      owner: "main",
      tell: (type, { id }) => void state.told.push(`${type} ${String(id)}`),
      onStoreFailed: (error) => void state.failures.push(error),
    });
    const write = (id: string, isStopped = false): Promise<string> =>
      writer
        .write(
          () => ({ id, type: "done", marks: { state: "done" }, expected: { state: "running", attempt: 1 } }),
          () => isStopped,
        )
        .then(() => id);
    return { clock, state, write };
  }

  it("that come together share a transaction, up to 64, and what was lost to another server is not told", async () => {
    const { state, write } = createWriter();
    await Promise.all([write("a"), write("lost"), ...Array.from({ length: 63 }, (_, index) => write(`e${index}`))]);
    expect(state.changed.map(({ length }) => length)).toEqual([64, 1]);
    expect(state.changed[0]!.slice(0, 2)).toEqual([
      ["main", ["a"], { state: "done" }, { state: "running", attempt: 1 }],
      ["main", ["lost"], { state: "done" }, { state: "running", attempt: 1 }],
    ]);
    expect([state.told.slice(0, 2), state.told.length]).toEqual([["done a", "done e0"], 64]);
  });

  it("are tried again after longer and longer pauses, up to five seconds, and together again once the store takes them", async () => {
    const { clock, state, write } = createWriter();
    state.error = new Error("away");
    const end = write("a");
    const tries: number[] = [];
    for (let ms = 0, known = 0; ms <= 20_000; ms += 100) {
      await clock.advance(ms === 0 ? 0 : 100);
      await turn();
      if (state.changed.length > known) tries.push(ms);
      known = state.changed.length;
    }
    expect(tries).toEqual([0, 100, 300, 700, 1_500, 3_100, 6_300, 11_300, 16_300]);
    expect(state.failures).toHaveLength(tries.length);
    state.error = undefined;
    await clock.advance(5_000);
    expect([await end, clock.pending]).toEqual(["a", 0]);
    state.changed.length = 0;
    await Promise.all(["b", "c", "d", "e", "f", "g", "h"].map((id) => write(id)));
    expect(state.changed.map(({ length }) => length)).toEqual([2, 4, 1]);
  });

  it("that come while others are written wait for them", async () => {
    const { state, write } = createWriter();
    const first = write("a");
    await turn();
    await Promise.all([first, write("b"), write("c")]);
    expect([state.changed.map(({ length }) => length), state.most]).toEqual([[1, 2], 1]);
  });

  it("are given up when the store is closed, without a word, and after one failure when the worker is stopped", async () => {
    const { clock, state, write } = createWriter();
    state.error = new StoreError("STORE_UNAVAILABLE", "Away.");
    expect([await write("z", true), state.failures.splice(0)]).toEqual(["z", [state.error]]);
    state.error = new StoreError("STORE_CLOSED", "Closed.");
    expect([await write("a"), state.failures]).toEqual(["a", []]);
    state.error = new Error("away");
    expect([await write("b", true), state.failures]).toEqual(["b", [state.error]]);
    expect([clock.pending, state.told]).toEqual([0, []]);
  });
});

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
