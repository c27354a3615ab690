import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../src/exports/policy.ts";
import { type Caller, createRegistry, defineTool, type Registry, type ToolMetadata } from "../src/index.ts";
import { estimateTokens } from "../src/exports/prompt.ts";
import { createMetaTools, type FitOptions, fitTools, searchTools } from "../src/exports/search.ts";
import { exportDeferred, exportTools, type ProviderTarget, writeFoundTools } from "../src/exports/vendors.ts";

const tool = (name: string, description: string, metadata?: ToolMetadata) =>
  defineTool({
    name,
    description,
    inputSchema: { type: "object", properties: { path: { type: "string", description: `What ${name} works on.` } } },
    handler: () => name,
    ...(metadata && { metadata }),
  });

function bigRegistry() {
  const registry = createRegistry({ policy: readPolicyConfig({ agents: { clerk: { tools: { deny: ["forecast_weather"] } } } }) });
  registry.register(tool("finish", "Ends the work.", { optionality: "required" }));
  for (let number = 0; number < 150; number++) registry.register(tool(`archive_${number}`, `Works on shelf ${number} of the archive.`));
  registry.register(tool("forecast_weather", "Predicts the weather of a city."));
  registry.register(tool("send_mail", "Sends a mail."));
  return registry;
}
const listOf = (registry: Registry, caller: Caller = {}) => registry.view(caller).tools;
/** The names that a request has after the list was cut to what fits. */
const fittedNames = (registry: Registry, task: FitOptions["task"]) =>
  namesOf(exportTools(fitTools(listOf(registry), "anthropic", { ...(task !== undefined && { task }) }).tools, "anthropic"));
const namesOf = (exported: { readonly names: Readonly<Record<string, string>> }) => Object.values(exported.names);

describe("exporting within a budget", () => {
  it("sends the required tools, then the best for the task, and reports what was saved", () => {
    const registry = bigRegistry();
    const all = exportTools(registry.view({}).tools, "anthropic");
    const { tools, budget } = fitTools(listOf(registry), "anthropic", { task: "what will the weather be in Oslo", maxTokens: 170 });
    const small = exportTools(tools, "anthropic");
    expect(namesOf(small).slice(0, 1)).toEqual(["finish"]);
    expect(namesOf(small)).toContain("forecast_weather");
    expect(namesOf(small)).not.toContain("send_mail");
    expect(estimateTokens(small.text)).toBeLessThanOrEqual(175);
    expect(budget).toMatchObject({ fits: true });
    expect(budget.tokens).toBeLessThanOrEqual(170);
    expect(budget.left).toHaveLength(153 - namesOf(small).length);
    const total = budget.tokens + budget.saved;
    expect(Math.abs(total - estimateTokens(all.text)) / total).toBeLessThan(0.1);
  });

  it("keeps the required tools when they are too large, and says that they do not fit", () => {
    const { tools, budget } = fitTools(listOf(bigRegistry()), "openai-chat", { task: "weather", maxTokens: 5 });
    expect(namesOf(exportTools(tools, "openai-chat"))).toEqual(["finish"]);
    expect(budget).toMatchObject({ fits: false });
  });

  it("never sends what the caller may not see", () => {
    const clerks = listOf(bigRegistry(), { agent: "clerk" });
    const { tools, budget } = fitTools(clerks, "anthropic", { task: "weather forecast", maxTokens: 2_000 });
    expect(tools.map(({ name }) => name)).not.toContain("forecast_weather");
    expect(budget.left).not.toContain("forecast_weather");
  });

  it("gives the same bytes for the same task, and leaves the meta-tools in", () => {
    const registry = bigRegistry();
    for (const meta of createMetaTools(registry)) registry.register(meta);
    const options = { task: "mail the weather", maxTokens: 800 };
    const first = exportTools(fitTools(listOf(registry), "anthropic", options).tools, "anthropic");
    expect(namesOf(first)).toEqual(expect.arrayContaining(["search_tools", "describe_tool", "call_tool", "send_mail", "forecast_weather"]));
    expect(fitTools(listOf(registry), "anthropic", { ...options })).toBe(fitTools(listOf(registry), "anthropic", options));
    expect(exportTools(fitTools(listOf(registry), "anthropic", options).tools, "anthropic")).toBe(first);
    registry.register(tool("send_parcel", "Sends a parcel."));
    registry.unregister("send_parcel");
    expect(exportTools(fitTools(listOf(registry), "anthropic", options).tools, "anthropic").text).toBe(first.text);
  });

  // row: G13
  it("chooses optional tools by the task: rss_feed for a newsletter, not for debugging", () => {
    const registry = createRegistry();
    registry.register(tool("read_file", "Reads a file.", { category: "code" }));
    registry.register(tool("rss_feed", "Collects items of feeds.", { category: "research", optionality: "optional" }));
    expect(fittedNames(registry, "newsletter")).toEqual(["read_file", "rss_feed"]);
    expect(fittedNames(registry, "debug")).toEqual(["read_file"]);
    expect(fittedNames(registry, { type: "debug", include: ["rss_feed"] })).toEqual(["read_file", "rss_feed"]);
  });
});

