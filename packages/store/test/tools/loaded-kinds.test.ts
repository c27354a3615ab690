import { createRegistry } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/store/memory.ts";
import { definition, written } from "../../src/testing/contract/_samples.ts";
import type { ImplementationKind } from "../../src/tools/kinds/kind.ts";
import { recordSource } from "../../src/tools/record-source.ts";

const own = (name: string, more: object = {}) => definition(name, { implementation: { kind: "own", says: name, ...more } });

function ownKind(more: Partial<ImplementationKind> = {}): ImplementationKind & { loads: number; closed: number } {
  const kind = {
    kind: "own",
    loads: 0,
    closed: 0,
    async load() {
      kind.loads += 1;
    },
    createHandler: (implementation: Readonly<Record<string, unknown>>) => () => implementation["says"] as string,
    async close() {
      kind.closed += 1;
    },
    ...more,
  };
  return kind;
}

describe("definitions of a kind that is loaded first", () => {
  it("are tools in their order once it is loaded, which happens once", async () => {
    const store = createMemoryStore();
    afterThisTest(() => store.close());
    written(await store.put(own("a")));
    written(await store.put(definition("b")));
    written(await store.put(own("c")));
    const kind = ownKind();
    const source = recordSource(store, { id: "mine", kinds: [kind], handlers: { b: () => "b" } });
    expect(source.id).toBe("mine");
    expect(source.kinds).toEqual(["http", "own"]);
    expect(kind.loads).toBe(0);
    const registry = createRegistry();
    await registry.addSource(source);
    expect(registry.list().map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(await registry.invoke("c", {})).toMatchObject({ ok: true, content: "c" });
    written(await store.put(own("d")));
    await expect.poll(() => registry.has("d")).toBe(true);
    expect(kind.loads).toBe(1);
    await registry.close();
    expect(kind.closed).toBe(1);
  });

  it("are left out with the reason where it cannot be loaded, alone", async () => {
    const store = createMemoryStore();
    afterThisTest(() => store.close());
    written(await store.put(own("a")));
    written(await store.put(definition("b")));
    const kind = ownKind({ load: () => Promise.reject(new Error("no parser")) });
    const registry = createRegistry();
    const status = await registry.addSource(recordSource(store, { kinds: [kind], handlers: { b: () => "b" } }));
    expect(registry.list().map(({ name }) => name)).toEqual(["b"]);
    expect(status.problems).toEqual([expect.stringContaining("no parser")]);
    await registry.close();
  });

  it("tell what speaks against one before it is served", async () => {
    const store = createMemoryStore();
    afterThisTest(() => store.close());
    const asked: unknown[] = [];
    const kind = ownKind({
      problemOf(...given) {
        asked.push(given);
        return given[2]?.("other") === true ? undefined : "It calls a tool that is not there.";
      },
    });
    const { problemOf } = recordSource(store, { kinds: [kind] });
    const draft = own("a");
    const wanted = { title: "a", context: draft.context };
    expect(await problemOf(wanted)).toBe("It calls a tool that is not there.");
    expect(await problemOf(wanted, { sees: (tool) => tool === "other" })).toBeUndefined();
    expect(asked[1]).toEqual([draft.context["implementation"], wanted, expect.any(Function)]);
    expect(await problemOf(wanted, { alone: true })).toBeUndefined();
    expect(asked).toHaveLength(2);
    expect(kind.loads).toBe(1);
    expect(await problemOf({ title: "b", context: { ...draft.context, implementation: { kind: "none" } } })).toContain("none");
    expect(await problemOf({ title: "b", context: { ...draft.context, implementation: "text" } })).toEqual(expect.any(String));
  });
});
