import { describe, expect, it } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { blogAgentBundle, codeAgentBundle, defineBundle } from "../../src/tool/bundle.ts";

function registryOf(...names: readonly string[]): Registry {
  const registry = createRegistry();
  for (const name of names) registry.register(fakeTool({ name }));
  return registry;
}

const namesOf = (tools: readonly { readonly name: string }[]): string[] => tools.map(({ name }) => name);

describe("applyBundle", () => {
  // row: C15
  it("reports a required tool that is missing, and none of the optional ones", () => {
    const registry = registryOf("file", "code_edit", "search", "navigate");
    const { tools, missing } = registry.applyBundle(codeAgentBundle);
    expect(namesOf(tools)).toEqual(["file", "code_edit", "search", "navigate"]);
    expect(missing).toEqual(["git"]);
    registry.register(fakeTool({ name: "git" }));
    expect(registry.applyBundle(codeAgentBundle).missing).toEqual([]);
  });

  it("gives the bundle's order, required before optional, whatever the registry's", () => {
    const registry = registryOf("web_search", "git", "navigate", "bash", "search", "code_edit", "file", "unrelated");
    expect(namesOf(registry.applyBundle(codeAgentBundle).tools)).toEqual([
      "file",
      "code_edit",
      "search",
      "navigate",
      "git",
      "bash",
      "web_search",
    ]);
  });

  it("needs nothing for the blog agent, and takes what is there", () => {
    expect(createRegistry().applyBundle(blogAgentBundle)).toEqual({ tools: [], missing: [], missingOptional: blogAgentBundle.optional });
    expect(namesOf(registryOf("calendar", "rss_feed").applyBundle(blogAgentBundle).tools)).toEqual(["rss_feed", "calendar"]);
  });

  it("takes a bundle of your own, and two of them give two lists from one registry", () => {
    const registry = registryOf("read", "write", "search");
    const reader = defineBundle({ name: "reader", description: "Reads.", required: ["read"], optional: ["search"] });
    const writer = defineBundle({ name: "writer", description: "Writes.", required: ["read", "write"], optional: [] });
    expect(namesOf(registry.applyBundle(reader).tools)).toEqual(["read", "search"]);
    expect(namesOf(registry.applyBundle(writer).tools)).toEqual(["read", "write"]);
  });

  it("counts a tool that is switched off, or needs what this machine has not, as missing", () => {
    const registry = registryOf("read");
    registry.register(fakeTool({ name: "git", metadata: { requiresCapabilities: ["env:SURELY_NOT_SET"] } }));
    registry.disable("read");
    const bundle = defineBundle({ name: "both", description: "", required: ["read", "git"], optional: [] });
    expect(registry.applyBundle(bundle)).toEqual({ tools: [], missing: ["read", "git"], missingOptional: bundle.optional });
  });

  it("gives a tool once that the bundle names twice, and takes names that every object inherits", () => {
    const registry = registryOf("a", "__proto__");
    const bundle = defineBundle({
      name: "twice",
      description: "",
      required: ["a", "constructor"],
      optional: ["a", "__proto__", "toString"],
    });
    const { tools, missing } = registry.applyBundle(bundle);
    expect(namesOf(tools)).toEqual(["a", "__proto__"]);
    expect(missing).toEqual(["constructor"]);
  });
});
