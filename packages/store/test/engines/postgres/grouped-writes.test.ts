import { turns as eventTurns } from "@toolrack/testkit/turns";
import pg from "pg";
import { describe, expect, it } from "vitest";
import type { Change, Head, Reads, Saving, Writes } from "../../../src/engine/engine.ts";
import { createGroupedWrites } from "../../../src/engines/postgres/grouped-writes.ts";
import { createLightWrites, type LightOutcome, type Work } from "../../../src/engines/postgres/light-writes.ts";
import { StoreError } from "../../../src/errors.ts";
import { createTurns, type Turns } from "../../../src/queue/turns.ts";

const headOf = (owner: string, id: string): Head =>
  ({ record: { owner, id, version: 1 }, position: 1, deleted: false, expiresAt: undefined, readsLeft: undefined }) as unknown as Head;

const savingOf = (owner: string, id: string): Saving => ({ type: "updated", record: { owner, id, version: 2 } }) as unknown as Saving;

describe("work that is tried together without a transaction", () => {
  function start(missing: readonly string[] = []) {
    const read: [owner: string, ids: readonly string[]][] = [];
    const saved: string[][] = [];
    const all = {
      read,
      saved,
      failure: undefined as Error | undefined,
      reads: {
        heads: async (owner: string, ids: readonly string[]) => {
          read.push([owner, ids]);
          return ids.filter((id) => !missing.includes(id)).map((id) => headOf(owner, id));
        },
        revision: async (owner: string, id: string, version: number) => ({ owner, id, version }),
      } as unknown as Reads,
      saveUnchanged: async (savings: readonly Saving[]): Promise<readonly Change[]> => {
        saved.push(savings.map(({ record }) => `${record.owner}/${record.id}`));
        if (all.failure !== undefined) throw all.failure;
        return savings.map(({ type, record }, index) => ({ type, record, sequence: 41 + index }));
      },
    };
    const run = (...works: Work[]): Promise<readonly LightOutcome[]> =>
      createLightWrites({ reads: all.reads, names: ["head", "heads", "revision", "save", "lockAudit"], saveUnchanged: all.saveUnchanged })(
        works,
      );
    return { ...all, all, run };
  }

  /** Reads a record, and saves it. */
  const write =
    (owner: string, id: string): Work =>
    async (tx) => {
      const head = await tx.head(owner, id);
      const [change] = await tx.save([savingOf(owner, id)]);
      expect(change?.sequence).toBe(0); // its number is known after the commit
      return { head, change };
    };

  it("reads by one query for each owner, saves by one statement, and gets the numbers of its own changes", async () => {
    const { read, saved, run } = start(["c"]);
    const outcomes = await run(write("one", "a"), write("one", "b"), write("two", "a"), write("two", "c"));
    expect(read).toEqual([
      ["one", ["a", "b"]],
      ["two", ["a", "c"]],
    ]);
    expect(saved).toEqual([["one/a", "one/b", "two/a", "two/c"]]);
    const result = (owner: string, id: string, sequence: number, isThere = true) => ({
      ok: true,
      result: {
        head: isThere ? headOf(owner, id) : undefined,
        change: { type: "updated", record: savingOf(owner, id).record, sequence },
      },
    });
    expect(outcomes).toEqual([result("one", "a", 41), result("one", "b", 42), result("two", "a", 43), result("two", "c", 44, false)]);
  });

  it("reads what is asked for later by another query", async () => {
    const { read, run } = start();
    await run(async (tx) => {
      await tx.heads("one", ["a", "b"]);
      return tx.heads("one", ["b", "c"]);
    });
    expect(read).toEqual([
      ["one", ["a", "b"]],
      ["one", ["b", "c"]],
    ]);
  });

  it("answers the heads in the order of the question, and a revision as it was", async () => {
    const { saved, run } = start(["b"]);
    const [heads, revision] = await run(
      (tx) => tx.heads("one", ["c", "b", "a"]),
      (tx) => tx.revision("one", "a", 3),
    );
    expect(heads).toEqual({ ok: true, result: [headOf("one", "c"), headOf("one", "a")] });
    expect(revision).toEqual({ ok: true, result: { owner: "one", id: "a", version: 3 } });
    expect(saved).toEqual([]);
  });

  it.each<[string, Work]>([
    ["asks for anything but records", (tx) => tx.lockAudit()],
    ["goes on although it was told so", async (tx) => tx.lockAudit().catch(() => "went on")],
    ["saves what it did not read", (tx) => tx.save([savingOf("one", "x")])],
    [
      "saves a record twice",
      async (tx) => {
        await tx.head("one", "x");
        await tx.save([savingOf("one", "x")]);
        await tx.save([savingOf("one", "x")]);
      },
    ],
    [
      "saves a record twice at once",
      async (tx) => {
        await tx.head("one", "x");
        await tx.save([savingOf("one", "x"), savingOf("one", "x")]);
      },
    ],
    [
      "reads what it saved",
      async (tx) => {
        await tx.head("one", "x");
        await tx.save([savingOf("one", "x")]);
        await tx.head("one", "x");
      },
    ],
  ])("is left for a transaction, with nothing of it saved, where it %s", async (_, work) => {
    const { saved, run } = start();
    expect(await run(work, write("one", "a"))).toEqual([undefined, expect.objectContaining({ ok: true })]);
    expect(saved).toEqual([["one/a"]]);
  });

  it("is left for a transaction where other work asked for the same record before, of the same owner", async () => {
    const { saved, run } = start();
    const outcomes = await run(write("one", "a"), write("one", "a"), write("two", "a"));
    expect(outcomes.map((outcome) => outcome?.ok)).toEqual([true, undefined, true]);
    expect(saved).toEqual([["one/a", "two/a"]]);
  });

  it("may ask twice for a record", async () => {
    const { run } = start();
    const [outcome] = await run(async (tx) => {
      await tx.head("one", "a");
      return tx.head("one", "a");
    });
    expect(outcome).toEqual({ ok: true, result: headOf("one", "a") });
  });

  it("saves nothing of what failed, whose error is its outcome", async () => {
    const { saved, run } = start();
    const error = new Error("no");
    const failing: Work = async (tx) => {
      await write("one", "b")(tx);
      throw error;
    };
    expect(await run(failing, write("one", "a"))).toEqual([{ ok: false, error }, expect.objectContaining({ ok: true })]);
    expect(saved).toEqual([["one/a"]]);
    expect(await run(failing)).toEqual([{ ok: false, error }]);
    expect(saved).toHaveLength(1);
  });

  it("fails where the heads cannot be read", async () => {
    const { reads, run } = start();
    const error = new Error("away");
    reads.heads = () => Promise.reject(error);
    expect(await run(write("one", "a"))).toEqual([{ ok: false, error }]);
  });

  it("is left for a transaction where the statement was refused, and fails where nobody knows; what only read goes on", async () => {
    const { all, run } = start();
    const reading: Work = async (tx) => (await tx.head("one", "r"))?.position;
    all.failure = new StoreError("STORE_FAILED", "refused", { cause: new pg.DatabaseError("division by zero", 1, "error") });
    expect(await run(write("one", "a"), reading)).toEqual([undefined, { ok: true, result: 1 }]);
    all.failure = new StoreError("STORE_UNAVAILABLE", "away");
    expect(await run(write("one", "a"), reading)).toEqual([
      { ok: false, error: all.failure },
      { ok: true, result: 1 },
    ]);
  });
});

