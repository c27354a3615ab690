import { createFakeClock } from "@toolrack/core/testing";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import { definitionHash } from "../../src/record/decision.ts";
import { createStore } from "../../src/store/create-store.ts";
import { definition, note, written } from "../../src/testing/contract/_samples.ts";

const now = 1_800_000_000_000;
const time = new Date(now).toISOString();

/** A store in memory; `saved` is everything that was handed to its engine to be saved. */
function open() {
  const memory = createMemoryEngine();
  const saved: Record<string, unknown>[] = [];
  const clock = createFakeClock(now);
  const store = createStore(
    {
      ...memory,
      write: (work, options) =>
        memory.write(
          (tx) => work({ ...tx, save: (all) => (saved.push(...(all as unknown as Record<string, unknown>[])), tx.save(all)) }),
          options,
        ),
    },
    { clock },
  );
  afterThisTest(() => store.close());
  const take = () => saved.splice(0).filter(({ record }) => (record as { readonly id: string }).id !== "tool-catalog");
  return { store, take, clock };
}

describe("what is saved of a record", () => {
  it("has its words, its place, its tags before, and when it ends", async () => {
    const { store, take } = open();
    written(
      await store.put({ id: "a", schema_name: "note.v1", title: "Hi", tags: ["x"], context: { t: "word" }, ttl: { afterMs: 5, reads: 2 } }),
    );
    expect(take()).toMatchObject([
      {
        type: "created",
        identity: undefined,
        position: undefined,
        tagsBefore: [],
        terms: ["x", "a", "hi", "t", "word"],
        expiresAt: now + 5,
        readsLeft: 2,
        record: {
          owner: "local",
          id: "a",
          version: 1,
          created_at: time,
          created_by: store.actor.agent,
          updated_at: time,
          updated_by: store.actor.agent,
          updated_as: "curator",
        },
      },
    ]);
    written(await store.addTags("a", ["y"]));
    expect(take()).toMatchObject([{ type: "updated", position: 1, tagsBefore: ["x"], record: { version: 2, tags: ["x", "y"] } }]);
    written(await store.remove("a"));
    expect(take()).toMatchObject([
      {
        type: "deleted",
        identity: undefined,
        tagsBefore: ["x", "y"],
        terms: [],
        expiresAt: undefined,
        readsLeft: undefined,
        record: { version: 3 },
      },
    ]);
    written(await store.put(note("a")));
    expect(take()).toMatchObject([{ type: "created", tagsBefore: [], record: { version: 4 } }]);
  });

  it("of a definition has its identity while it lives, and the decision about it", async () => {
    const { store, take } = open();
    const draft = definition("greet");
    written(await store.put(draft));
    const [one] = take();
    const { title } = one!["record"] as { readonly title: string };
    expect(one).toMatchObject({
      identity: expect.stringMatching(/^tool\.definition\.v1\|greet\|/),
      record: { decision: { decision: "approved", by: store.actor.agent, at: time, reason: "Created by the owner." } },
    });
    expect((one!["record"] as { decision: { hash: string } }).decision.hash).toBe(
      definitionHash({ title, context: (await store.get("tool-def-greet"))!.context }),
    );
    written(await store.remove("tool-def-greet"));
    expect(take()[0]).toMatchObject({ type: "deleted", identity: undefined });
  });

  it("names who signed in, and ends in the name of who ended it", async () => {
    const { store, take, clock } = open();
    const ann = store.as({ owner: "local", agent: "ann", roles: ["emitter", "subscriber"], signedInAs: "ann@x" });
    written(await ann.put(note("a")));
    written(await ann.put(note("b", { ttl: { afterMs: 5 } })));
    expect(take()[0]!["record"]).toMatchObject({ created_by: "ann", updated_agent: "ann@x", updated_as: "emitter" });
    written(await store.remove("a"));
    const [ended] = take();
    expect(ended!["record"]).toMatchObject({ created_by: "ann", updated_by: store.actor.agent });
    expect(ended!["record"]).not.toHaveProperty("updated_agent");
    await clock.advance(10);
    expect(await store.get("b")).toBeUndefined();
    expect(take()[0]).toMatchObject({ type: "expired", record: { updated_by: "ann", updated_agent: "ann@x", version: 2 } });
  });
});

