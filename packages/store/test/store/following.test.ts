import { createFakeClock } from "@toolrack/core/testing";
import { turns } from "@toolrack/testkit/turns";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import type { Change, Engine } from "../../src/engine/engine.ts";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import { StoreError } from "../../src/errors.ts";
import { createStore, insideOf, storeStats } from "../../src/store/create-store.ts";
import { createExpiry } from "../../src/store/expiry.ts";
import { follow } from "../../src/store/follow.ts";
import { createSharedChanges } from "../../src/store/shared-changes.ts";
import { note, written } from "../../src/testing/contract/_samples.ts";

const now = 1_800_000_000_000;

/** A store in memory; `engine` may be changed, and `wakers` is how many listen for changes. */
function open() {
  const clock = createFakeClock(now);
  const memory = createMemoryEngine();
  let wakers = 0;
  const engine: Engine = {
    ...memory,
    onWake(listener) {
      wakers += 1;
      const stop = memory.onWake(listener);
      return () => {
        wakers -= 1;
        stop();
      };
    },
  };
  const store = createStore(engine, { clock });
  afterThisTest(() => store.close());
  return { store, engine, memory, clock, wakers: () => wakers };
}

describe("a store", () => {
  it("runs what is to follow a commit after it, and once where the transaction is tried again", async () => {
    const { store, engine, memory } = open();
    const done: string[] = [];
    await insideOf(store).inUnit(async (unit) => {
      unit.afterCommit(() => done.push("after"));
      done.push("within");
    });
    expect(done.splice(0)).toEqual(["within", "after"]);
    engine.write = async (work, options) => {
      await memory
        .write(async (tx) => {
          await work(tx);
          throw new Error("again");
        })
        .catch(() => undefined);
      return memory.write(work, options);
    };
    await insideOf(store).inUnit(async (unit) => unit.afterCommit(() => done.push("after")));
    expect(done).toEqual(["after"]);
  });

  it("knows the number of its newest change", async () => {
    const { store } = open();
    const { lastWritten } = insideOf(store);
    expect(lastWritten()).toBe(0);
    written(await store.put(note("a")));
    expect(lastWritten()).toBe(1);
    await store.get("a");
    written(await store.put(note("b")));
    expect([lastWritten(), await store.sequence()]).toEqual([2, 2]);
  });

  it("refuses writes beside its transaction, and everything once it is closed", async () => {
    const { store, memory } = open();
    await store.transaction(async (tx) => {
      await expect(store.put(note("a"))).rejects.toMatchObject({
        code: "QUERY_INVALID",
        message: "A transaction is under way here. Write with the store that it hands you: any other would wait for its end.",
      });
      written(await tx.put(note("b")));
      expect(() => tx.changes()).toThrow("Changes are followed outside of a transaction.");
    });
    const other = open();
    await store.transaction(async () => void written(await other.store.put(note("c"))));
    expect(insideOf(store).closed.aborted).toBe(false);
    await Promise.all([store.close(), store.close()]);
    expect(insideOf(store).closed.aborted).toBe(true);
    await expect(store.put(note("c"))).rejects.toMatchObject({ code: "STORE_CLOSED", message: "The store was closed. Open it again." });
    expect(await memory.lastSequence()).toBe(0);
  });

  it("has the actor that is given, or a local one, and numbers for metrics", () => {
    const { store } = open();
    expect(store.actor).toMatchObject({ owner: "local" });
    const actor = { owner: "acme", agent: "ann", roles: ["curator"] } as const;
    const other = createStore(createMemoryEngine(), { actor });
    afterThisTest(() => other.close());
    expect(other.actor).toMatchObject(actor);
    expect(storeStats(store)).toMatchObject({ kind: "memory" });
    expect(() => insideOf({} as never)).toThrow(
      expect.objectContaining({
        code: "STORE_UNAVAILABLE",
        message:
          "This store supports records only. Use a store that createStore, createMemoryStore, createSqliteStore or createPostgresStore returned.",
      }),
    );
  });
});

