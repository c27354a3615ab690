import { describe, expect, it } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { codeSource } from "../../src/sources/code.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";

const namesOf = (registry: Registry): string[] => registry.list().map(({ name }) => name);

describe("disable and enable", () => {
  it("take a tool out of the next list, answer a late call, and bring it back to its place", async () => {
    const registry = createRegistry();
    for (const name of ["a", "b", "c"]) registry.register(fakeTool({ name }));
    registry.disable("b", "It is being repaired.");
    expect(namesOf(registry)).toEqual(["a", "c"]);
    expect(Object.keys(registry.schemas())).toEqual(["a", "c"]);
    expect(registry.describe().map(({ name }) => name)).toEqual(["a", "c"]);
    const late = await registry.invoke("b", {});
    expect(late).toMatchObject({ ok: false, code: "TOOL_DISABLED", status: 403 });
    expect(!late.ok && late.error).toContain("It is being repaired.");
    registry.enable("b");
    expect(namesOf(registry)).toEqual(["a", "b", "c"]);
    expect(await registry.invoke("b", { text: "back" })).toMatchObject({ ok: true, content: "back" });
  });

  it("keep the tool in the entries, with its state and the reason", () => {
    const registry = createRegistry();
    registry.register(fakeTool());
    registry.disable("echo");
    expect(registry.entries()).toMatchObject([{ state: "disabled", reason: "It was switched off by an operator." }]);
    expect(registry.has("echo")).toBe(true);
    expect(registry.count).toBe(1);
  });

  it("hide it from the suggestions for an unknown name", async () => {
    const registry = createRegistry();
    registry.register(fakeTool({ name: "search" }));
    registry.disable("search");
    const result = await registry.invoke("serch", {});
    expect(!result.ok && result.error).not.toContain("search");
  });

  it("hold when the tool is replaced, by hand or by its source", async () => {
    const registry = createRegistry();
    registry.register(fakeTool({ name: "a" }));
    const source = codeSource("plugin-b", [fakeTool({ name: "b" })]);
    await registry.addSource(source);
    registry.disable("a", "Not today.");
    registry.disable("b", "Not today.");
    registry.register(fakeTool({ name: "a", description: "A better one." }), { onConflict: "replace" });
    source.replace([fakeTool({ name: "b", description: "A better one." })]);
    await registry.refreshSource("plugin-b");
    expect(registry.entries().map(({ tool, state, reason }) => [tool.description, state, reason])).toEqual([
      ["A better one.", "disabled", "Not today."],
      ["A better one.", "disabled", "Not today."],
    ]);
    expect(await registry.invoke("a", {})).toMatchObject({ code: "TOOL_DISABLED" });
  });

  it("are forgotten with the tool", () => {
    const registry = createRegistry();
    registry.register(fakeTool());
    registry.disable("echo");
    registry.unregister("echo");
    registry.register(fakeTool());
    expect(namesOf(registry)).toEqual(["echo"]);
  });
});
