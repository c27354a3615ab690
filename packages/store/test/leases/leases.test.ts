import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { createLeases } from "../../src/leases/leases.ts";
import { requireHeld } from "../../src/leases/require-held.ts";
import { checkWrite } from "../../src/presence/check-write.ts";
import { createPresence } from "../../src/presence/presence.ts";
import { insideOf } from "../../src/store/create-store.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";

function open(): BreadcrumbStore {
  const store = createMemoryStore();
  afterThisTest(() => store.close());
  return store;
}
const reader = (store: BreadcrumbStore) => store.as({ owner: "local", agent: "r", roles: ["subscriber"] });

describe("leases by name", () => {
  it("are held by one, until they are released, and guard what is written under them", async () => {
    const store = open();
    const leases = createLeases(store);
    const lease = (await leases.acquire("work", "one", 60_000))!;
    expect(lease).toEqual({ name: "work", token: expect.anything() });
    expect(await leases.acquire("work", "two", 60_000)).toBeUndefined();
    expect(await leases.renew(lease, 1)).toBe(true);
    await store.transaction((tx) => requireHeld(tx, lease));
    await leases.release(lease);
    expect(await leases.renew(lease, 1)).toBe(false);
    await expect(store.transaction((tx) => requireHeld(tx, lease))).rejects.toMatchObject({
      code: "LEASE_LOST",
      message: 'The lease "work" was taken by another server. Nothing was written. Take it again.',
    });
    await expect(requireHeld(store, lease)).rejects.toMatchObject({
      code: "QUERY_INVALID",
      message: "A lease guards the transaction that it is checked in: pass the store that store.transaction hands you.",
    });
    expect(await leases.acquire("work", "two", 1)).toBeDefined();
  });

  it("last a whole number of milliseconds, have names, and are for those who may write", async () => {
    const store = open();
    const leases = createLeases(store);
    for (const ttl of [0, 1.5, Number.NaN])
      await expect(leases.acquire("work", "one", ttl)).rejects.toMatchObject({
        code: "QUERY_INVALID",
        message: `A lease lasts a whole number of milliseconds, at least 1; ${ttl} is none.`,
      });
    await expect(leases.acquire("a b", "one", 1)).rejects.toThrow(/^The name of a lease "a b"/);
    await expect(leases.acquire("work", "a b", 1)).rejects.toThrow(/^The holder of a lease "a b"/);
    const lease = (await leases.acquire("work", "one", 1_000))!;
    await expect(leases.renew(lease, 0)).rejects.toMatchObject({ code: "QUERY_INVALID" });
    const others = createLeases(reader(store));
    for (const act of [() => others.acquire("x", "y", 1), () => others.renew(lease, 1), () => others.release(lease)])
      await expect(act()).rejects.toMatchObject({ code: "FORBIDDEN", message: '"r" may not take leases: that needs the role "emitter".' });
  });
});

describe("the check that a store can be written to", () => {
  it("writes a row that is large and does not compress, and leaves nothing behind", async () => {
    const store = open();
    const { engine } = insideOf(store);
    const real = engine.writeAudit;
    const did: unknown[][] = [];
    engine.writeAudit = (work) =>
      real((tx) =>
        work({
          ...tx,
          noteSighting: (...args) => (did.push(["note", ...args]), tx.noteSighting(...args)),
          forgetSighting: (...args) => (did.push(["forget", ...args]), tx.forgetSighting(...args)),
        }),
      );
    await checkWrite(store, "server-1");
    expect(did).toEqual([
      ["note", "toolrack-write-check", { name: "server-1", seenAt: expect.any(Number), info: expect.stringMatching(/^"[\w+/=]{8000}"$/) }],
      ["forget", "toolrack-write-check", "server-1"],
    ]);
    expect(await createPresence(store).list()).toEqual([]);
  });

  it("is for those who may write, under a name, while the store is open", async () => {
    const store = createMemoryStore();
    await expect(checkWrite(reader(store), "x")).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: '"r" may not check that the store can be written to: that needs the role "emitter".',
    });
    await expect(checkWrite(store, "a b")).rejects.toThrow(/^The name "a b"/);
    await store.close();
    await expect(checkWrite(store, "x")).rejects.toMatchObject({
      code: "STORE_CLOSED",
      message: "The store was closed. Open it again.",
    });
  });
});
