import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { ToolEvent } from "../../src/events.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { codeSource } from "../../src/sources/code.ts";
import type { ToolSource } from "../../src/sources/source.ts";
import { createFakeClock, settle } from "../../src/testing/fake-clock.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { AnyTool } from "../../src/tool/shapes.ts";
import { defineTool } from "../../src/tool/tool.ts";

const named = (name: string): AnyTool => fakeTool({ name });
const namesOf = (registry: Registry): string[] => registry.list().map(({ name }) => name);

/** A source whose next lists a test decides: each is an array, or an error that is thrown. */
function scripted(id: string, ...lists: (readonly AnyTool[] | Error)[]): ToolSource & { reads: number; tell(): void } {
  let onChange: (() => void) | undefined;
  const source = {
    id,
    reads: 0,
    list: async () => {
      const next = lists[Math.min(source.reads++, lists.length - 1)]!;
      if (next instanceof Error) throw next;
      return next;
    },
    watch: (told: () => void) => {
      onChange = told;
      return () => (onChange = undefined);
    },
    tell: () => onChange?.(),
  };
  return source;
}

describe("the sources of a registry", () => {
  // row: C20
  it("are merged into one view, with the origin of each tool shown", async () => {
    const registry = createRegistry();
    registry.register(named("own"));
    await registry.addSource(codeSource("plugin-a", [named("a1"), named("a2")]));
    await registry.addSource(scripted("remote", [named("r1")]));
    expect(registry.entries().map(({ tool, source }) => `${source}/${tool.name}`)).toEqual([
      "code/own",
      "plugin-a/a1",
      "plugin-a/a2",
      "remote/r1",
    ]);
    expect(await registry.invoke("r1", { text: "hi" })).toMatchObject({ ok: true, content: "hi" });
  });

  // row: C20
  it("take only their own tools along when they go", async () => {
    const registry = createRegistry();
    registry.register(named("own"));
    await registry.addSource(codeSource("plugin-a", [named("a1"), named("a2")]));
    await registry.addSource(codeSource("plugin-b", [named("b1")]));
    await registry.removeSource("plugin-a");
    expect(namesOf(registry)).toEqual(["own", "b1"]);
    expect(registry.sources().map(({ id }) => id)).toEqual(["plugin-b"]);
  });

  it("leave alone what was registered by hand in the place of theirs", async () => {
    const registry = createRegistry();
    const shared = defineTool({ name: "shared", description: "The very same.", inputSchema: { type: "object" }, handler: () => "" });
    const source = codeSource("plugin-a", [named("replaced"), named("retaken"), shared, fakeTool({ name: "versioned" })]);
    await registry.addSource(source);
    registry.register(named("replaced"), { onConflict: "replace" });
    for (const tool of [named("retaken"), shared]) {
      registry.unregister(tool.name);
      registry.register(tool);
    }
    registry.register(fakeTool({ name: "versioned", version: "1.0.0" }));
    source.replace([]);
    await registry.refreshSource("plugin-a");
    expect(registry.entries().map(({ tool, source: origin, state }) => [tool.name, tool.version, origin, state])).toEqual([
      ["replaced", undefined, "code", "ready"],
      ["versioned", "1.0.0", "code", "ready"],
      ["retaken", undefined, "code", "ready"],
      ["shared", undefined, "code", "ready"],
    ]);
    await registry.removeSource("plugin-a");
    expect(registry.count).toBe(4);
  });

  it("bring several versions of a tool, and lose them one by one", async () => {
    const registry = createRegistry();
    const [one, two] = [fakeTool({ name: "v", version: "1.0.0" }), fakeTool({ name: "v", version: "2.0.0" })];
    const source = codeSource("plugin-a", [one, two]);
    await registry.addSource(source);
    expect(registry.get("v")?.version).toBe("2.0.0");
    source.replace([one]);
    await registry.refreshSource("plugin-a");
    expect(registry.get("v")?.version).toBe("1.0.0");
  });

  it("are read again when they tell of a change, and one event tells of each tool that came, changed or went", async () => {
    const registry = createRegistry();
    const [kept, gone] = [named("kept"), named("gone")];
    const source = codeSource("plugin-a", [kept, gone, named("changed")]);
    await registry.addSource(source);
    const events: string[] = [];
    registry.subscribe((event: ToolEvent) => void events.push(`${event.type} ${"tool" in event ? event.tool : event.source}`));
    source.replace([kept, fakeTool({ name: "changed", description: "Another text." }), named("new")]);
    await settle();
    expect(namesOf(registry)).toEqual(["kept", "changed", "new"]);
    expect(events).toEqual(["tool-changed changed", "tool-added new", "tool-removed gone", "source-ready plugin-a"]);
  });

  it("that are read again without a change cause none, whatever the shape of their tools", async () => {
    const registry = createRegistry();
    await registry.addSource(codeSource("plugin-a", [named("a"), { name: "old", description: "Old.", execute: () => "" }]));
    const { revision } = registry;
    await registry.refreshSource("plugin-a");
    expect(registry.revision).toBe(revision);
  });
});

