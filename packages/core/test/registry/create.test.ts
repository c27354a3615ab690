import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ConfiguredPolicy, readPolicyConfig } from "../../src/policy/config/config.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { BaseTool } from "../../src/tool/base-tool.ts";
import { normalizeToolName } from "../../src/tool/name.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";

const named = (name: string, more: Partial<ToolDefinition> = {}): ToolDefinition => fakeTool({ name, ...more });
const namesOf = (tools: readonly { readonly name: string }[]): string[] => tools.map(({ name }) => name);

function registryOf(...names: readonly string[]): Registry {
  const registry = createRegistry();
  for (const name of names) registry.register(named(name));
  return registry;
}

describe("register, unregister, get, has, list and count", () => {
  // row: C1
  it("leave the set that their sequence says", () => {
    const registry = registryOf("a", "b", "c");
    registry.unregister("b");
    registry.register(named("d"));
    expect(namesOf(registry.list())).toEqual(["a", "c", "d"]);
    expect(registry.count).toBe(3);
    expect([registry.has("a"), registry.has("b")]).toEqual([true, false]);
    expect(registry.get("d")?.name).toBe("d");
    expect(registry.get("b")).toBeUndefined();
  });

  it("give back the tool as it hangs: frozen, and the very one that was defined", () => {
    const tool = defineTool({ name: "a", description: "A.", inputSchema: { type: "object" }, handler: () => "" });
    const registry = createRegistry();
    expect(registry.register(tool)).toBe(tool);
    expect(registry.get("a")).toBe(tool);
    expect(registry.list()[0]).toBe(tool);
    expect(Object.isFrozen(registry.register(named("b")))).toBe(true);
  });

  it("take every shape of tool, and call each alike", async () => {
    class Doubled extends BaseTool<{ n: number }> {
      readonly name = "as-class";
      readonly description = "Doubles.";
      readonly parametersSchema = { type: "object", properties: { n: { type: "number" } } };
      execute(_session: unknown, { n }: { n: number }): { success: boolean; data: number } {
        return { success: true, data: 2 * n };
      }
    }
    const registry = createRegistry();
    registry.register(new Doubled());
    registry.register({
      name: "as-legacy",
      description: "Doubles.",
      execute: (input: Record<string, unknown>) => 2 * (input["n"] as number),
    });
    registry.register({
      name: "as-agent-tool",
      description: "Doubles.",
      parameters: { type: "object" },
      execute: ({ n }: { n: number }) => 2 * n,
    });
    registry.register(named("as-plain-object", { inputSchema: { type: "object" }, handler: ({ n }: { n: number }) => 2 * n }));
    for (const { name } of registry.list()) expect(await registry.invoke(name, { n: 21 })).toMatchObject({ ok: true, data: 42 });
    expect(registry.count).toBe(4);
  });

  it("answer an unknown name with a coded error and the nearest name", () => {
    const registry = registryOf("search");
    for (const act of [
      () => registry.unregister("serch"),
      () => registry.disable("serch"),
      () => registry.enable("serch"),
      () => registry.wrappers("serch"),
    ]) {
      expect(act).toThrowError(
        expect.objectContaining({ code: "TOOL_NOT_FOUND", message: 'There is no tool "serch". Did you mean "search"?' }),
      );
    }
    expect(() => registry.unregister("toString")).toThrowError(expect.objectContaining({ code: "TOOL_NOT_FOUND" }));
  });

  it("refuse a definition that is wrong, and hang nothing up", () => {
    const registry = createRegistry();
    expect(() => registry.register(named("no spaces"))).toThrowError(expect.objectContaining({ code: "NAME_INVALID" }));
    expect(() => registry.register({ name: "a", description: "No handler." } as ToolDefinition)).toThrowError(
      expect.objectContaining({ code: "DEFINITION_INVALID" }),
    );
    expect(() => registry.register(undefined as unknown as ToolDefinition)).toThrowError(
      expect.objectContaining({ code: "DEFINITION_INVALID" }),
    );
    expect([registry.count, registry.revision]).toEqual([0, 0]);
  });

  it("take names that every object inherits", async () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const registry = registryOf(...names);
    expect(namesOf(registry.list())).toEqual(names);
    expect(Object.keys(registry.schemas())).toEqual(names);
    expect(namesOf(registry.describe())).toEqual(names);
    for (const name of names) expect(await registry.invoke(name, { text: name })).toMatchObject({ ok: true, content: name });
    expect("text" in {}).toBe(false);
  });
});