describe("records that expire", () => {
  it("end when they are due, a hundred in one transaction, and the next is waited for an hour at most", async () => {
    const { store, clock } = open();
    written(await store.put(note("a", { ttl: { afterMs: 1_000 } })));
    written(await store.put(note("b", { ttl: { afterMs: 5_000_000 } })));
    await turns(5);
    expect(clock.pending).toBe(1);
    await clock.advance(1_000);
    await turns(5);
    expect([await store.get("a"), (await store.get("b"))?.id, clock.pending]).toEqual([undefined, "b", 1]);
    await clock.advance(5_000_000);
    await turns(5);
    expect([(await store.history("b")).length > 0, clock.pending]).toEqual([true, 0]);
  });

  it("are looked for once at a time, again after a failure, and no more once closed", async () => {
    const clock = createFakeClock(now);
    const state = { next: undefined as number | undefined, looks: 0, fails: false };
    const engine = {
      async nextEnd() {
        state.looks += 1;
        await turns(1);
        if (state.fails) throw new Error("away");
        return state.next;
      },
    } as unknown as Engine;
    const expiry = createExpiry(engine, clock);
    expiry.reschedule();
    expiry.reschedule();
    expiry.reschedule();
    await turns(9);
    expect([state.looks, clock.pending]).toEqual([2, 0]);
    state.next = now + 7_200_000;
    expiry.reschedule();
    await turns(9);
    expect([state.looks, clock.pending]).toEqual([3, 1]);
    await clock.advance(3_599_999);
    expect(state.looks).toBe(3);
    await clock.advance(1);
    await turns(9);
    expect([state.looks, clock.pending]).toEqual([4, 1]);
    state.fails = true;
    expiry.reschedule();
    await turns(9);
    await clock.advance(4_999);
    expect([state.looks, clock.pending]).toEqual([5, 1]);
    await clock.advance(1);
    expect(state.looks).toBe(6);
    await expiry.close();
    await turns(9);
    expect(clock.pending).toBe(0);
    expiry.reschedule();
    await turns(9);
    expect([state.looks, clock.pending]).toEqual([6, 0]);
  });
});

describe("those who follow records", () => {
  it("have what is there, then every change, also of one that fits no more", async () => {
    const { store, wakers } = open();
    written(await store.put(note("a", { tags: ["x"] })));
    written(await store.put(note("other")));
    const seen: string[] = [];
    let changes = 0;
    const follower = await follow(store, {
      selector: { tag: "x" },
      apply: (id, record) => void seen.push(`${id} ${record === undefined ? "gone" : JSON.stringify(record.context)}`),
      onChange: () => void changes++,
    });
    const contextOf = async (id: string) => JSON.stringify((await store.get(id))!.context);
    expect([seen.splice(0), changes, follower.catchUp()]).toEqual([[`a ${await contextOf("a")}`], 0, undefined]);
    written(await store.put(note("b", { tags: ["x"] })));
    const behind = follower.catchUp();
    expect(behind).toBeInstanceOf(Promise);
    await behind;
    expect([seen.splice(0), follower.catchUp()]).toEqual([[`b ${await contextOf("b")}`], undefined]);
    written(await store.put(note("c")));
    written(await store.removeTags("a", ["x"]));
    written(await store.remove("b"));
    await follower.catchUp();
    expect([seen.splice(0), changes]).toEqual([["a gone", "b gone"], 3]);
    const before = wakers();
    await follower.close();
    expect(wakers()).toBeLessThan(before);
    written(await store.put(note("d", { tags: ["x"] })));
    expect([seen, follower.catchUp()]).toEqual([[], undefined]);
  });

  it("read everything anew where changes are gone, and tell only of what differs", async () => {
    const { store, engine, memory } = open();
    written(await store.put(note("a", { tags: ["x"] })));
    written(await store.put(note("b", { tags: ["x"] })));
    const seen: string[] = [];
    let changes = 0;
    const follower = await follow(store, {
      selector: { tag: "x" },
      apply: (id, record) => void seen.push(`${id} ${record?.version ?? "gone"}`),
      onChange: () => void changes++,
    });
    await turns(5);
    seen.length = 0;
    // A change is missing, as retention leaves it.
    engine.changesAfter = async (after, limit) => (await memory.changesAfter(after, limit)).filter(({ sequence }) => sequence !== 3);
    engine.changesBegin = async () => 3;
    written(await store.put(note("b", { version: 1, tags: ["x"], title: "New" })));
    written(await store.remove("a"));
    await follower.catchUp();
    expect([seen.toSorted(), changes > 0]).toEqual([["a gone", "b 2"], true]);
    await follower.close();
  });

  it("go on waiting for nothing where the feed failed, and learn of it when they close", async () => {
    const { store, engine } = open();
    const follower = await follow(store, { selector: {}, apply: () => undefined });
    await turns(5);
    engine.changesAfter = () => Promise.reject(new Error("broken"));
    written(await store.put(note("a")));
    await follower.catchUp();
    await turns(5);
    expect(follower.catchUp()).toBeUndefined();
    await expect(follower.close()).rejects.toThrow("broken");
  });
});

