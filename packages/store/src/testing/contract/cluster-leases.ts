import { createLeases } from "../../leases/leases.ts";
import { requireHeld } from "../../leases/require-held.ts";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import type { OpenStore } from "./open.ts";
import { note, written } from "./_samples.ts";

/** Longer than any check. */
const long = 600_000;

export function clusterLeaseContract(open: OpenStore): void {
  describe("leases of a cluster", () => {
    it("gives a lease to one of many that ask at the same time, and to nobody else while it is held", async () => {
      const store = await open();
      const leases = createLeases(store);
      const taken = await Promise.all(Array.from({ length: 20 }, (_, index) => leases.acquire("sweep", `server-${index}`, long)));
      expect(taken.filter((lease) => lease !== undefined)).toEqual([{ name: "sweep", token: 1 }]);
      expect(await leases.acquire("sweep", "another", long)).toBeUndefined();
      expect(await leases.acquire("other", "another", long)).toEqual({ name: "other", token: 1 });
      expect(await createLeases(store.as({ owner: "b", agent: "b", roles: ["emitter"] })).acquire("sweep", "b", long)).toBeDefined();
    });

    it("gives a greater token to every holder, after a release and after an end", async () => {
      const leases = createLeases(await open());
      const first = (await leases.acquire("sweep", "one", long))!;
      await leases.release(first);
      const second = (await leases.acquire("sweep", "two", 1))!;
      expect(second.token).toBe(2);
      await expect.poll(async () => (await leases.acquire("sweep", "three", long))?.token).toBe(3);
    });

    it("lets its holder renew a lease until another one took it, and nobody release it for another", async () => {
      const leases = createLeases(await open());
      const first = (await leases.acquire("sweep", "one", 1))!;
      expect(await leases.renew(first, long)).toBe(true);
      expect(await leases.acquire("sweep", "two", long)).toBeUndefined();
      expect(await leases.renew(first, 1)).toBe(true);
      await expect.poll(async () => (await leases.acquire("sweep", "two", long))?.token).toBe(2);
      expect(await leases.renew(first, long)).toBe(false);
      await leases.release(first);
      expect(await leases.acquire("sweep", "three", long)).toBeUndefined();
      await leases.release({ name: "sweep", token: 2 });
      expect(await leases.renew({ name: "sweep", token: 2 }, long)).toBe(false);
    });

    it("refuses what a holder writes after another one took its lease", async () => {
      const store = await open();
      const leases = createLeases(store);
      const first = (await leases.acquire("sweep", "one", 1))!;
      await expect.poll(() => leases.acquire("sweep", "two", long)).toBeDefined();
      const write = (id: string, lease: { readonly name: string; readonly token: number }): Promise<void> =>
        store.transaction(async (tx) => {
          written(await tx.put(note(id)));
          await requireHeld(tx, lease);
        });
      await expect(write("late", first)).rejects.toMatchObject({ code: "LEASE_LOST" });
      await write("timely", { name: "sweep", token: 2 });
      expect(await store.get("late")).toBeUndefined();
      expect(await store.get("timely")).toBeDefined();
      await expect(requireHeld(store, first)).rejects.toMatchObject({ code: "QUERY_INVALID" });
    });

    it("refuses a time that is none, and a caller who may not write", async () => {
      const store = await open();
      for (const ttlMs of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
        await expect(createLeases(store).acquire("sweep", "one", ttlMs)).rejects.toMatchObject({ code: "QUERY_INVALID" });
      const reader = createLeases(store.as({ owner: "local", agent: "x", roles: ["subscriber"] }));
      await expect(reader.acquire("sweep", "one", long)).rejects.toMatchObject({ code: "FORBIDDEN" });
    });
  });
}
