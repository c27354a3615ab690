import { createFakeClock } from "@toolrack/core/testing";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { checkWrite } from "../../presence/check-write.ts";
import { createPresence } from "../../presence/presence.ts";
import { readStoreFacts, readStoreSize } from "../../store/facts.ts";
import type { OpenStore } from "./open.ts";

export function presenceContract(open: OpenStore): void {
  describe("presence", () => {
    it("tells which servers are alive, and writes no record for it", async () => {
      const clock = createFakeClock(1_000_000);
      const store = await open({ clock });
      const presence = createPresence(store, { inactiveAfterMs: 10_000 });
      await presence.report("runner");
      await presence.report("other");
      await clock.advance(6_000);
      for (let beat = 0; beat < 5; beat++) await presence.report("runner");
      await clock.advance(5_000);
      expect((await presence.list()).map(({ name, status }) => [name, status])).toEqual([
        ["other", "inactive"],
        ["runner", "active"],
      ]);
      await clock.advance(5_000);
      expect((await presence.list())[1]).toEqual({ name: "runner", status: "inactive", lastSeen: "1970-01-01T00:16:46.000Z", info: {} });
      await presence.leave("runner");
      expect(await presence.list()).toHaveLength(1);
      expect(await store.sequence()).toBe(0);
      expect(await createPresence(store.as({ owner: "other", agent: "a", roles: ["curator"] })).list()).toEqual([]);
    });

    it("can be asked whether the store takes writes, which leaves nothing behind", async () => {
      const store = await open();
      const presence = createPresence(store);
      await Promise.all([checkWrite(store, "one"), checkWrite(store, "one"), checkWrite(store, "two")]);
      expect(await presence.list()).toEqual([]);
      expect(await readStoreFacts(store)).toMatchObject({ sequence: 0 });
      const { migrations } = await readStoreFacts(store);
      expect(migrations.applied).toBe(migrations.known);
      await expect(checkWrite(store.as({ owner: "local", agent: "x", roles: ["subscriber"] }), "one")).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
      await store.close();
      await expect(checkWrite(store, "one")).rejects.toThrow();
    });

    it("tells how much room it takes, where it is on a disk", async () => {
      const store = await open();
      const { kind } = await readStoreFacts(store);
      const before = await readStoreSize(store);
      if (["sqlite", "postgres"].includes(kind)) expect(before! > 0).toBe(true);
      if (before === undefined) return;
      // A database stores what repeats itself in less room.
      const context = { text: Array.from({ length: 10_000 }, () => Math.random().toString(36)).join("") };
      for (let count = 0; count < 10; count++) await store.put({ schema_name: "note.v1", title: `Note ${count}`, context });
      expect((await readStoreSize(store))! > before).toBe(true);
    });

    it("keeps what a server last said of itself, and refuses more than it keeps", async () => {
      const store = await open();
      const presence = createPresence(store);
      await presence.report("one", { version: "1.0.0" });
      await presence.report("one", { version: "1.0.1", startedAt: 5 });
      expect((await presence.list())[0]!.info).toEqual({ version: "1.0.1", startedAt: 5 });
      await expect(presence.report("one", { text: "x".repeat(9_000) })).rejects.toThrow(/the limit is 8192/);
      expect((await presence.list())[0]!.info).toEqual({ version: "1.0.1", startedAt: 5 });
    });
  });
}