describe("a source that fails", () => {
  it("is reported, keeps its last-known tools and harms no other", async () => {
    const clock = createFakeClock(1_000);
    const registry = createRegistry({ clock });
    const events: ToolEvent[] = [];
    const source = scripted("remote", [named("r1")], new Error("no connection"), [named("r1"), named("r2")]);
    await registry.addSource(codeSource("plugin-a", [named("a1")]));
    expect(await registry.addSource(source)).toEqual({ id: "remote", state: "ready", tools: ["r1"], problems: [], readAt: 1_000 });
    registry.subscribe((event) => void events.push(event));
    await clock.advance(500);
    expect(await registry.refreshSource("remote")).toEqual({
      id: "remote",
      state: "failed",
      error: "no connection",
      tools: ["r1"],
      problems: [],
      readAt: 1_000,
      retryAt: expect.any(Number),
    });
    expect(namesOf(registry)).toEqual(["a1", "r1"]);
    expect(await registry.invoke("r1", { text: "hi" })).toMatchObject({ ok: true });
    expect(events[0]).toMatchObject({ type: "source-failed", source: "remote", error: "no connection" });
    expect(await registry.refreshSource("remote")).toEqual({
      id: "remote",
      state: "ready",
      tools: ["r1", "r2"],
      problems: [],
      readAt: 1_500,
    });
    expect(namesOf(registry)).toEqual(["a1", "r1", "r2"]);
  });

  it("fails as well with a list that is none, or one that cannot be read", async () => {
    const unreadable = new Proxy([named("a")], {
      get: (target, key) => (key === "0" ? expect.fail("no reading") : Reflect.get(target, key)),
    });
    for (const list of ["text", undefined, null, 5, { length: 1 }, unreadable]) {
      const registry = createRegistry();
      const status = await registry.addSource({ id: "odd", list: () => list as never });
      expect(status).toMatchObject({ state: "failed", tools: [], error: expect.any(String) });
    }
  });

  it("says which tools were left out alone, and why", async () => {
    const registry = createRegistry();
    registry.register(named("taken"));
    const hostile = new Proxy({} as AnyTool, { get: () => expect.fail("no reading") });
    const status = await registry.addSource(
      codeSource("plugin-a", [
        named("fine"),
        named("not a name"),
        named("taken"),
        named("fine"),
        fakeTool({ name: "needs", metadata: { requiresCapabilities: ["unheard-of"] } }),
        hostile,
        named("also-fine"),
      ]),
    );
    expect(status).toMatchObject({ state: "ready", tools: ["fine", "also-fine"] });
    expect(status.problems).toEqual([
      expect.stringMatching(/^Tool 2 of the list was left out: "not a name" cannot name a tool/),
      'Tool "taken" was left out: A tool "taken" is already there from "code".',
      'Tool "fine" was left out: The source lists tool "fine" twice.',
      expect.stringMatching(/^Tool "needs" was left out: Tool "needs" requires the capability "unheard-of"/),
      "Tool 6 of the list was left out: no reading",
    ]);
  });

  it("is still shown as ready when only its watching failed, with that problem", async () => {
    const registry = createRegistry();
    const watch = (): never => {
      throw new Error("no inotify");
    };
    const status = await registry.addSource({ id: "plugin-a", list: () => [named("a")], watch });
    expect(status).toMatchObject({ state: "ready", tools: ["a"], problems: ["It cannot be watched: no inotify"] });
    expect(await registry.refreshSource("plugin-a")).toMatchObject({ problems: ["It cannot be watched: no inotify"] });
  });

  it("may fail when it is closed: its tools are gone all the same, and the event is told", async () => {
    const registry = createRegistry();
    const close = (): Promise<never> => Promise.reject(new Error("still busy"));
    await registry.addSource({ id: "remote", list: () => [named("r1")], close });
    const events: string[] = [];
    registry.subscribe(({ type }) => void events.push(type));
    await expect(registry.removeSource("remote")).rejects.toThrow("still busy");
    expect(registry.count).toBe(0);
    expect(registry.sources()).toEqual([]);
    expect(events).toEqual(["tool-removed", "source-removed"]);
  });
});

