import { describe, expect, it } from "vitest";
import { estimateTokens, type PromptTool, selectTools, toolSection } from "../../src/exports/prompt.ts";

const tools: PromptTool[] = Array.from({ length: 15 }, (_, number) => ({
  name: `shelf_tool_${number}`,
  description: `Looks after shelf ${number} of the archive and tells what stands on it. It takes some time when the shelf is full.`,
  inputSchema: {
    type: "object",
    properties: {
      [`shelf_${number}_id`]: { type: "string", description: "Which shelf." },
      order: { type: "string", enum: ["title", "year"] },
      options: { type: "object", properties: {} },
    },
    required: [`shelf_${number}_id`],
  },
  outputSchema: { type: "object", properties: { books: { type: "array" } } },
}));

describe("tiers of a catalog", () => {
  it("in the compact tier cost at most 900 tokens for 15 tools, each with its purpose and outputs", () => {
    const { text, tokens } = toolSection(tools, { tier: "compact" });
    expect(tokens).toBeLessThanOrEqual(900);
    expect(tokens).toBe(estimateTokens(text));
    expect(text).toContain("- shelf_tool_3: Looks after shelf 3 of the archive and tells what stands on it. → books");
  });

  it("in the summary tier are one line, in the full tier every parameter", () => {
    expect(toolSection(tools, { tier: "summary" }).text).toContain("other: shelf_tool_0, shelf_tool_1");
    const { text } = toolSection(tools, { tier: "full" });
    for (const { inputSchema } of tools)
      for (const parameter of Object.keys(inputSchema["properties"] as object)) expect(text).toContain(`- ${parameter} (`);
  });

  it("choose optional tools by the task", () => {
    const feed: PromptTool = {
      name: "rss_feed",
      description: "Collects feeds.",
      inputSchema: { type: "object" },
      metadata: { category: "research", optionality: "optional" },
    };
    expect(selectTools([feed], { type: "newsletter" })).toEqual([feed]);
    expect(selectTools([feed], { type: "debug" })).toEqual([]);
  });
});
