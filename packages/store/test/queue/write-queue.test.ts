import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it } from "vitest";
import { createWriteQueue, isOutage } from "../../src/queue/write-queue.ts";
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

  it("hold 512 items at most, and one runs at a time, unless told otherwise", async () => {
    const handed: number[] = [];
    let [running, most] = [0, 0];
    const batches = createWriteQueue<number>(async (items) => {
      most = Math.max(most, ++running);
      handed.push(items.length);
      await turns();
      running -= 1;
    });
    await Promise.all(Array.from({ length: 1_025 }, (_, index) => batches.add(index)));
    expect([handed, most]).toEqual([[512, 512, 1], 1]);
  });

  it("answer each item, and tell how many wait", async () => {
    const batches = createWriteQueue<number, string>(async () => undefined, { answerOf: (item) => `answer ${item}` });
    const answers = [batches.add(1), batches.add(2)];
    expect(batches.waiting).toBe(2);
    expect(await Promise.all(answers)).toEqual(["answer 1", "answer 2"]);
    const plain = createWriteQueue<number>(async () => undefined);
    expect(await plain.add(1)).toBeUndefined();
  });

  it("take items that nobody waits for, whose failure is told", async () => {
    const handed: number[][] = [];
    const failures: unknown[] = [];
    const batches = createWriteQueue<number>(async (items) => {
      if (items.includes(2)) throw new Error("two");
      handed.push([...items]);
    });
    batches.leave(1, (error) => failures.push(error));
    batches.leave(2, (error) => failures.push(error));
    await batches.settled();
    expect(handed).toEqual([[1]]);
    expect(failures).toEqual([new Error("two")]);
  });

  it("of one item are tried once, and fail also where there is no reason", async () => {
    let tries = 0;
    const batches = createWriteQueue<number>(() => {
      tries += 1;
      return Promise.reject(undefined);
    });
    await expect(batches.add(1)).rejects.toThrow("The batch failed.");
    expect(tries).toBe(1);
  });

  it("are tried item by item where the database refused something, which is no outage", () => {
    expect(isOutage(new StoreError("STORE_FAILED", "refused"))).toBe(false);
    expect(isOutage(new StoreError("STORE_FULL", "full"))).toBe(true);
    expect(isOutage(new Error("other"))).toBe(false);
  });
});
