import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolEvent } from "../../src/events.ts";
import { createCapabilities } from "../../src/registry/capabilities.ts";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { codeSource } from "../../src/sources/code.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { createMemoryConfig } from "../../src/call/ports/config.ts";

/** A registry whose tools say whose they are: registryOf("first", ["a", "b@1.0.0"]). */
function registryOf(owner: string, labels: readonly string[]): Registry {
  const registry = createRegistry();
  for (const label of labels) {
    const [name = "", version] = label.split("@");
    registry.register(fakeTool({ name, description: owner, handler: () => owner, ...(version !== undefined && { version }) }));
  }
  return registry;
}

/** What hangs in a registry: "a first", "b@1.0.0 second". */
function contentOf(registry: Registry): string[] {
  return registry.entries().map(({ tool }) => `${tool.name}${tool.version === undefined ? "" : `@${tool.version}`} ${tool.description}`);
}

describe("clone", () => {
  it("has the same tools in the same order, and lives on its own", async () => {
    const original = registryOf("first", ["b", "a", "c@1.0.0", "c@2.0.0"]);
    const copy = original.clone();
    expect(contentOf(copy)).toEqual(contentOf(original));
    copy.unregister("a");
    original.register(fakeTool({ name: "d" }));
    expect(original.has("a")).toBe(true);
    expect(copy.has("d")).toBe(false);
    expect(await copy.invoke("c@^1", {})).toMatchObject({ ok: true, content: "first" });
  });

  it("keeps the options: ports, limits and hooks", async () => {
    const config = createMemoryConfig({ echo: { text: "from the configuration" } });
    const original = createRegistry({ config, limits: { depth: 3 }, hooks: { before: [() => undefined] } });
    original.register(fakeTool());
    const copy = original.clone();
    expect(await copy.invoke("echo", {})).toMatchObject({ content: "from the configuration" });
    expect(copy.wrappers("echo")).toEqual(original.wrappers("echo"));
  });

  it("keeps the policy in force, not the one that the registry was created with", async () => {
    const denied = readPolicyConfig({ tools: { deny: ["echo"] } });
    const original = createRegistry();
    original.register(fakeTool());
    original.setPolicy(denied);
    expect(await original.clone().invoke("echo", {})).toMatchObject({ code: "TOOL_NOT_ALLOWED" });
    const opened = createRegistry({ policy: denied });
    opened.register(fakeTool());
    opened.setPolicy(undefined);
    expect(await opened.clone().invoke("echo", {})).toMatchObject({ ok: true });
  });

  it("a policy that says nothing of a caller allows nothing", async () => {
    const denied = readPolicyConfig({ tools: { deny: ["echo"] } });
    const registry = createRegistry({ policy: { ...denied, for: () => undefined as never } });
    registry.register(fakeTool());
    expect(await registry.invoke("echo", {})).toMatchObject({ ok: false, code: "TOOL_FAILED" });
  });

  it("keeps where tools came from, and what was switched off", async () => {
    const original = createRegistry();
    await original.addSource(codeSource("plugin-a", [fakeTool({ name: "a" })]));
    original.register(fakeTool({ name: "b", version: "1.0.0" }));
    original.register(fakeTool({ name: "b", version: "2.0.0" }));
    original.disable("b@1.0.0", "It has a hole.");
    const copy = original.clone();
    expect(copy.entries()).toEqual(original.entries());
    expect(copy.entries()[1]).toMatchObject({ state: "disabled", reason: "It has a hole." });
    expect(await copy.invoke("b@1.0.0", {})).toMatchObject({ code: "TOOL_DISABLED" });
  });
});

