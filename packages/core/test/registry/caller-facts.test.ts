import { describe, expect, it } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import type { Registry } from "../../src/registry/registry.ts";
import type { ToolSource } from "../../src/sources/source.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { Caller } from "../../src/tool/context.ts";

/** A source whose tool exists for the callers that a test names. */
function personal(id: string, name: string, isFor: (caller: Caller) => boolean): ToolSource & { tell(): void } {
  const tool = fakeTool({ name });
  let onChange = (): void => {};
  return {
    id,
    list: () => [],
    listFor: (caller) => (isFor(caller) ? [tool] : []),
    watch(told) {
      onChange = told;
      return () => {};
    },
    tell: () => onChange(),
  };
}

const namesFor = (registry: Registry, caller: Caller): string[] => registry.view(caller).tools.map(({ name }) => name);

describe("a tool that a source has for some callers only", () => {
  it.each(["principal", "session", "run"] as const)("SD16: is neither listed nor callable for another %s", async (fact) => {
    const registry = createRegistry();
    await registry.addSource(personal("notes", "diary", (caller) => caller[fact] === "ada"));
    const [ada, bob]: Caller[] = [
      { agent: "main", [fact]: "ada" },
      { agent: "main", [fact]: "bob" },
    ];
    expect(namesFor(registry, ada!)).toEqual(["diary"]);
    expect(await registry.invoke("diary", { text: "x" }, { caller: ada! })).toMatchObject({ ok: true });
    expect(namesFor(registry, bob!)).toEqual([]);
    expect(await registry.invoke("diary", { text: "x" }, { caller: bob! })).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
    expect(namesFor(registry, ada!)).toEqual(["diary"]);
  });

  it("SD16: goes with its source, and comes and goes when the source tells of a change", async () => {
    const registry = createRegistry();
    let isOpen = true;
    const first = personal("first", "one", () => isOpen);
    await registry.addSource(first);
    expect(namesFor(registry, {})).toEqual(["one"]);
    const before = registry.revision;
    await registry.addSource(personal("second", "two", () => true));
    expect(registry.revision).not.toBe(before);
    expect(namesFor(registry, {})).toEqual(["one", "two"]);
    isOpen = false;
    first.tell();
    await registry.refreshSource("first");
    expect(namesFor(registry, {})).toEqual(["two"]);
    await registry.removeSource("second");
    expect(namesFor(registry, {})).toEqual([]);
    expect(await registry.invoke("two", { text: "x" })).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
  });
});
