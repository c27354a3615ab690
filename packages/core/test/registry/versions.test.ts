import { describe, expect, it } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";

describe("a name that is taken", () => {
  const first = fakeTool({ name: "a", description: "The first." });
  const second = fakeTool({ name: "a", description: "The second." });

  // row: C2
  it("is an error by default, and nothing changes", () => {
    const registry = createRegistry();
    registry.register(first);
    expect(() => registry.register(second)).toThrowError(expect.objectContaining({ code: "NAME_TAKEN" }));
    expect(registry.get("a")!.description).toBe("The first.");
    expect(registry.revision).toBe(1);
  });

  // row: C2
  it("gives the second tool with replace, the first with keep", () => {
    const replaced = createRegistry();
    replaced.register(first);
    expect(replaced.register(second, { onConflict: "replace" }).description).toBe("The second.");
    expect(replaced.get("a")!.description).toBe("The second.");
    const kept = createRegistry();
    kept.register(first);
    expect(kept.register(second, { onConflict: "keep" }).description).toBe("The first.");
    expect(kept.get("a")!.description).toBe("The first.");
    expect([replaced.count, kept.count]).toEqual([1, 1]);
  });

  it("is an error for a mode that does not exist", () => {
    const registry = createRegistry();
    registry.register(first);
    expect(() => registry.register(second, { onConflict: "overwrite" as "replace" })).toThrowError(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });

  it("keeps the version that was asked for, not the newest one", () => {
    const registry = createRegistry();
    registry.register(fakeTool({ name: "a", version: "1.0.0" }));
    registry.register(fakeTool({ name: "a", version: "2.0.0" }));
    expect(registry.register(fakeTool({ name: "a", version: "1.0.0" }), { onConflict: "keep" }).version).toBe("1.0.0");
  });
});

describe("several versions of one tool", () => {
  const versions = ["1.0.0", "2.0.0", "1.3.0", "3.0.0-beta.1"];

  function registryOfVersions(): Registry {
    const registry = createRegistry();
    for (const version of versions) registry.register(fakeTool({ name: "random", version, handler: () => version }));
    return registry;
  }

  it.each([
    ["random", "2.0.0"],
    ["random@^1", "1.3.0"],
    ["random@1.0.0", "1.0.0"],
    ["random@~1.0.0", "1.0.0"],
    ["random@*", "2.0.0"],
    ["random@3.0.0-beta.1", "3.0.0-beta.1"],
    ["RANDOM@^1", "1.3.0"],
    // row: A13
  ])("%s calls version %s, and the result says so", async (name, version) => {
    const registry = registryOfVersions();
    expect(registry.get(name)?.version).toBe(version);
    expect(await registry.invoke(name, {})).toMatchObject({ ok: true, content: version, meta: { tool: "random", version } });
  });

  it("is not found where no version fits, with the name that exists", async () => {
    const result = await registryOfVersions().invoke("random@^4", {});
    expect(result).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
    expect(!result.ok && result.error).toContain('Did you mean "random"?');
  });

  it("is one tool in lists and several entries, each with its own hash", () => {
    const registry = registryOfVersions();
    expect(registry.list().map(({ version }) => version)).toEqual(["2.0.0"]);
    expect(registry.count).toBe(1);
    expect(registry.entries().map(({ tool }) => tool.version)).toEqual(versions);
    expect(new Set(registry.entries().map(({ hash }) => hash)).size).toBe(versions.length);
  });

  it("loses one by name@version, and all by the bare name", () => {
    const registry = registryOfVersions();
    registry.unregister("random@2.0.0");
    expect(registry.get("random")?.version).toBe("1.3.0");
    registry.unregister("random");
    expect(registry.has("random@1.0.0")).toBe(false);
    expect(registry.count).toBe(0);
  });

  it("is switched off one by one", async () => {
    const registry = registryOfVersions();
    registry.disable("random@1.0.0", "It has a hole.");
    expect(await registry.invoke("random@1.0.0", {})).toMatchObject({ code: "TOOL_DISABLED" });
    expect(await registry.invoke("random@1.3.0", {})).toMatchObject({ ok: true });
    expect(await registry.invoke("random", {})).toMatchObject({ ok: true, content: "2.0.0" });
  });

  it("is switched off with all others by the bare name, also one that is registered later, until the name is enabled", async () => {
    const registry = registryOfVersions();
    registry.disable("random@1.0.0", "It has a hole.");
    registry.disable("random");
    expect(registry.list()).toEqual([]);
    registry.register(fakeTool({ name: "random", version: "3.0.0" }));
    registry.unregister("random@2.0.0");
    for (const name of ["random", "random@1.3.0", "RANDOM@^1", "random@3.0.0"])
      expect(await registry.invoke(name, {})).toMatchObject({ code: "TOOL_DISABLED" });
    registry.enable("random");
    expect(await registry.invoke("random@1.3.0", {})).toMatchObject({ ok: true });
    expect(await registry.invoke("random@1.0.0", {})).toMatchObject({ code: "TOOL_DISABLED" });
  });
});