describe("what a write refuses", () => {
  it("says which version is there, and what was wanted", async () => {
    const { store } = open();
    written(await store.put(note("a")));
    const conflict = (state: string, wanted: string, currentVersion: number) => ({
      ok: false,
      code: "conflict",
      message: `The record "a" has version ${state}, and ${wanted}. Read it again, and try with its version.`,
      currentVersion,
    });
    expect(await store.put(note("a"))).toEqual(conflict("1", "it was to be created", 1));
    expect(await store.put(note("a", { version: 5 }))).toEqual(conflict("1", "version 5 was to be changed", 1));
    expect(await store.remove("a", { version: 5 })).toEqual(conflict("1", "version 5 was to be changed", 1));
    expect(await store.restore("a", 1, { version: 5 })).toEqual(conflict("1", "version 5 was to be changed", 1));
    written(await store.remove("a"));
    expect(await store.restore("a", 1, { version: 5 })).toEqual(conflict("2 (removed)", "version 5 was to be changed", 2));
    const none = { ok: false, code: "not-found", message: 'There is no record "none".' };
    expect([await store.remove("none"), await store.addTags("none", ["x"]), await store.restore("none", 1)]).toEqual([none, none, none]);
    expect(await store.addTags("a", ["x"])).toMatchObject({ ok: false, code: "not-found" });
  });

  it("is told who is what it was to be", async () => {
    const { store } = open();
    const draft = definition("greet");
    written(await store.put({ ...draft, id: "first" }));
    expect(await store.put({ ...draft, id: "second" })).toMatchObject({
      ok: false,
      code: "taken",
      message: expect.stringMatching(
        /^The record "first" already is tool\.definition\.v1 greet.*\. Change that one, or choose another name or version\.$/,
      ),
    });
  });

  it("is everything of others, by tags, context, restoring and removing", async () => {
    const { store } = open();
    written(await store.put(note("a")));
    written(await store.addTags("a", ["x"]));
    const ann = store.as({ owner: "local", agent: "ann", roles: ["emitter", "subscriber"] });
    for (const act of [
      () => ann.addTags("a", ["y"]),
      () => ann.removeTags("a", ["x"]),
      () => ann.mergeContext("a", { b: 1 }),
      () => ann.restore("a", 1),
      () => ann.remove("a"),
    ])
      await expect(act()).rejects.toMatchObject({ code: "FORBIDDEN" });
    const reader = store.as({ owner: "local", agent: "r", roles: ["subscriber"] });
    await expect(reader.addTags("a", ["y"])).rejects.toThrow('"r" may not write records: that needs the role "emitter".');
    await expect(reader.remove("a")).rejects.toThrow('"r" may not remove records: that needs the role "emitter".');
    expect((await store.get("a"))!.version).toBe(2);
  });

  it("is a change that leaves no valid record, and one that changes nothing is not written", async () => {
    const { store, take } = open();
    written(await store.put(definition("greet")));
    take();
    await expect(store.mergeContext("tool-def-greet", { name: null })).rejects.toMatchObject({ code: "RECORD_INVALID" });
    const same = await store.mergeContext("tool-def-greet", { name: "greet" });
    expect([same, take()]).toMatchObject([{ ok: true, changed: false }, []]);
    const merged = written(await store.mergeContext("tool-def-greet", { usage_hint: "often" }));
    expect(merged.context).toMatchObject({ usageHint: "often" });
    written(await store.put(note("n")));
    expect(written(await store.mergeContext("n", { usage_hint: "kept" })).context).toMatchObject({ usage_hint: "kept" });
  });
});
