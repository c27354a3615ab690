import { createRegistry, defineTool, type ToolDefinition } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it, vi } from "vitest";
import { createToolLists } from "../../../src/serve/lists/tool-lists.ts";
import { createResults } from "../../../src/serve/results.ts";

function toolOf(name: string): ToolDefinition {
  return defineTool({ name, description: "Of one person.", inputSchema: { type: "object" }, handler: () => "done" });
}

it("SD16: a tool that exists for one principal is in the list of no other, also where all other facts are the same", async () => {
  const registry = createRegistry();
  registry.register(toolOf("shared"));
  await registry.addSource({
    id: "personal",
    list: () => [],
    listFor: ({ principal }) => (principal === "ada" ? [toolOf("diary")] : []),
  });
  const lists = createToolLists({ registry, results: createResults({ name: "test", version: "1" }, 0), pageSize: 10 });
  const namesFor = (principal: string): string[] => lists.for({ agent: "main", principal }, false).tools.map(({ name }) => name);
  expect(namesFor("ada")).toEqual(["shared", "diary"]);
  expect(namesFor("bob")).toEqual(["shared"]);
  expect(namesFor("ada")).toEqual(["shared", "diary"]);
});

it("SD16: so is one that exists for one session", async () => {
  const registry = createRegistry();
  await registry.addSource({
    id: "personal",
    list: () => [],
    listFor: ({ session }) => (session === "one" ? [toolOf("draft")] : []),
  });
  const lists = createToolLists({ registry, results: createResults({ name: "test", version: "1" }, 0), pageSize: 10 });
  const namesFor = (session: string): string[] => lists.for({ agent: "main", session }, false).tools.map(({ name }) => name);
  expect(namesFor("one")).toEqual(["draft"]);
  expect(namesFor("two")).toEqual([]);
});

describe("lists of tools", () => {
  /** A registry by hand: what it has, in which state, and what a caller sees of it. */
  function open() {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    afterThisTest(() => vi.useRealTimers());
    const [a, b] = [toolOf("a"), toolOf("b")];
    const now = { revision: 1, tools: [a, b], states: new Map([[a, "ready"]]), seen: [a, b] as readonly ToolDefinition[] };
    const entries = vi.fn(() => now.tools.map((tool) => ({ tool, state: now.states.get(tool) ?? "ready" })));
    const registry = {
      get revision() {
        return now.revision;
      },
      entries,
      list: () => now.tools,
      view: () => ({ tools: now.seen }),
    };
    const lists = createToolLists({ registry: registry as never, results: createResults({ name: "test", version: "1" }, 0), pageSize: 10 });
    return { a, b, now, lists, entries, read: (isAnonymous = true) => lists.for({}, isAnonymous) };
  }
  const namesIn = (list: ReturnType<ReturnType<typeof createToolLists>["for"]>): string[] =>
    JSON.parse(list.page("modern", undefined).json).tools.map(({ name }: { name: string }) => name);

  it("are public only for somebody unknown who sees all there is", () => {
    const { a, now, read } = open();
    expect([read().scope, read(false).scope]).toEqual(["public", "private"]);
    now.seen = [a];
    expect(read().scope).toBe("private");
    expect(namesIn(read())).toEqual(["a"]);
  });

  it("are one for all who see the same tools, in the same array or another", () => {
    const { a, b, now, read } = open();
    const list = read();
    expect(read()).toBe(list);
    now.seen = [a, b];
    expect(read()).toBe(list);
    expect([read(false) === list, read(false).signature === list.signature]).toEqual([false, false]);
    now.seen = [b, a];
    expect([read() === list, read().signature === list.signature, namesIn(read())]).toEqual([false, false, ["b", "a"]]);
  });

  it("are made anew when the registry has changed, or a tool is in another state, looked at once a second", () => {
    const { a, now, read, entries } = open();
    const list = read();
    expect(list.stateOf(a)).toBe("ready");
    now.states.set(a, "paused");
    vi.setSystemTime(999);
    expect(read()).toBe(list);
    expect(entries).toHaveBeenCalledTimes(1);
    vi.setSystemTime(1_000);
    const paused = read();
    expect([paused === list, paused.stateOf(a), paused.signature === list.signature]).toEqual([false, "paused", false]);
    const shown = (one: typeof list): unknown => JSON.parse(one.page("modern", undefined).json).tools[0];
    expect(shown(paused)).not.toEqual(shown(list));
    vi.setSystemTime(2_000);
    expect(read()).toBe(paused);
    vi.setSystemTime(2_999);
    expect(read()).toBe(paused);
    expect(entries).toHaveBeenCalledTimes(3);
    now.revision = 2;
    expect(read()).not.toBe(paused);
    expect(entries).toHaveBeenCalledTimes(4);
  });

  it("of a tool that the registry does not know say that it is ready", () => {
    const { read } = open();
    expect(read().stateOf(toolOf("other"))).toBe("ready");
  });

  it("are kept for the 64 that were used last", () => {
    const { now, read } = open();
    const arrays = Array.from({ length: 65 }, (_, index) => [toolOf(`t${index}`)]);
    const listOf = (tools: readonly ToolDefinition[]): unknown => ((now.seen = tools), read());
    const made = arrays.map((tools) => listOf(tools));
    expect([listOf([...arrays[1]!]) === made[1], listOf([...arrays[0]!]) === made[0]]).toEqual([true, false]);
    // The first came back in place of the third: the second had been used since.
    expect([listOf([...arrays[1]!]) === made[1], listOf([...arrays[2]!]) === made[2]]).toEqual([true, false]);
  });
});
