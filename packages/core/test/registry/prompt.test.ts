import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../src/exports/policy.ts";
import { createRegistry, defineTool, type ToolMetadata } from "../../src/index.ts";
import { toolCallGrammarWithReport } from "../../src/exports/grammar.ts";
import { toolSection } from "../../src/exports/prompt.ts";

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
    const registry = createRegistry({ policy: readPolicyConfig({ agents: { reader: { tools: { allow: ["read"] } } } }) });
    registry.register(tool("read"));
    registry.register(tool("write"));
    expect(toolSection(registry.view({}).tools).tools).toEqual(["read", "write"]);
    const reader = { agent: "reader" };
    expect(toolSection(registry.view(reader).tools).tools).toEqual(["read"]);
    expect(toolSection(registry.view(reader).tools).text).not.toContain("write");
    expect(toolCallGrammarWithReport(registry.view(reader).tools).grammar).not.toContain("write");
  });

  it("is the same object, and the same bytes, until something changes", () => {
    const registry = createRegistry();
    registry.register(tool("read"));
    const section = toolSection(registry.view({}).tools, { tier: "compact" });
    const grammar = toolCallGrammarWithReport(registry.view({}).tools, { parallel: true });
    expect(toolSection(registry.view({}).tools, { tier: "compact" })).toBe(section);
    expect(toolCallGrammarWithReport(registry.view({}).tools, { parallel: true })).toBe(grammar);
    expect(toolSection(registry.view({}).tools, { tier: "full" })).not.toBe(section);
    registry.register(tool("write"));
    expect(toolSection(registry.view({}).tools, { tier: "compact" }).text).not.toBe(section.text);
    registry.unregister("write");
    expect(toolSection(registry.view({}).tools, { tier: "compact" }).text).toBe(section.text);
    expect(toolCallGrammarWithReport(registry.view({}).tools, { parallel: true }).grammar).toBe(grammar.grammar);
  });
});
