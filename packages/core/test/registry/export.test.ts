import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../src/exports/policy.ts";
import { createRegistry, defineTool, type ToolMetadata } from "../../src/index.ts";
import { exportTools, readCalls, writeResults } from "../../src/exports/vendors.ts";

const tool = (name: string, metadata?: ToolMetadata) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    handler: ({ path }) => `${name} ${path}`,
    ...(metadata && { metadata }),
  });

function registryOf(...tools: ReturnType<typeof tool>[]) {
  const registry = createRegistry({ policy: readPolicyConfig({ agents: { reader: { tools: { allow: ["read"] } } } }) });
  for (const one of tools) registry.register(one);
  return registry;
}
const namesOf = (exported: { readonly names: Readonly<Record<string, string>> }) => Object.values(exported.names);

describe("exporting a registry", () => {
  it("exports to each caller what that caller may see", () => {
    const registry = registryOf(tool("read"), tool("write"), tool("secrets", { ownerOnly: true }));
    expect(namesOf(exportTools(registry.view({}).tools, "anthropic"))).toEqual(["read", "write"]);
    expect(namesOf(exportTools(registry.view({ owner: true }).tools, "anthropic"))).toEqual(["read", "write", "secrets"]);
    expect(namesOf(exportTools(registry.view({ agent: "reader" }).tools, "openai-chat"))).toEqual(["read"]);
  });

  it("exports what is listed and callable, also where a pattern names the provider", () => {
    const registry = registryOf(tool("read"), tool("apply_patch", { models: ["openai/gpt-*"] }));
    for (const caller of [
      { provider: "OpenAI", model: "gpt-6" },
      { provider: "anthropic", model: "gpt-6" },
      { model: "openai/gpt-6" },
      { model: "gpt-6" },
      {},
    ]) {
      const listed = registry.view(caller).tools.map(({ name }) => name);
      expect(namesOf(exportTools(registry.view(caller).tools, "openrouter"))).toEqual(listed);
    }
  });

  it("takes the provider from the target where nobody names one", () => {
    const patch = tool("apply_patch", { models: ["openai/gpt-*"] });
    expect(exportTools([patch], "openai-chat", { model: "gpt-6" }).tools).toHaveLength(1);
    expect(exportTools([patch], "anthropic", { model: "gpt-6" }).tools).toHaveLength(0);
    expect(exportTools([patch], "anthropic", { model: "gpt-6", provider: "openai" }).tools).toHaveLength(1);
  });

  // row: G21
  it("exports a tool that only some models get where the caller's model is one of them", () => {
    const registry = registryOf(tool("read"), tool("apply_patch", { models: ["gpt-*"] }));
    expect(namesOf(exportTools(registry.view({ model: "gpt-6" }).tools, "openai"))).toEqual(["read", "apply_patch"]);
    expect(namesOf(exportTools(registry.view({ model: "claude-6" }).tools, "anthropic"))).toEqual(["read"]);
    expect(namesOf(exportTools(registry.view({}).tools, "anthropic"))).toEqual(["read"]);
  });

  // row: G15
  it("gives the same object, and the same bytes, until something changes", () => {
    const registry = registryOf(tool("read"), tool("write"));
    const caller = { agent: "coder", model: "claude-6" };
    const first = exportTools(registry.view(caller).tools, "anthropic");
    expect(exportTools(registry.view({ agent: "reader" }).tools, "openai-chat")).not.toBe(first);
    expect(exportTools(registry.view({ ...caller }).tools, "anthropic")).toBe(first);
    registry.register(tool("edit"));
    const second = exportTools(registry.view(caller).tools, "anthropic");
    expect(second).not.toBe(first);
    expect(second.text.startsWith(first.text.slice(0, -1))).toBe(true);
    registry.unregister("edit");
    expect(exportTools(registry.view(caller).tools, "anthropic").text).toBe(first.text);
  });

  it("leaves a switched-off tool out, and brings it back", () => {
    const registry = registryOf(tool("read"), tool("write"));
    registry.disable("write");
    expect(namesOf(exportTools(registry.view({}).tools, "gemini"))).toEqual(["read"]);
    registry.enable("write");
    expect(namesOf(exportTools(registry.view({}).tools, "gemini"))).toEqual(["read", "write"]);
  });

  it("leaves a tool that a vendor cannot take out alone, and says which and why", () => {
    const registry = createRegistry();
    registry.register(tool("read"));
    registry.register(
      defineTool({ name: "lost", description: "Refers to nowhere.", inputSchema: { $ref: "#/$defs/none" }, handler: () => "" }),
    );
    const { names, diagnostics } = exportTools(registry.view({}).tools, "openai-strict");
    expect(Object.values(names)).toEqual(["read"]);
    expect(diagnostics).toMatchObject([{ tool: "lost", severity: "error" }]);
  });

  it("takes a reply through calls and results, by the vendor's names and back", async () => {
    const registry = createRegistry();
    registry.register(tool("files.read"));
    const exported = exportTools(registry.view({}).tools, "openai-chat");
    const [wire] = Object.keys(exported.names);
    const reply = {
      choices: [{ message: { tool_calls: [{ id: "c1", type: "function", function: { name: wire, arguments: '{"path":"a.txt"}' } }] } }],
    };
    const calls = readCalls(reply, exported);
    expect(calls).toMatchObject([{ id: "c1", name: "files.read", input: { path: "a.txt" } }]);
    const results = await registry.callAll(calls.map(({ id, name, input }) => ({ name, input, callId: id })));
    expect(writeResults(calls, results, exported)).toMatchObject([{ role: "tool", tool_call_id: "c1", content: "files.read a.txt" }]);
  });
});
