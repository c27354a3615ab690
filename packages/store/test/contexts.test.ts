import { carriedContexts } from "@toolrack/testkit/contexts";
import { expect, it } from "vitest";
import { createStore } from "../src/store/create-store.ts";
import { createMemoryEngine } from "../src/engines/memory/memory.ts";

const note = { schema_name: "note.v1", title: "A note", tags: ["workspace:notes"], context: {} };

it("adds nothing to the promises of a process with each further store that has transactions", async () => {
  const stores = Array.from({ length: 10 }, () => createStore(createMemoryEngine()));
  await stores[0]!.transaction(async (tx) => void (await tx.put(note)));
  const before = await carriedContexts();
  for (const store of stores) await store.transaction(async (tx) => void (await tx.put(note)));
  expect(await carriedContexts()).toBe(before);
  for (const store of stores) await store.close();
});

it("lets a transaction write to other stores, but past no transaction that is under way", async () => {
  const [one, other] = [createStore(createMemoryEngine()), createStore(createMemoryEngine())];
  await one.transaction(async (inOne) => {
    await other.put(note);
    await other.transaction(async (inOther) => {
      await inOne.put(note);
      await inOther.put(note);
      await expect(one.put(note)).rejects.toThrow(/transaction is under way/);
      await expect(other.put(note)).rejects.toThrow(/transaction is under way/);
    });
    await other.put(note);
  });
  await one.put(note);
  await Promise.all([one.close(), other.close()]);
});