describe("merge", () => {
  it("takes over the other's tools, after its own", async () => {
    const registry = registryOf("first", ["a"]);
    expect(registry.merge(registryOf("second", ["c", "b"]))).toEqual({ added: ["c", "b"], replaced: [], conflicts: [] });
    expect(contentOf(registry)).toEqual(["a first", "c second", "b second"]);
    expect(await registry.invoke("b", {})).toMatchObject({ content: "second" });
  });

  // row: C11
  it("lists the names in conflict and changes nothing, where no mode settles them", () => {
    const registry = registryOf("first", ["a", "b", "v@1.0.0"]);
    const events: ToolEvent[] = [];
    registry.subscribe((event) => void events.push(event));
    const { revision } = registry;
    expect(registry.merge(registryOf("second", ["new", "b", "a", "v@1.0.0", "v@2.0.0"]))).toEqual({
      added: [],
      replaced: [],
      conflicts: ["b", "a", "v"],
    });
    expect(contentOf(registry)).toEqual(["a first", "b first", "v@1.0.0 first"]);
    expect(registry.revision).toBe(revision);
    expect(events).toEqual([]);
  });

  it("gives the other's tools with replace, its own with keep", () => {
    const replacing = registryOf("first", ["a", "b"]);
    expect(replacing.merge(registryOf("second", ["b", "c"]), { onConflict: "replace" })).toEqual({
      added: ["c"],
      replaced: ["b"],
      conflicts: ["b"],
    });
    expect(contentOf(replacing)).toEqual(["a first", "b second", "c second"]);
    const keeping = registryOf("first", ["a", "b"]);
    expect(keeping.merge(registryOf("second", ["b", "c"]), { onConflict: "keep" })).toEqual({
      added: ["c"],
      replaced: [],
      conflicts: ["b"],
    });
    expect(contentOf(keeping)).toEqual(["a first", "b first", "c second"]);
  });

  it("lets other versions hang side by side", () => {
    const registry = registryOf("first", ["v@1.0.0"]);
    expect(registry.merge(registryOf("second", ["v@2.0.0"])).conflicts).toEqual([]);
    expect(contentOf(registry)).toEqual(["v@1.0.0 first", "v@2.0.0 second"]);
  });

  it("takes over all or nothing: a tool that needs what is unknown here stops the whole merge", () => {
    const other = createRegistry({ capabilities: createCapabilities({ checks: { plotter: () => true } }) });
    other.register(fakeTool({ name: "fine" }));
    other.register(fakeTool({ name: "plot", metadata: { requiresCapabilities: ["plotter"] } }));
    const registry = registryOf("first", ["a"]);
    expect(() => registry.merge(other)).toThrowError(expect.objectContaining({ code: "CAPABILITY_UNKNOWN" }));
    expect(contentOf(registry)).toEqual(["a first"]);
  });

  it("with itself is one conflict for each tool, and changes nothing", () => {
    const registry = registryOf("first", ["a", "b"]);
    expect(registry.merge(registry)).toEqual({ added: [], replaced: [], conflicts: ["a", "b"] });
    registry.merge(registry, { onConflict: "replace" });
    expect(contentOf(registry)).toEqual(["a first", "b first"]);
  });

  const labels = fc.uniqueArray(fc.constantFrom("a", "b", "c", "v@1.0.0", "v@2.0.0", "v", "w@1.0.0"), { maxLength: 7 });

  it("obeys its laws", () => {
    fc.assert(
      fc.property(labels, labels, (ours, theirs) => {
        const merged = (onConflict: "error" | "replace" | "keep"): { registry: Registry; report: ReturnType<Registry["merge"]> } => {
          const registry = registryOf("first", ours);
          return { registry, report: registry.merge(registryOf("second", theirs), { onConflict }) };
        };
        const shared = theirs.filter((label) => ours.includes(label));

        // With nothing in common, all modes do the same; with something, "error" does nothing.
        const strict = merged("error");
        if (shared.length > 0) expect(contentOf(strict.registry)).toEqual(contentOf(registryOf("first", ours)));
        else expect(contentOf(strict.registry)).toEqual(contentOf(merged("replace").registry));

        const [replacing, keeping] = [merged("replace"), merged("keep")];
        for (const { registry, report } of [replacing, keeping]) {
          // Everything of both hangs once, and what was there stays in its order.
          const hung = registry.entries().map(({ tool }) => (tool.version === undefined ? tool.name : `${tool.name}@${tool.version}`));
          expect([...hung].sort()).toEqual([...new Set([...ours, ...theirs])].sort());
          const names = (all: readonly string[]): string[] => [...new Set(all.map((label) => label.split("@")[0]!))];
          expect(names(hung)).toEqual(names([...ours, ...theirs]));
          expect(report.conflicts.length === 0).toBe(shared.length === 0);
          // Merging the same again adds nothing.
          const content = contentOf(registry);
          expect(registry.merge(registryOf("second", theirs), { onConflict: "keep" }).added).toEqual([]);
          expect(contentOf(registry)).toEqual(content);
        }
        const owners = (registry: Registry): string[] =>
          contentOf(registry).filter((line) => shared.some((label) => line.startsWith(`${label} `)));
        expect(owners(replacing.registry).every((line) => line.endsWith(" second"))).toBe(true);
        expect(owners(keeping.registry).every((line) => line.endsWith(" first"))).toBe(true);
        expect(replacing.report.replaced.length).toBe(shared.length);
      }),
    );
  });

  it("has the empty registry as its neutral element, and is a clone of what is merged into it", () => {
    fc.assert(
      fc.property(labels, (ours) => {
        const registry = registryOf("first", ours);
        const before = contentOf(registry);
        expect(registry.merge(createRegistry())).toEqual({ added: [], replaced: [], conflicts: [] });
        expect(contentOf(registry)).toEqual(before);
        const empty = createRegistry();
        empty.merge(registry);
        expect(empty.entries()).toEqual(registry.clone().entries());
      }),
    );
  });
});