describe("list", () => {
  // row: C3
  it("is byte-identical a thousand times over, in the order of registration", () => {
    const names = Array.from({ length: 50 }, (_, index) => `tool-${(index * 37) % 50}`);
    const registry = registryOf(...names);
    expect(namesOf(registry.list())).toEqual(names);
    const [list, described, schemas] = [
      JSON.stringify(registry.list()),
      JSON.stringify(registry.describe()),
      JSON.stringify(registry.schemas()),
    ];
    for (let run = 0; run < 1_000; run++) {
      expect(JSON.stringify(registry.list())).toBe(list);
      expect(JSON.stringify(registry.describe())).toBe(described);
      expect(JSON.stringify(registry.schemas())).toBe(schemas);
    }
  });

  it("follows the order in which names came, whatever was registered, replaced and unregistered", () => {
    const action = fc.record({
      kind: fc.constantFrom("register" as const, "unregister" as const),
      name: fc.constantFrom("a", "b", "c", "d", "e"),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const registry = createRegistry();
        let order: string[] = [];
        for (const { kind, name } of actions) {
          if (kind === "register") {
            registry.register(named(name), { onConflict: "replace" });
            if (!order.includes(name)) order.push(name);
          } else if (order.includes(name)) {
            registry.unregister(name);
            order = order.filter((other) => other !== name);
          }
        }
        expect(namesOf(registry.list())).toEqual(order);
        expect(namesOf(registry.describe())).toEqual(order);
        expect(Object.keys(registry.schemas())).toEqual(order);
        expect(namesOf(registry.entries().map(({ tool }) => tool))).toEqual(order);
        expect(registry.count).toBe(order.length);
      }),
    );
  });

  // row: C8
  it("shows what was added in the next list and drops what was removed, without a restart", async () => {
    const registry = registryOf("a");
    const before = registry.list();
    registry.register(named("b"));
    expect(namesOf(registry.list())).toEqual(["a", "b"]);
    registry.unregister("a");
    expect(namesOf(registry.list())).toEqual(["b"]);
    expect(await registry.invoke("a", {})).toMatchObject({ code: "TOOL_NOT_FOUND" });
    expect(namesOf(before)).toEqual(["a"]);
  });
});

describe("filters", () => {
  const category = fc.constantFrom(undefined, "code", "vcs", "house-brand");
  const optionality = fc.constantFrom(undefined, "required" as const, "optional" as const);

  // row: C4
  it("give what a filter by hand gives", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ category, optionality }), { maxLength: 12 }), (drafts) => {
        const registry = createRegistry();
        drafts.forEach(({ category, optionality }, index) => {
          const metadata = { ...(category && { category }), ...(optionality && { optionality }) };
          registry.register(named(`tool-${index}`, index % 3 === 0 && Object.keys(metadata).length === 0 ? {} : { metadata }));
        });
        for (const wanted of ["code", "vcs", "house-brand", "constructor"]) {
          expect(registry.listByCategory(wanted)).toEqual(registry.list().filter((tool) => tool.metadata?.category === wanted));
        }
        for (const wanted of ["required", "optional", "conditional"] as const) {
          expect(registry.listByOptionality(wanted)).toEqual(registry.list().filter((tool) => tool.metadata?.optionality === wanted));
        }
      }),
    );
  });

  // row: A10
  it("count the tools of the standard categories, and of every other one in use", () => {
    const registry = createRegistry();
    registry.register(named("a", { metadata: { category: "vcs" } }));
    registry.register(named("b", { metadata: { category: "constructor" } }));
    registry.register(named("c", { metadata: { category: "vcs" } }));
    registry.register(named("d"));
    const categories = registry.categories();
    expect(categories.map(({ name }) => name)).toEqual(["code", "vcs", "build", "research", "publish", "utility", "constructor"]);
    expect(categories.map(({ tools }) => tools)).toEqual([0, 2, 0, 0, 0, 0, 1]);
    expect(categories[1]!.description).toBe("Version control operations");
  });
});

