import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { note, take, written } from "./_samples.ts";
import type { OpenStore } from "./open.ts";

export function concurrencyContract(open: OpenStore): void {
  describe("writers at the same time", () => {
    // row: H7
    it("lets exactly one of 50 writers with the same version win", async () => {
      const store = await open();
      written(await store.put(note("a")));
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, writer) => store.put(note("a", { version: 1, title: `Writer ${writer}` }))),
      );
      expect(results.filter((result) => result.ok)).toHaveLength(1);
      expect(results.filter((result) => !result.ok && result.code === "conflict" && result.currentVersion === 2)).toHaveLength(49);
      expect((await store.history("a")).map(({ record }) => record.version)).toEqual([2, 1]);
    });

    it("lets exactly one of 50 writers create a record", async () => {
      const store = await open();
      const results = await Promise.all(Array.from({ length: 50 }, () => store.put(note("a"))));
      expect(results.filter((result) => result.ok)).toHaveLength(1);
    });

    // row: H8
    it("keeps all of 100 tags that are added at the same time", async () => {
      const store = await open();
      written(await store.put(note("a")));
      const tags = Array.from({ length: 100 }, (_, index) => `tag:${index}`);
      await Promise.all(tags.map((tag) => store.addTags("a", [tag])));
      expect([...(await store.get("a"))!.tags].sort()).toEqual([...tags].sort());
      await Promise.all(tags.map((tag) => store.removeTags("a", [tag])));
      expect((await store.get("a"))!.tags).toEqual([]);
    });

    it("keeps both sides of merges that are made at the same time", async () => {
      const store = await open();
      written(await store.put(note("a", { context: {} })));
      await Promise.all(Array.from({ length: 30 }, (_, index) => store.mergeContext("a", { [`key${index}`]: index })));
      expect(Object.keys((await store.get("a"))!.context)).toHaveLength(30);
    });

    it("numbers the changes of many writers without a gap", async () => {
      const store = await open();
      await Promise.all(Array.from({ length: 40 }, (_, index) => store.put(note(`n${index}`))));
      expect((await take(store, 40)).map((change) => change.sequence)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    });
  });
}