interface StartOptions {
  readonly outcomeOf?: (index: number) => LightOutcome;
  readonly turns?: Turns;
  readonly commitError?: Error;
}

describe("writes in groups", () => {
  /** What is left after the try shares a transaction; `tried` and `transactions` are by the number of works in them. */
  function start({ outcomeOf = () => undefined, turns = createTurns(), commitError }: StartOptions = {}) {
    const [tried, transactions]: [number[], string[][]] = [[], []];
    const write = createGroupedWrites(
      turns,
      async (works) => {
        tried.push(works.filter((work) => typeof work === "function").length);
        return works.map((_, index) => outcomeOf(index));
      },
      async (work) => {
        const log: string[] = [];
        transactions.push(log);
        const result = await work(log as unknown as Writes);
        if (commitError !== undefined) throw commitError;
        return result;
      },
    );
    /** Names itself in the transaction it runs in. */
    const named = (name: string, error?: Error) =>
      write(async (tx) => {
        (tx as unknown as string[]).push(name);
        if (error !== undefined) throw error;
        return name;
      });
    return { write, named, tried, transactions };
  }

  it("give those that come together one transaction, in their order, and each its own result", async () => {
    const { named, tried, transactions } = start();
    expect(await Promise.all(["a", "b", "c"].map((name) => named(name)))).toEqual(["a", "b", "c"]);
    expect([tried, transactions]).toEqual([[3], [["a", "b", "c"]]]);
    expect(await named("d")).toBe("d");
    expect([tried, transactions]).toEqual([
      [3, 1],
      [["a", "b", "c"], ["d"]],
    ]);
  });

  it("take at most 32 at a time", async () => {
    const { named, tried } = start();
    await Promise.all(Array.from({ length: 33 }, (_, index) => named(`${index}`)));
    expect(tried).toEqual([32, 1]);
  });

  it("begin another group for those that come while one is under way", async () => {
    const { named, tried } = start();
    const first = named("a");
    await eventTurns();
    await Promise.all([first, named("b"), named("c")]);
    expect(tried).toEqual([1, 2]);
  });

  it("are over for those whose try was enough, also for a failure, and go on with the others", async () => {
    const error = new Error("no");
    const outcomes: LightOutcome[] = [{ ok: true, result: "light" }, { ok: false, error }, undefined];
    const { named, transactions } = start({ outcomeOf: (index) => outcomes[index] });
    const settled = await Promise.allSettled(["a", "b", "c"].map((name) => named(name)));
    expect(settled).toEqual([
      { status: "fulfilled", value: "light" },
      { status: "rejected", reason: error },
      { status: "fulfilled", value: "c" },
    ]);
    expect(transactions).toEqual([["c"]]);
  });

  it("need no transaction where all tries were enough", async () => {
    const { named, transactions } = start({ outcomeOf: () => ({ ok: true, result: 1 }) });
    expect(await Promise.all([named("a"), named("b")])).toEqual([1, 1]);
    expect(transactions).toEqual([]);
  });

  it.each([new Error("of the work"), new StoreError("FORBIDDEN", "not yours")])(
    "run each alone where one is refused, so that it fails alone: %s",
    async (error) => {
      const { named, transactions } = start();
      const settled = await Promise.allSettled([named("a"), named("b", error), named("c")]);
      expect(settled).toEqual([
        { status: "fulfilled", value: "a" },
        { status: "rejected", reason: error },
        { status: "fulfilled", value: "c" },
      ]);
      expect(transactions).toEqual([["a", "b"], ["a"], ["b"], ["c"]]);
    },
  );

  it("fail together where the database does", async () => {
    const { named, transactions } = start();
    const error = new StoreError("STORE_UNAVAILABLE", "away");
    const settled = await Promise.allSettled([named("a"), named("b", error), named("c")]);
    expect(settled).toEqual(Array.from({ length: 3 }, () => ({ status: "rejected", reason: error })));
    expect(transactions).toEqual([["a", "b"]]);
  });

  it("fail together where nobody knows whether they were committed, and are not tried again", async () => {
    const error = new StoreError("STORE_UNAVAILABLE", "away");
    const { named, transactions } = start({ commitError: error });
    const settled = await Promise.allSettled([named("a"), named("b")]);
    expect(settled).toEqual(Array.from({ length: 2 }, () => ({ status: "rejected", reason: error })));
    expect(transactions).toEqual([["a", "b"]]);
  });

  it("run one that is alone once, also where it is refused", async () => {
    const { named, transactions } = start();
    await expect(named("a", new Error("no"))).rejects.toThrow("no");
    expect(transactions).toEqual([["a"]]);
  });

  it("let those join a group that waits while a full one is under way", async () => {
    const { named, tried } = start();
    const first = Array.from({ length: 33 }, (_, index) => named(`${index}`));
    await Promise.resolve(); // the first group is under way now
    await Promise.all([...first, named("late")]);
    expect(tried).toEqual([32, 2]);
  });

  it("fail where their turn does not come, and the next ones get another group", async () => {
    const real = createTurns();
    const error = new Error("too long");
    let isStuck = true;
    const turns: Turns = { ...real, alone: (work) => (isStuck ? Promise.reject(error) : real.alone(work)) };
    const { named, tried } = start({ turns });
    const settled = await Promise.allSettled([named("a"), named("b")]);
    expect(settled).toEqual([
      { status: "rejected", reason: error },
      { status: "rejected", reason: error },
    ]);
    isStuck = false;
    expect(await named("c")).toBe("c");
    expect(tried).toEqual([1]);
  });
});
