import { createRegistry, defineTool, type Registry } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/store/memory.ts";
import { syncSettings, loadBundles, saveBundle, savePolicy } from "../../src/tools/settings.ts";

function withTools(...names: string[]): Registry {
  const registry = createRegistry();
  for (const name of names)
    registry.register(defineTool({ name, description: name, inputSchema: { type: "object" }, handler: () => name }));
  return registry;
}

describe("settings of a registry", () => {
  // row: C14
  it("are found as they were after a restart: what is switched off, the policy, the bundles", async () => {
    const store = createMemoryStore();
    const first = withTools("a", "b", "c");
    const syncing = await syncSettings(store, first);
    first.disable("b", "It is broken.");
    await savePolicy(store, { tools: { deny: ["c"] } });
    await saveBundle(store, { name: "mine", description: "My tools", required: ["a"], optional: ["b"] });
    await syncing.close();

    const second = withTools("a", "b", "c", "later");
    const again = await syncSettings(store, second);
    expect(second.entries().map(({ tool, state, reason }) => [tool.name, state, reason])).toContainEqual([
      "b",
      "disabled",
      "It is broken.",
    ]);
    expect(second.view({}).tools.map(({ name }) => name)).toEqual(["a", "later"]);
    expect(await loadBundles(store)).toEqual([{ name: "mine", description: "My tools", required: ["a"], optional: ["b"] }]);
    await again.close();
  });

  it("reach other processes, and tools that come later", async () => {
    const store = createMemoryStore();
    const [here, there] = [withTools("a", "b"), withTools("a")];
    const both = [await syncSettings(store, here), await syncSettings(store, there)];
    here.disable("a");
    here.disable("b");
    await expect.poll(() => there.entries()[0]?.state).toBe("disabled");
    there.register(defineTool({ name: "b", description: "b", inputSchema: { type: "object" }, handler: () => "b" }));
    expect(there.entries()[1]?.state).toBe("disabled");
    there.enable("a");
    await expect.poll(() => here.entries().map(({ state }) => state)).toEqual(["ready", "disabled"]);
    for (const one of both) await one.close();
  });
});
