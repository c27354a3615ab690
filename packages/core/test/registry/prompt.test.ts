import { describe, expect, it } from "vitest";
import { createRegistry, defineTool, type ToolMetadata } from "../../src/index.ts";

const tool = (name: string, metadata?: ToolMetadata) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"], additionalProperties: false },
    handler: () => "",
    ...(metadata && { metadata }),
  });

describe("what a registry tells a model", () => {
  it("mentions and allows only the tools that the caller may see", () => {
    const registry = createRegistry({ policy: { agents: { reader: { tools: { allow: ["read"] } } } } });
    registry.register(tool("read"));
    registry.register(tool("write"));
    expect(registry.promptSection().tools).toEqual(["read", "write"]);
    const reader = { agent: "reader" };
    expect(registry.promptSection({ caller: reader }).tools).toEqual(["read"]);
    expect(registry.promptSection({ caller: reader }).text).not.toContain("write");
    expect(registry.toolCallGrammar({ caller: reader }).grammar).not.toContain("write");
  });

  it("is the same object, and the same bytes, until something changes", () => {
    const registry = createRegistry();
    registry.register(tool("read"));
    const section = registry.promptSection({ tier: "compact" });
    const grammar = registry.toolCallGrammar({ parallel: true });
    expect(registry.promptSection({ tier: "compact" })).toBe(section);
    expect(registry.toolCallGrammar({ parallel: true })).toBe(grammar);
    expect(registry.promptSection({ tier: "full" })).not.toBe(section);
    registry.register(tool("write"));
    expect(registry.promptSection({ tier: "compact" }).text).not.toBe(section.text);
    registry.unregister("write");
    expect(registry.promptSection({ tier: "compact" }).text).toBe(section.text);
    expect(registry.toolCallGrammar({ parallel: true }).grammar).toBe(grammar.grammar);
  });
});