describe("leaving the rest to the vendor's search", () => {
  const deferred = (registry: Registry, target: ProviderTarget, maxTokens = 170) => {
    const tools = listOf(registry);
    const fitted = fitTools(tools, target, { task: "weather", maxTokens });
    return { ...exportDeferred(tools, fitted.tools, target), budget: fitted.budget };
  };
  const named = (tools: readonly unknown[]) => tools as readonly { name?: string; type?: string; defer_loading?: boolean }[];

  it("marks for Anthropic all but the chosen tools, and puts its search first", () => {
    const exported = deferred(bigRegistry(), "anthropic");
    const [search, ...tools] = named(exported.tools);
    expect(search).toEqual({ type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" });
    expect(tools).toHaveLength(153);
    const atOnce = tools.filter((one) => one.defer_loading !== true).map(({ name }) => name);
    expect(atOnce).toEqual(expect.arrayContaining(["finish", "forecast_weather"]));
    expect(tools.filter((one) => one.defer_loading).map(({ name }) => name)).toContain("send_mail");
    expect(exported.budget.left).toHaveLength(153 - atOnce.length);
    expect(JSON.parse(exported.text)).toEqual(exported.tools);
  });

  it("marks for OpenAI as many as it takes", () => {
    const exported = deferred(bigRegistry(), "openai-responses");
    const [search, first] = named(exported.tools);
    expect(search).toEqual({ type: "tool_search" });
    expect(first).toMatchObject({ name: "finish" });
    expect(first).not.toHaveProperty("defer_loading");
    expect(exported.tools.length).toBeLessThanOrEqual(129);
    expect(exported.diagnostics.some(({ code }) => code === "too-many")).toBe(true);
  });

  it("refuses for a vendor that has no such search", () => {
    const failing = () => deferred(bigRegistry(), "gemini");
    expect(failing).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });

  it("tells the vendor what a search of ours found", () => {
    const registry = bigRegistry();
    const found = searchTools(registry.view({}).tools, "send mail").map(({ tool: { name } }) => name);
    const claude = deferred(registry, "anthropic");
    expect(writeFoundTools([...found, "nowhere"], claude, "toolu_1")).toEqual({
      type: "tool_result",
      tool_use_id: "toolu_1",
      content: [{ type: "tool_reference", tool_name: "send_mail" }],
    });
    const gpt = deferred(registry, "openai-responses", 4_000);
    expect(writeFoundTools(["finish"], gpt, "call_1")).toMatchObject({
      type: "tool_search_output",
      call_id: "call_1",
      execution: "client",
      status: "completed",
      tools: [{ type: "function", name: "finish" }],
    });
    expect(() => writeFoundTools(found, exportTools(registry.view({}).tools, "gemini"), "x")).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });
});