describe("reading a source", () => {
  /** A source whose lists a test gives out one by one. */
  function gated(): ToolSource & { readonly signals: AbortSignal[]; answer(tools: readonly AnyTool[]): Promise<void>; tell(): void } {
    const waiting: ((tools: readonly AnyTool[]) => void)[] = [];
    const signals: AbortSignal[] = [];
    let onChange: (() => void) | undefined;
    return {
      id: "slow",
      signals,
      list: ({ signal }) => {
        signals.push(signal);
        return new Promise((resolve) => void waiting.push(resolve));
      },
      watch: (told) => {
        onChange = told;
        return () => (onChange = undefined);
      },
      tell: () => onChange?.(),
      answer: async (tools) => {
        waiting.shift()!(tools);
        await settle();
      },
    };
  }

  it("begins before the report of a change returns", async () => {
    const registry = createRegistry();
    const source = gated();
    void registry.addSource(source);
    await source.answer([named("first")]);
    expect(source.signals).toHaveLength(1);
    source.tell();
    expect(source.signals).toHaveLength(2);
  });

  it("never overlaps, and many changes during one reading lead to a single further one", async () => {
    const registry = createRegistry();
    const source = gated();
    void registry.addSource(source);
    for (let change = 0; change < 5; change++) source.tell();
    expect(source.signals).toHaveLength(1);
    await source.answer([named("first")]);
    expect(source.signals).toHaveLength(2);
    await source.answer([named("second")]);
    expect(source.signals).toHaveLength(2);
    expect(namesOf(registry)).toEqual(["second"]);
  });

  it("answers a refresh with what was read after it was asked for", async () => {
    const registry = createRegistry();
    const source = gated();
    const added = registry.addSource(source);
    const refreshed = registry.refreshSource("slow");
    await source.answer([named("old")]);
    expect(await added).toMatchObject({ tools: ["old"] });
    await source.answer([named("new")]);
    expect(await refreshed).toMatchObject({ tools: ["new"] });
  });

  it("does not hold up the other sources, the tools or the calls", async () => {
    const registry = createRegistry();
    void registry.addSource(gated());
    await registry.addSource(codeSource("plugin-a", [named("a1")]));
    expect(await registry.invoke("a1", { text: "hi" })).toMatchObject({ ok: true });
    expect(registry.sources()).toMatchObject([
      { id: "slow", tools: [] },
      { id: "plugin-a", tools: ["a1"] },
    ]);
  });

  it("ends when the source is removed: the signal is aborted, who waits is answered, and a late list hangs nothing up", async () => {
    const registry = createRegistry();
    const source = gated();
    const events: string[] = [];
    registry.subscribe(({ type }) => void events.push(type));
    const added = registry.addSource(source);
    const refreshed = registry.refreshSource("slow");
    await registry.removeSource("slow");
    expect(source.signals[0]!.aborted).toBe(true);
    expect(await added).toMatchObject({ id: "slow", tools: [] });
    expect(await refreshed).toMatchObject({ id: "slow", tools: [] });
    await source.answer([named("late")]);
    source.tell();
    expect(registry.count).toBe(0);
    expect(source.signals).toHaveLength(1);
    expect(events).toEqual(["source-removed"]);
  });

  it("ends also where the source is removed while it is being asked, and never answers", async () => {
    const registry = createRegistry();
    let removed: Promise<void> | undefined;
    const added = registry.addSource({
      id: "leaves-at-once",
      list() {
        removed = registry.removeSource("leaves-at-once");
        return new Promise<never>(() => {});
      },
    });
    await settle();
    expect(await Promise.race([added, settle().then(() => "still waiting")])).toMatchObject({ id: "leaves-at-once" });
    await removed;
    expect(registry.sources()).toEqual([]);
  });

  it("leaves no listener on the signal, however often a source is read", async () => {
    const registry = createRegistry();
    const signals = new Set<AbortSignal>();
    await registry.addSource({
      id: "remote",
      list: async ({ signal }) => {
        signals.add(signal);
        return [];
      },
    });
    for (let read = 0; read < 20; read++) await registry.refreshSource("remote");
    await settle();
    for (const signal of signals) expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("addSource, refreshSource, removeSource and close", () => {
  it("refuse an id that is taken, and one that is not there", async () => {
    const registry = createRegistry();
    await registry.addSource(codeSource("plugin-a", []));
    await expect(async () => registry.addSource(codeSource("plugin-a", [named("a")]))).rejects.toMatchObject({ code: "NAME_TAKEN" });
    for (const act of [() => registry.refreshSource("nothing"), () => registry.removeSource("nothing")]) {
      await expect(async () => act()).rejects.toMatchObject({ code: "SOURCE_FAILED", message: 'There is no source "nothing".' });
    }
  });

  it("let go of everything: watching stops, sources are closed, also after one of them fails to", async () => {
    const registry = createRegistry();
    const closed: string[] = [];
    const closing = (id: string, fails: boolean): ToolSource => ({
      id,
      list: () => [named(id)],
      watch: () => () => void closed.push(`${id} unwatched`),
      close: () => {
        closed.push(`${id} closed`);
        if (fails) throw new Error("no");
      },
    });
    await registry.addSource(closing("a", true));
    await registry.addSource(closing("b", false));
    await registry.close();
    expect(closed.sort()).toEqual(["a closed", "a unwatched", "b closed", "b unwatched"]);
    expect(registry.sources()).toEqual([]);
    await registry.close();
  });
});