describe("describe, schemas and entries", () => {
  const registry = createRegistry();
  registry.register(named("a", { title: "A", metadata: { when: () => true, tags: ["x"] }, outputSchema: { type: "string" } }));
  registry.register(named("b"));

  // row: C5
  it("describe tools as plain JSON without handlers: name, description, parameters", () => {
    const described = registry.describe();
    expect(JSON.parse(JSON.stringify(described))).toEqual(described);
    expect(described[0]).toEqual({ name: "a", description: "Gives its text back.", parameters: named("a").inputSchema });
  });

  // row: C6
  it("map each name of the list to its schema, as plain JSON", () => {
    const schemas = registry.schemas();
    expect(Object.keys(schemas)).toEqual(namesOf(registry.list()));
    expect(JSON.parse(JSON.stringify(schemas))).toEqual({ ...schemas });
    for (const tool of registry.list()) expect(schemas[tool.name]).toBe(tool.inputSchema);
  });

  it("say of every tool where it came from, how it is doing and what its content is", () => {
    expect(registry.entries()).toEqual([
      { tool: registry.get("a"), source: "code", state: "ready", hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
      { tool: registry.get("b"), source: "code", state: "ready", hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    ]);
  });

  it("show one registration everywhere: in lists, descriptions, schemas, entries, bundles and calls", async () => {
    expect(namesOf(registry.list())).toContain("b");
    expect(namesOf(registry.describe())).toContain("b");
    expect(registry.schemas()["b"]).toBeDefined();
    expect(registry.entries().some(({ tool }) => tool.name === "b")).toBe(true);
    expect(namesOf(registry.view({}).tools)).toContain("b");
    expect(registry.applyBundle({ name: "x", description: "", required: ["b"], optional: [] }).missing).toEqual([]);
    expect(await registry.invoke("b", { text: "hi" })).toMatchObject({ ok: true, content: "hi" });
  });
});

describe("names", () => {
  // row: C13
  it("resolve Bash and apply-patch to exec and apply_patch, unless a tool has that very name", async () => {
    const registry = registryOf("exec", "apply_patch");
    expect(registry.get("Bash")?.name).toBe("exec");
    expect(registry.get("apply-patch")?.name).toBe("apply_patch");
    expect(await registry.invoke("Bash", { text: "ls" })).toMatchObject({ ok: true, meta: { tool: "exec" } });
    registry.register(named("bash"));
    expect(registry.get("bash")?.name).toBe("bash");
    expect(registry.get("Bash")?.name).toBe("exec");
  });

  // row: C13
  it("resolve the aliases of the registry, unless a tool has that very name", async () => {
    const aliases = { Shell: "exec", gone: "nothing" };
    const registry = createRegistry({ aliases });
    registry.register(named("exec"));
    expect(registry.get("shell")?.name).toBe("exec");
    expect(await registry.invoke("SHELL", { text: "ls" })).toMatchObject({ ok: true, meta: { tool: "exec" } });
    expect(registry.get("gone")).toBeUndefined();
    expect(registry.get("constructor")).toBeUndefined();
    registry.register(named("shell"));
    expect(registry.get("shell")?.name).toBe("shell");
    expect(() => createRegistry({ aliases: { a: 1 } as never })).toThrow(/aliases/);
  });

  it("find a tool by every spelling that normalises alike", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_.-]{1,12}$/), (name) => {
        const registry = registryOf(name);
        for (const spelling of [name, name.toUpperCase(), ` ${name.toLowerCase()} `]) expect(registry.has(spelling)).toBe(true);
        expect(normalizeToolName(registry.get(name.toUpperCase())!.name)).toBe(normalizeToolName(name));
      }),
    );
  });
});

describe("two registries", () => {
  // row: C10
  it("do not see each other's tools, events, calls or switches", async () => {
    const [one, other] = [registryOf("a"), registryOf("a", "b")];
    const heard: string[] = [];
    other.subscribe(({ type }) => void heard.push(type));
    one.register(named("only-here"));
    one.disable("a");
    await one.invoke("only-here", {});
    expect(other.has("only-here")).toBe(false);
    expect(namesOf(other.list())).toEqual(["a", "b"]);
    expect(heard).toEqual([]);
  });

  it("may share one tool", async () => {
    const shared = defineTool({ name: "a", description: "A.", inputSchema: { type: "object" }, handler: () => "here" });
    const [one, other] = [createRegistry(), createRegistry()];
    one.register(shared);
    other.register(shared);
    one.unregister("a");
    expect(await other.invoke("a", {})).toMatchObject({ ok: true, content: "here" });
  });
});

describe("revision", () => {
  it("counts changes, and only those", async () => {
    const registry = registryOf("a");
    const { revision } = registry;
    registry.list();
    registry.entries();
    registry.register(named("a"), { onConflict: "keep" });
    registry.enable("a");
    await registry.invoke("a", {});
    expect(registry.revision).toBe(revision);
    registry.disable("a");
    expect(registry.revision).toBeGreaterThan(revision);
  });
});

describe("the policy of a registry", () => {
  it("must have been read: a plain configuration is refused and changes nothing", () => {
    const plain = { tools: { deny: ["exec"] } } as unknown as ConfiguredPolicy;
    const invalid = expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining("readPolicyConfig(config)") });
    expect(() => createRegistry({ policy: plain })).toThrow(invalid);
    const registry = createRegistry({ policy: readPolicyConfig({ tools: { deny: ["exec"] } }) });
    registry.register(defineTool({ name: "exec", description: "Runs.", inputSchema: { type: "object" }, handler: () => "" }));
    for (const wrong of [plain, {}, null, "deny", { for: () => ({ steps: [] }) }])
      expect(() => registry.setPolicy(wrong as unknown as ConfiguredPolicy)).toThrow(invalid);
    expect(registry.view({}).tools).toEqual([]);
  });
});
