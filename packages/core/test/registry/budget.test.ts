import { describe, expect, it } from "vitest";
import {
  createMetaTools,
  createRegistry,
  defineTool,
  estimateTokens,
  type ProviderTarget,
  type ToolMetadata,
  writeFoundTools,
} from "../../src/index.ts";

const tool = (name: string, description: string, metadata?: ToolMetadata) =>
  defineTool({
    name,
    description,
    inputSchema: { type: "object", properties: { path: { type: "string", description: `What ${name} works on.` } } },
    handler: () => name,
    ...(metadata && { metadata }),
  });

function bigRegistry() {
  const registry = createRegistry({ policy: { agents: { clerk: { tools: { deny: ["forecast_weather"] } } } } });
  registry.register(tool("finish", "Ends the work.", { optionality: "required" }));
  for (let number = 0; number < 150; number++) registry.register(tool(`archive_${number}`, `Works on shelf ${number} of the archive.`));
  registry.register(tool("forecast_weather", "Predicts the weather of a city."));
  registry.register(tool("send_mail", "Sends a mail."));
  return registry;
}
const namesOf = (exported: { readonly names: Readonly<Record<string, string>> }) => Object.values(exported.names);

describe("exporting within a budget", () => {
  it("sends the required tools, then the best for the task, and reports what was saved", () => {
    const registry = bigRegistry();
    const all = registry.exportTools("anthropic");
    const small = registry.exportTools("anthropic", { task: "what will the weather be in Oslo", maxTokens: 170 });
    expect(namesOf(small).slice(0, 1)).toEqual(["finish"]);
    expect(namesOf(small)).toContain("forecast_weather");
    expect(namesOf(small)).not.toContain("send_mail");
    expect(estimateTokens(small.text)).toBeLessThanOrEqual(175);
    expect(small.budget).toMatchObject({ fits: true });
    expect(small.budget!.tokens).toBeLessThanOrEqual(170);
    expect(small.budget!.left).toHaveLength(153 - namesOf(small).length);
    const total = small.budget!.tokens + small.budget!.saved;
    expect(Math.abs(total - estimateTokens(all.text)) / total).toBeLessThan(0.1);
  });

  it("keeps the required tools when they are too large, and says that they do not fit", () => {
    const small = bigRegistry().exportTools("openai-chat", { task: "weather", maxTokens: 5 });
    expect(namesOf(small)).toEqual(["finish"]);
    expect(small.budget).toMatchObject({ fits: false });
  });

  it("never sends what the caller may not see", () => {
    const small = bigRegistry().exportTools("anthropic", { task: "weather forecast", maxTokens: 2_000, caller: { agent: "clerk" } });
    expect(namesOf(small)).not.toContain("forecast_weather");
    expect(small.budget!.left).not.toContain("forecast_weather");
  });

  it("gives the same bytes for the same task, and leaves the meta-tools in", () => {
    const registry = bigRegistry();
    for (const meta of createMetaTools(registry)) registry.register(meta);
    const options = { task: "mail the weather", maxTokens: 800 };
    const first = registry.exportTools("anthropic", options);
    expect(namesOf(first)).toEqual(expect.arrayContaining(["search_tools", "describe_tool", "call_tool", "send_mail", "forecast_weather"]));
    expect(registry.exportTools("anthropic", options).text).toBe(first.text);
  });

  it("chooses optional tools by the task: rss_feed for a newsletter, not for debugging", () => {
    const registry = createRegistry();
    registry.register(tool("read_file", "Reads a file.", { category: "code" }));
    registry.register(tool("rss_feed", "Collects items of feeds.", { category: "research", optionality: "optional" }));
    expect(namesOf(registry.exportTools("anthropic", { task: "newsletter" }))).toEqual(["read_file", "rss_feed"]);
    expect(namesOf(registry.exportTools("anthropic", { task: "debug" }))).toEqual(["read_file"]);
    expect(namesOf(registry.exportTools("anthropic", { task: { type: "debug", include: ["rss_feed"] } }))).toEqual([
      "read_file",
      "rss_feed",
    ]);
  });
});

describe("leaving the rest to the vendor's search", () => {
  const options = { task: "weather", maxTokens: 170, rest: "deferred" } as const;
  const named = (tools: readonly unknown[]) => tools as readonly { name?: string; type?: string; defer_loading?: boolean }[];

  it("marks for Anthropic all but the chosen tools, and puts its search first", () => {
    const exported = bigRegistry().exportTools("anthropic", options);
    const [search, ...tools] = named(exported.tools);
    expect(search).toEqual({ type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" });
    expect(tools).toHaveLength(153);
    const atOnce = tools.filter((one) => one.defer_loading !== true).map(({ name }) => name);
    expect(atOnce).toEqual(expect.arrayContaining(["finish", "forecast_weather"]));
    expect(tools.filter((one) => one.defer_loading).map(({ name }) => name)).toContain("send_mail");
    expect(exported.budget!.left).toHaveLength(153 - atOnce.length);
    expect(JSON.parse(exported.text)).toEqual(exported.tools);
  });

  it("marks for OpenAI as many as it takes", () => {
    const exported = bigRegistry().exportTools("openai-responses", options);
    const [search, first] = named(exported.tools);
    expect(search).toEqual({ type: "tool_search" });
    expect(first).toMatchObject({ name: "finish" });
    expect(first).not.toHaveProperty("defer_loading");
    expect(exported.tools.length).toBeLessThanOrEqual(129);
    expect(exported.diagnostics.some(({ code }) => code === "too-many")).toBe(true);
  });

  it("refuses for a vendor that has no such search", () => {
    const failing = () => bigRegistry().exportTools("gemini" satisfies ProviderTarget, options);
    expect(failing).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });

  it("tells the vendor what a search of ours found", () => {
    const registry = bigRegistry();
    const found = registry.search("send mail").map(({ tool: { name } }) => name);
    const claude = registry.exportTools("anthropic", options);
    expect(writeFoundTools([...found, "nowhere"], claude, "toolu_1")).toEqual({
      type: "tool_result",
      tool_use_id: "toolu_1",
      content: [{ type: "tool_reference", tool_name: "send_mail" }],
    });
    const gpt = registry.exportTools("openai-responses", { ...options, task: "weather", maxTokens: 4_000 });
    expect(writeFoundTools(["finish"], gpt, "call_1")).toMatchObject({
      type: "tool_search_output",
      call_id: "call_1",
      execution: "client",
      status: "completed",
      tools: [{ type: "function", name: "finish" }],
    });
    expect(() => writeFoundTools(found, registry.exportTools("gemini"), "x")).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });
});
