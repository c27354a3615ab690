import { createFakeClock } from "@toolrack/core/testing";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { createAnswers } from "../../answers/answers.ts";
import { applyRetention, type RetentionPlan } from "../../retention/retention.ts";
import { insideOf } from "../../store/create-store.ts";
import { follow } from "../../store/follow.ts";
import type { BreadcrumbStore } from "../../store/store.ts";
import { definition, note, take, written } from "./_samples.ts";
import type { OpenStore } from "./open.ts";

const dayMs = 86_400_000;
const plan: RetentionPlan = { revisionsPerRecord: 2, changesMs: 7 * dayMs, deletedMs: 30 * dayMs, endedMs: { "short.v1": 10 * dayMs } };

async function rewrite(store: BreadcrumbStore, id: string, times: number): Promise<void> {
  for (let index = 0; index < times; index++) {
    const version = (await store.get(id))?.version;
    written(await store.put(note(id, { context: { index }, ...(version !== undefined && { version }) })));
  }
}

export function retentionContract(open: OpenStore): void {
  describe("retention", () => {
    const versions = async (store: BreadcrumbStore, id: string) => (await store.history(id)).map(({ record }) => record.version);

    it("RT1: keeps the newest revisions of a record, and all of what changed lately", async () => {
      const clock = createFakeClock(1_800_000_000_000);
      const store = await open({ clock });
      await rewrite(store, "a", 5);
      await rewrite(store, "b", 1);
      expect(await applyRetention(store, plan)).toEqual({ revisions: 0, records: {}, answers: 0, sessions: 0, tasks: 0 });
      await clock.advance(8 * dayMs);
      await rewrite(store, "a", 1);
      expect(await applyRetention(store, plan)).toMatchObject({ revisions: 4 });
      expect(await versions(store, "a")).toEqual([6, 5]);
      expect(await versions(store, "b")).toEqual([1]);
      expect(await applyRetention(store, plan)).toMatchObject({ revisions: 0 });
      expect(await store.get("a")).toMatchObject({ version: 6 });
    });

    it("RT2: keeps every revision of a tool definition, which decisions refer to", async () => {
      const clock = createFakeClock(1_800_000_000_000);
      const store = await open({ clock });
      const first = written(await store.put(definition("greet")));
      for (let index = 0, version = first.version; index < 4; index++)
        version = written(await store.put({ ...definition("greet"), title: `t${index}`, version })).version;
      await clock.advance(100 * dayMs);
      written(await store.put(note("new")));
      await applyRetention(store, { ...plan, revisionsPerRecord: 1 });
      expect(await versions(store, "tool-def-greet")).toEqual([5, 4, 3, 2, 1]);
    });

    it("RT3: removes records that ended, by their schema; one that came again stays", async () => {
      const clock = createFakeClock(1_800_000_000_000);
      const store = await open({ clock });
      for (const id of ["old", "back"]) {
        written(await store.put(note(id)));
        written(await store.remove(id));
      }
      written(await store.put({ ...note("short"), schema_name: "short.v1", ttl: { afterMs: 1_000 } }));
      await clock.advance(2_000);
      expect(await store.get("short")).toBeUndefined();
      written(await store.put(note("back")));
      await clock.advance(11 * dayMs);
      written(await store.put(note("new")));
      expect(await applyRetention(store, plan)).toMatchObject({ records: { "short.v1": 1 } });
      expect(await store.history("short")).toEqual([]);
      expect(await store.history("old")).toHaveLength(2);
      await clock.advance(20 * dayMs);
      expect((await applyRetention(store, plan)).records).toEqual({ "note.v1": 1 });
      expect(await store.history("old")).toEqual([]);
      expect(await store.get("back")).toMatchObject({ version: 3 });
      expect(written(await store.put(note("old"))).version).toBe(1);
    });

    it("RT4: never removes the newest change, and numbers go on", async () => {
      const clock = createFakeClock(1_800_000_000_000);
      const store = await open({ clock });
      written(await store.put(note("a")));
      written(await store.remove("a"));
      await clock.advance(100 * dayMs);
      expect((await applyRetention(store, plan)).records).toEqual({});
      written(await store.put(note("b")));
      expect((await applyRetention(store, plan)).records).toEqual({ "note.v1": 1 });
      expect(await store.sequence()).toBe(3);
      expect((await take(store, 1, { since: 2 })).map(({ sequence }) => sequence)).toEqual([3]);
    });

    it("RT5: tells a reader of the feed whose place is gone, at once or when it is met", async () => {
      const clock = createFakeClock(1_800_000_000_000);
      const store = await open({ clock });
      await rewrite(store, "a", 5);
      await clock.advance(8 * dayMs);
      await rewrite(store, "a", 1);
      const reading = store.changes({ since: 0 })[Symbol.asyncIterator]();
      expect((await reading.next()).value).toMatchObject({ sequence: 1 });
      await applyRetention(store, plan);
      await expect(take(store, 1, { since: 1 })).rejects.toMatchObject({ code: "CHANGES_GONE", status: 410 });
      await expect(take(store, 1, { since: 0 })).rejects.toThrow(/retention.*4/);
      expect((await take(store, 2, { since: 4 })).map(({ sequence }) => sequence)).toEqual([5, 6]);
      await reading.return?.();
    });

    it("RT6: who follows and was away too long sees what is there now", async () => {
      const clock = createFakeClock(1_800_000_000_000);
      const store = await open({ clock });
      written(await store.put(note("removed")));
      await rewrite(store, "a", 2);
      const { engine } = insideOf(store);
      const { changesAfter } = engine;
      const held = new Map<string, number>();
      Object.assign(engine, { changesAfter: async () => [] }); // as one whose machine sleeps
      const follower = await follow(store, {
        selector: { schema_name: "note.v1" },
        apply: (id, record) => void (record === undefined ? held.delete(id) : held.set(id, record.version)),
      });
      expect([...held.keys()].sort()).toEqual(["a", "removed"]);
      written(await store.remove("removed"));
      await rewrite(store, "a", 3);
      await clock.advance(40 * dayMs);
      Object.assign(engine, { changesAfter });
      await applyRetention(store, plan);
      written(await store.put(note("b")));
      await expect
        .poll(() => [...held].sort())
        .toEqual([
          ["a", 5],
          ["b", 1],
        ]);
      await follower.close();
    });

    it("RT7: removes answers that ended", async () => {
      const clock = createFakeClock(1_800_000_000_000);
      const store = await open({ clock });
      const answers = createAnswers(store, { keepMs: 1_000 });
      for (const key of ["a", "b"]) await answers.once({ key, request: 1, make: async () => key });
      expect(await applyRetention(store, plan)).toMatchObject({ answers: 0 });
      await clock.advance(2_000);
      expect(await applyRetention(store, plan)).toMatchObject({ answers: 2 });
    });
  });
}
