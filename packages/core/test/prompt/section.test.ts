import { describe, expect, it } from "vitest";
import type { PromptTool } from "../../src/prompt/entries.ts";
import { isTaskComplete } from "../../src/prompt/parts.ts";
import { toolSection } from "../../src/prompt/section.ts";
import { selectTools } from "../../src/prompt/select.ts";
import { estimateTokens } from "../../src/prompt/tokens.ts";

const random: PromptTool = {
  name: "random",
  description: "Draws random numbers. They are whole.",
  inputSchema: {
    type: "object",
    properties: {
      min: { type: "integer", description: "The least", default: 0 },
      count: { type: "integer", minimum: 1, maximum: 10 },
      mode: { enum: ["fast", "fair"], description: "How to draw." },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["count"],
  },
  outputSchema: { type: "object", properties: { numbers: { type: "array" } } },
  metadata: {
    category: "utility",
    optionality: "required",
    usageHint: "For dice and samples.",
    examples: [{ description: "Two dice", input: { count: 2 }, output: { numbers: [3, 5] }, usage: "result.numbers[0]" }],
  },
};
const feed: PromptTool = {
  name: "rss_feed",
  description: "Fetches and parses RSS feeds.",
  inputSchema: { type: "object", properties: { url: { type: "string", format: "uri" } } },
  metadata: { category: "research", optionality: "optional", produces: ["articles"] },
};
const publish: PromptTool = {
  name: "blog_publish",
  description: "Publishes a post.",
  inputSchema: { type: "object" },
  metadata: { category: "publish", optionality: "optional", consumes: ["articles"], deprecated: { since: "2.0.0", successor: "post" } },
};

describe("the tool section", () => {
  // row: G11
  it("says everything in its full tier, grouped, required before optional", () => {
    expect(toolSection([feed, random, publish]).text).toBe(`## Tools

### Required

#### utility

**random**: Draws random numbers. They are whole.
Parameters:
- min (integer, optional): The least. Default: 0.
- count (integer 1 to 10, required)
- mode (string, optional): How to draw. One of "fast", "fair".
- tags (array of string, optional)
Returns: numbers
When to use: For dice and samples.
Example: Two dice
  call {"tool":"random","args":{"count":2}}
  returns {"numbers":[3,5]}
  read it as result.numbers[0]

### Optional

#### research

**rss_feed**: Fetches and parses RSS feeds.
Parameters:
- url (string, uri, optional)
Returns: articles

#### publish

**blog_publish**: Publishes a post.
Deprecated; use post instead.
Parameters: none
`);
  });

  it("has a compact tier and a summary", () => {
    expect(toolSection([random, feed], { tier: "compact" }).text).toBe(
      "## Tools\n\n### Required\n\nutility:\n- random: Draws random numbers. → numbers\n\n### Optional\n\nresearch:\n- rss_feed: Fetches and parses RSS feeds. → articles\n",
    );
    expect(toolSection([random, { ...random, name: "dice" }], { tier: "summary" }).text).toBe(
      "## Tools\n\n### Required\n\nutility: random, dice\n",
    );
    expect(toolSection([]).text).toContain("There are no tools.");
  });

  // row: G11
  it("changes with the metadata and with nothing else", () => {
    const before = toolSection([random, feed]);
    expect(toolSection(structuredClone([random, feed]))).toEqual(before);
    expect(toolSection([{ ...random, description: "Rolls." }, feed]).text).not.toBe(before.text);
  });

  // row: G12
  it("describes fifteen tools compactly in 900 tokens, and names every parameter in full", () => {
    const tools = Array.from({ length: 15 }, (_, index) => ({
      ...random,
      name: `tool_${index}`,
      description: `${random.description} A longer description follows, of number ${index}.`,
    }));
    const compact = toolSection(tools, { tier: "compact" });
    expect(compact.tokens).toBeLessThanOrEqual(900);
    expect(compact.tokens).toBe(estimateTokens(compact.text));
    const full = toolSection(tools);
    expect(full.text.match(/- count \(/g)).toHaveLength(15);
    expect(full.tokens).toBeGreaterThan(compact.tokens);
  });

  it("fits a budget: first a smaller tier, then fewer optional tools", () => {
    const tools = [random, ...Array.from({ length: 30 }, (_, index) => ({ ...feed, name: `feed_${index}` }))];
    const full = toolSection(tools);
    const compact = toolSection(tools, { maxTokens: full.tokens - 1 });
    expect(compact).toMatchObject({ tier: "compact", fits: true, omitted: [] });
    const cut = toolSection(tools, { maxTokens: 60 });
    expect(cut).toMatchObject({ tier: "summary", fits: true });
    expect(cut.tools[0]).toBe("random");
    expect(cut.omitted.at(-1)).toBe("feed_29");
    expect(cut.tokens).toBeLessThanOrEqual(60);
    expect(toolSection(tools, { maxTokens: 3 })).toMatchObject({ tools: ["random"], fits: false });
  });

  // row: G14
  it("adds guidance and a way to finish that speak only of the tools at hand", () => {
    const { text } = toolSection([random, feed, publish], { guidance: true, completion: true });
    expect(text).toContain("- random: For dice and samples.");
    expect(text).toContain("- blog_publish needs articles: call rss_feed first.");
    expect(text).toContain("- Use these before you finish: random.");
    expect(text).toContain("write TASK_COMPLETE on a line of its own");
    expect(toolSection([random, publish], { guidance: true }).text).not.toContain("rss_feed");
    expect(toolSection([random], {}).text).not.toMatch(/Choosing|Finishing/);
  });

  it("knows a finished task by the signal on a line of its own", () => {
    expect(isTaskComplete("All done.\n\n**TASK_COMPLETE**\n")).toBe(true);
    expect(isTaskComplete("I will write TASK_COMPLETE later.")).toBe(false);
    expect(isTaskComplete("DONE", "DONE")).toBe(true);
  });
});

describe("the choice of optional tools", () => {
  const names = (task: Parameters<typeof selectTools>[1]): string[] => selectTools([random, feed, publish], task).map(({ name }) => name);

  it("follows the kind of task", () => {
    expect(names({ type: "newsletter" })).toEqual(["random", "rss_feed", "blog_publish"]);
    expect(names({ type: "debug" })).toEqual(["random"]);
  });

  it("follows the words of the task, and what the user wants", () => {
    expect(names({ type: "debug", hints: "Why do our RSS feeds fail?" })).toEqual(["random", "rss_feed"]);
    expect(names({ include: ["blog_publish"] })).toEqual(["random", "blog_publish"]);
    expect(names({ type: "newsletter", exclude: ["rss_feed", "random"] })).toEqual(["blog_publish"]);
  });

  it("decides what a section speaks of", () => {
    expect(toolSection([random, feed], { task: { type: "debug" } })).toMatchObject({ tools: ["random"], omitted: ["rss_feed"] });
  });
});

describe("the estimate of tokens", () => {
  it("grows with the text, whatever the script", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("Reads a file.")).toBe(4);
    expect(estimateTokens("中文字")).toBe(3);
    expect(estimateTokens('{"a":1}')).toBe(7);
  });
});