describe("the feed of changes", () => {
  it("tries again while the database is away, and says why it ends otherwise", async () => {
    const { store, engine, memory } = open();
    written(await store.put(note("a")));
    let fails = 2;
    engine.changesAfter = (after, limit) =>
      fails-- > 0 ? Promise.reject(new StoreError("STORE_UNAVAILABLE", "Away.")) : memory.changesAfter(after, limit);
    const controller = new AbortController();
    for await (const change of store.changes({ since: 0, signal: controller.signal })) {
      expect(change).toMatchObject({ sequence: 1, type: "created" });
      controller.abort();
    }
    expect(fails).toBeLessThan(0);
    engine.changesBegin = async () => 1;
    await expect(store.changes({ since: 0 })[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: "CHANGES_GONE",
      message:
        "Changes after 0 were removed by retention: the oldest that can be followed from is 1. Read the records anew, then follow from the number of the newest change.",
    });
    await expect(store.changes({ since: 5 })[Symbol.asyncIterator]().next()).rejects.toThrow(
      "since is 5, and the newest change is 1: the number is from another store. Start from 0.",
    );
    for (const since of [-1, 0.5])
      expect(() => store.changes({ since })).toThrow(
        "since must be the number of the last change that you have seen, or 0 for all of them.",
      );
  });

  it("leaves nothing behind when it ends", async () => {
    const { store, wakers } = open();
    const before = wakers();
    const controller = new AbortController();
    const seen: number[] = [];
    const reading = (async () => {
      for await (const _ of store.changes({ since: 0, signal: controller.signal, onSeen: (sequence) => void seen.push(sequence) }));
    })();
    await turns(5);
    expect(wakers()).toBe(before + 2);
    written(await store.put(note("a")));
    await turns(5);
    controller.abort();
    await reading;
    expect([wakers(), seen]).toEqual([before, [1]]);
  });
});

describe("changes that feeds share", () => {
  /** An engine with so many changes; `asked` is each question for a page. */
  function shared(count: number) {
    const asked: [number, number][] = [];
    const state = { count, missing: 0, listeners: new Set<() => void>() };
    const engine = {
      async changesAfter(after: number, limit: number) {
        asked.push([after, limit]);
        const all = Array.from({ length: Math.max(0, state.count - after) }, (_, index) => ({ sequence: after + index + 1 }) as Change);
        return all.filter(({ sequence }) => sequence !== state.missing).slice(0, limit);
      },
      onWake(listener: () => void) {
        state.listeners.add(listener);
        return () => void state.listeners.delete(listener);
      },
    } as unknown as Engine;
    return { asked, state, changes: createSharedChanges(engine), wake: () => state.listeners.forEach((listener) => listener()) };
  }
  const numbers = (page: readonly Change[]) => (page.length === 0 ? [] : [page[0]!.sequence, page.at(-1)!.sequence, page.length]);

  it("are read once for all of them, until the engine wakes", async () => {
    const { asked, state, changes, wake } = shared(50);
    const leaves = [changes.enter(), changes.enter()];
    expect(numbers(await changes.after(0, 100))).toEqual([1, 50, 50]);
    expect([numbers(await changes.after(0, 10)), numbers(await changes.after(40, 5)), numbers(await changes.after(50, 5))]).toEqual([
      [1, 10, 10],
      [41, 45, 5],
      [],
    ]);
    expect(asked).toEqual([[0, 100]]);
    state.count = 51;
    wake();
    expect((await Promise.all([changes.after(50, 5), changes.after(50, 5)])).map(numbers)).toEqual([
      [51, 51, 1],
      [51, 51, 1],
    ]);
    expect(asked.slice(1)).toEqual([[50, 100]]);
    leaves[0]!();
    expect(state.listeners.size).toBe(1);
    leaves[1]!();
    expect(state.listeners.size).toBe(0);
    changes.enter();
    await changes.after(51, 5);
    expect(asked.slice(2)).toEqual([[51, 100]]);
  });

  it("are kept to the last two hundred, and others are read by themselves", async () => {
    const { asked, changes } = shared(350);
    changes.enter();
    for (let seen = 0; seen < 350;) seen = (await changes.after(seen, 100)).at(-1)!.sequence;
    expect(asked.splice(0)).toEqual([
      [0, 100],
      [100, 100],
      [200, 100],
      [300, 100],
    ]);
    expect(numbers(await changes.after(150, 10))).toEqual([151, 160, 10]);
    expect(asked).toEqual([]);
    expect(numbers(await changes.after(149, 10))).toEqual([150, 159, 10]);
    expect(asked).toEqual([[149, 10]]);
  });

  it("with a gap are read by each feed itself", async () => {
    const { asked, state, changes } = shared(10);
    state.missing = 3;
    changes.enter();
    expect((await changes.after(0, 7)).map(({ sequence }) => sequence)).toEqual([1, 2, 4, 5, 6, 7, 8]);
    expect(asked).toEqual([
      [0, 100],
      [0, 7],
    ]);
  });
});
