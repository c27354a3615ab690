import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it } from "vitest";
import { createWriteQueue } from "../../src/queue/write-queue.ts";
import { StoreError } from "../../src/errors.ts";

describe("batches", () => {
  it("hand over together, in order, what comes in one turn", async () => {
    const handed: number[][] = [];
    const batches = createWriteQueue<number>(async (items) => void handed.push([...items]), { largest: 4 });
    await Promise.all(Array.from({ length: 10 }, (_, index) => batches.add(index)));
    expect(handed).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9],
    ]);
    expect(batches.waiting).toBe(0);
    await batches.settled();
  });

  it("take in what those whom a batch let go bring next, and settle when what was there is over", async () => {
    const handed: number[][] = [];
    const batches = createWriteQueue<number>(async (items) => void handed.push([...items]));
    const callers = [10, 20, 30].map(async (first) => {
      for (let index = 0; index < 3; index++) await batches.add(first + index);
    });
    const settled = batches.settled().then(() => handed.length);
    await Promise.all(callers);
    expect(await settled).toBeGreaterThan(0);
    expect(handed).toEqual([
      [10, 20, 30],
      [11, 21, 31],
      [12, 22, 32],
    ]);
  });

  it("begin while others are under way, as many as may be", async () => {
    const ends: (() => void)[] = [];
    const handed: number[][] = [];
    const flush = (items: readonly number[]): Promise<void> => {
      handed.push([...items]);
      return new Promise((resolve) => ends.push(resolve));
    };
    const batches = createWriteQueue<number>(flush, { atOnce: () => 2 });
    const done: number[] = [];
    for (const item of [1, 2, 3, 4]) {
      void batches.add(item).then(() => done.push(item));
      await turns();
    }
    expect(handed).toEqual([[1], [2]]);
    ends.shift()!();
    await turns();
    expect([handed, done]).toEqual([[[1], [2], [3, 4]], [1]]);
    let isSettled = false;
    void batches.settled().then(() => (isSettled = true));
    ends.pop()!();
    await turns();
    expect([done, isSettled]).toEqual([[1, 3, 4], false]);
    ends.pop()!();
    await turns();
    expect([done, isSettled]).toEqual([[1, 3, 4, 2], true]);
  });

  it("fail for the item that is at fault alone", async () => {
    const handed: number[][] = [];
    const batches = createWriteQueue<number>(async (items) => {
      if (items.includes(3)) throw new Error("three");
      handed.push([...items]);
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, (_, index) => batches.add(index)));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(handed).toEqual([[0], [1], [2], [4]]);
  });

  it("fail together, and are not tried again, while the store is away", async () => {
    let tries = 0;
    const batches = createWriteQueue<number>(async () => {
      tries += 1;
      throw new StoreError("STORE_UNAVAILABLE", "away");
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, (_, index) => batches.add(index)));
    expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => "rejected"));
    expect(tries).toBe(1);
  });
});
