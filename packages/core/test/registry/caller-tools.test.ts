import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../src/exports/policy.ts";
import { type Caller, createRegistry, defineTool, type ToolSource } from "../../src/index.ts";
import { loadPlugins } from "../../src/exports/node.ts";

const tool = (name: string) => defineTool({ name, description: "A tool.", inputSchema: { type: "object" }, handler: () => `${name} ran` });
const namesFor = (registry: ReturnType<typeof createRegistry>, caller: Caller) => registry.view(caller).tools.map(({ name }) => name);

describe("tools that exist for some callers only", () => {
  const chat: ToolSource = {
    id: "chat",
    list: () => [tool("shared")],
    listFor: ({ channel }) => (channel === "chat" ? [tool("react"), tool("pin")] : []),
  };

  it("are listed and called for those callers, and for nobody else", async () => {
    const registry = createRegistry();
    await registry.addSource(chat);
    expect(namesFor(registry, { channel: "chat" })).toEqual(["shared", "react", "pin"]);
    expect(namesFor(registry, { channel: "mail" })).toEqual(["shared"]);
    expect(await registry.invoke("react", {}, { caller: { channel: "chat" } })).toMatchObject({ ok: true, content: "react ran" });
    expect(await registry.invoke("react", {}, { caller: { channel: "mail" } })).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
  });

  it("stand under the same policy, and explain themselves", async () => {
    const registry = createRegistry({ policy: readPolicyConfig({ tools: { deny: ["pin"] } }) });
    await registry.addSource(chat);
    expect(namesFor(registry, { channel: "chat" })).toEqual(["shared", "react"]);
    const refused = await registry.invoke("pin", {}, { caller: { channel: "chat" } });
    expect(refused).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect(registry.explain("pin", { channel: "chat" }).sentences[0]).toContain("tools.deny");
    const known = (caller: Caller): readonly string[] => registry.view(caller).known.map(({ name }) => name);
    expect(known({ channel: "chat" })).toEqual(["shared", "react", "pin"]);
    expect(known({ channel: "mail" })).toEqual(["shared"]);
  });

  it("never take the name of a tool that everybody has", async () => {
    const registry = createRegistry();
    registry.register(tool("react"));
    await registry.addSource(chat);
    expect(namesFor(registry, { channel: "chat" })).toEqual(["react", "shared", "pin"]);
  });

  it("go with their source, and one that fails harms no other", async () => {
    const registry = createRegistry();
    await registry.addSource({
      id: "broken",
      list: () => [],
      listFor: () => {
        throw new Error("no channel");
      },
    });
    await registry.addSource(chat);
    expect(namesFor(registry, { channel: "chat" })).toEqual(["shared", "react", "pin"]);
    await registry.removeSource("chat");
    expect(namesFor(registry, { channel: "chat" })).toEqual([]);
    expect(await registry.invoke("react", {}, { caller: { channel: "chat" } })).toMatchObject({ code: "TOOL_NOT_FOUND" });
  });

  it("come from a plugin's factory, with the plugin's id", async () => {
    const plugins = await loadPlugins([
      { id: "voice", register: (api) => api.registerTool(({ channel }) => (channel === "phone" ? tool("hang_up") : undefined)) },
    ]);
    const registry = createRegistry({ policy: readPolicyConfig({ agents: { quiet: { tools: { deny: ["voice"] } } } }) });
    for (const source of plugins.sources) await registry.addSource(source);
    expect(namesFor(registry, { channel: "phone" })).toEqual(["hang_up"]);
    expect(registry.view({ channel: "phone" }).tools[0]?.metadata?.pluginId).toBe("voice");
    expect(namesFor(registry, { channel: "phone", agent: "quiet" })).toEqual([]);
    expect(namesFor(registry, {})).toEqual([]);
  });
});
