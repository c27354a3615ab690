import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { createFakeClock } from "@toolrack/core/testing";
import type { Ttl } from "../../record/breadcrumb.ts";
import { definition, note, take, written } from "./_samples.ts";
import type { OpenStore } from "./open.ts";

export function expiryContract(open: OpenStore): void {
  describe("expiry", () => {
    const start = Date.parse("2030-01-01T00:00:00Z");

    // row: H11
    it("ends records at a time, after a duration, after reads, or whichever comes first, each with one event", async () => {
      const clock = createFakeClock(start);
      const store = await open({ clock });
      const put = async (id: string, ttl: Ttl): Promise<void> => void written(await store.put(note(id, { ttl })));
      await put("at", { at: "2030-01-01T00:01:00Z" });
      await put("after", { afterMs: 30_000 });
      await put("reads", { reads: 2 });
      await put("both", { afterMs: 90_000, reads: 5 });
      const isThere = async (id: string): Promise<boolean> => (await store.get(id)) !== undefined;

      expect(await isThere("reads")).toBe(true);
      expect(await isThere("reads")).toBe(true);
      expect(await isThere("reads")).toBe(false);
      await clock.advance(29_999);
      expect(await isThere("after")).toBe(true);
      await clock.advance(1);
      expect(await isThere("after")).toBe(false);
      await clock.advance(29_999);
      expect(await isThere("at")).toBe(true);
      await clock.advance(1);
      expect(await isThere("at")).toBe(false);
      expect(await isThere("both")).toBe(true);
      await clock.advance(30_000);
      expect(await isThere("both")).toBe(false);

      const ends = await take(store, 4, { since: 4 });
      expect(ends.map(({ type, record }) => [type, record.id])).toEqual([
        ["expired", "reads"],
        ["expired", "after"],
        ["expired", "at"],
        ["expired", "both"],
      ]);
    });

    it("ends a record when nobody reads it, and the catalog with it", async () => {
      const clock = createFakeClock(start);
      const store = await open({ clock });
      written(await store.put(definition("short", {}, { ttl: { afterMs: 1_000 } })));
      const reading = take(store, 2, { since: 2 });
      await expect.poll(() => clock.pending > 0).toBe(true);
      await clock.advance(1_000);
      expect((await reading).map(({ type, record }) => [type, record.id])).toEqual([
        ["expired", "tool-def-short"],
        ["updated", "tool-catalog"],
      ]);
      expect((await store.search({ schema_name: "tool.definition.v1" })).records).toEqual([]);
    });

    it("lets a write start the duration again, and a search not use up reads", async () => {
      const clock = createFakeClock(start);
      const store = await open({ clock });
      written(await store.put(note("a", { ttl: { afterMs: 1_000 } })));
      written(await store.put(note("once", { ttl: { reads: 1 } })));
      await clock.advance(900);
      written(await store.addTags("a", ["again"]));
      await clock.advance(900);
      expect(await store.get("a")).toBeDefined();
      const found = (await store.search({ text: "once", includeContext: true })).records;
      expect(found).toHaveLength(1);
      expect(found[0]).not.toHaveProperty("context");
      expect(await store.get("once")).toHaveProperty("context");
      expect(await store.get("once")).toBeUndefined();
    });

    it("refuses a time to live that it does not understand", async () => {
      const store = await open();
      for (const ttl of [{}, { at: "tomorrow" }, { at: "2030-01-01" }, { afterMs: 0 }, { reads: 1.5 }, { until: 5 }, "1h"]) {
        await expect(store.put(note("a", { ttl: ttl as Ttl })), JSON.stringify(ttl)).rejects.toMatchObject({ code: "RECORD_INVALID" });
      }
    });
  });
}
