import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import type { Selector } from "../../query/selector.ts";
import { insideOf } from "../../store/create-store.ts";
import { note, take, written } from "./_samples.ts";
import type { OpenStore } from "./open.ts";

export function feedContract(open: OpenStore): void {
  describe("the feed", () => {
    it("tells each change once, removals included, with the whole record", async () => {
      const store = await open();
      written(await store.put(note("a", { tags: ["x"] })));
      written(await store.addTags("a", ["y"]));
      written(await store.remove("a"));
      const changes = await take(store, 3);
      expect(changes.map(({ sequence, type, record }) => [sequence, type, record.version, record.tags])).toEqual([
        [1, "created", 1, ["x"]],
        [2, "updated", 2, ["x", "y"]],
        [3, "deleted", 3, ["x", "y"]],
      ]);
      expect(changes[2]!.record.context).toEqual({ text: "text of a" });
      expect(await store.sequence()).toBe(3);
    });

    it("says nothing of writes that were refused or changed nothing", async () => {
      const store = await open();
      written(await store.put(note("a", { tags: ["x"] })));
      await store.put(note("a"));
      await store.addTags("a", ["x"]);
      await store.removeTags("a", ["nothing"]);
      await store.remove("b");
      written(await store.put(note("last")));
      expect((await take(store, 2)).map(({ record }) => record.id)).toEqual(["a", "last"]);
    });

    it("lets a reader that stopped go on from its last number, missing and repeating nothing", async () => {
      const store = await open();
      const total = 60;
      const seen: number[] = [];
      const writing = (async () => {
        for (let index = 0; index < total; index++) written(await store.put(note(`n${index}`)));
      })();
      while (seen.length < total) {
        const controller = new AbortController();
        let left = 1 + (seen.length % 7);
        for await (const { sequence } of store.changes({ since: seen.at(-1) ?? 0, signal: controller.signal })) {
          seen.push(sequence);
          if (--left === 0 || seen.length === total) break;
        }
      }
      await writing;
      expect(seen).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    });

    it("waits for what comes, begins with now where no number is given, and ends with the signal", async () => {
      const store = await open();
      written(await store.put(note("before")));
      const controller = new AbortController();
      const seen: string[] = [];
      const { engine } = insideOf(store);
      const { lastSequence } = engine;
      const begun = new Promise<void>((resolve) =>
        Object.assign(engine, { lastSequence: () => lastSequence().finally(() => setImmediate(resolve)) }),
      );
      const reading = (async () => {
        for await (const { record } of store.changes({ signal: controller.signal })) if (seen.push(record.id) === 2) controller.abort();
      })();
      await begun;
      written(await store.put(note("first")));
      written(await store.put(note("second")));
      await reading;
      expect(seen).toEqual(["first", "second"]);
    });

    // row: H13
    it("gives each of several readers what its selector means", async () => {
      const store = await open();
      written(await store.put(note("a", { tags: ["x", "y"], context: { size: 3 } })));
      written(await store.put(note("b", { tags: ["x"], context: { size: 30 } })));
      written(await store.put(note("c", { tags: ["z"], schema_name: "other.v1", context: {} })));
      const ids = async (selector: Selector, count: number): Promise<string[]> =>
        (await take(store, count, { selector })).map(({ record }) => record.id);
      expect(await ids({ allTags: ["x", "y"] }, 1)).toEqual(["a"]);
      expect(await ids({ anyTags: ["y", "z"] }, 2)).toEqual(["a", "c"]);
      expect(await ids({ noneTags: ["y"] }, 2)).toEqual(["b", "c"]);
      expect(await ids({ schema_name: "other.v1" }, 1)).toEqual(["c"]);
      expect(await ids({ where: [{ path: "context.size", op: "gt", value: 5 }] }, 1)).toEqual(["b"]);
    });

    it("ends when the store is closed", async () => {
      const store = await open();
      written(await store.put(note("a")));
      const seen: string[] = [];
      const onSeen = (): void => void setImmediate(() => void store.close());
      for await (const { record } of store.changes({ since: 0, onSeen })) seen.push(record.id);
      expect(seen).toEqual(["a"]);
    });

    // row: H13
    it("refuses a selector that it does not understand, and a number from elsewhere", async () => {
      const store = await open();
      expect(() => store.changes({ selector: { where: [{ path: "context.a.b", op: "like" as "eq", value: 1 }] } })).toThrow(
        /operator "like"/,
      );
      expect(() => store.changes({ selector: { tags: ["x"] } as Selector })).toThrow(/no "tags"/);
      expect(() => store.changes({ since: -1 })).toThrow(/since/);
      await expect(take(store, 1, { since: 5 })).rejects.toThrow(/another store/);
    });
  });
}
