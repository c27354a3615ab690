import { createKeys, createMemoryStore } from "@toolrack/store";
import { describe, expect, it } from "vitest";
import { openSharedKey } from "../../../src/rack/keys-and-tokens/shared-key.ts";

const masterKey = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);

describe("openSharedKey", () => {
  it("gives all servers of one store the same key, also when they start at once", async () => {
    const store = await createMemoryStore();
    const keys = createKeys({ current: masterKey(1) });
    const opened = await Promise.all(Array.from({ length: 5 }, () => openSharedKey(store, keys)));
    expect(new Set(opened.map((key) => Buffer.from(key).toString("hex"))).size).toBe(1);
    expect(opened[0]).toHaveLength(32);
  });

  it("keeps the key under the master key: the record does not tell it", async () => {
    const store = await createMemoryStore();
    const key = await openSharedKey(store, createKeys({ current: masterKey(1) }));
    expect(JSON.stringify(await store.get("shared-key"))).not.toContain(Buffer.from(key).toString("base64"));
  });

  it("survives a new master key that still knows the old one, and is made anew by one that does not", async () => {
    const store = await createMemoryStore();
    const first = await openSharedKey(store, createKeys({ current: masterKey(1) }));
    expect(await openSharedKey(store, createKeys({ current: masterKey(2), previous: [masterKey(1)] }))).toEqual(first);
    expect(await openSharedKey(store, createKeys({ current: masterKey(3) }))).not.toEqual(first);
  });
});
