import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../src/exports/policy.ts";
import { createRegistry, defineTool, type ToolDefinition } from "../../src/index.ts";
import { createMetaTools, createSearchUsage, type Reranker } from "../../src/exports/search.ts";
import { exportTools } from "../../src/exports/vendors.ts";

const numbers = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" }, note: { type: "string" } },
  required: ["a", "b"],
} as const;
const add = defineTool({
  name: "add_numbers",
  description: "Adds two numbers.",
  inputSchema: numbers,
  handler: ({ a, b }) => ({ sum: a + b }),
});
const wipe = defineTool({
  name: "wipe_disk",
  description: "Wipes a disk.",
  inputSchema: { type: "object", properties: {} },
  handler: () => "gone",
});

function setting(options?: Parameters<typeof createMetaTools>[1]) {
  const registry = createRegistry({ policy: readPolicyConfig({ agents: { clerk: { tools: { deny: ["wipe_disk"] } } } }) });
  registry.register(add);
  registry.register(wipe);
  const tools = createMetaTools(registry, options);
  for (const tool of tools) registry.register(tool);
  return { registry, tools };
}
const clerk = { caller: { agent: "clerk" } };

describe("meta-tools", () => {
  it("find, describe and call a tool", async () => {
    const { registry } = setting();
    const found = await registry.invoke("search_tools", { query: "sum of two numbers" }, clerk);
    expect(found).toMatchObject({
      ok: true,
      data: { tools: [{ name: "add_numbers", description: "Adds two numbers.", parameters: ["a", "b", "note?"] }] },
    });
    const described = await registry.invoke("describe_tool", { name: "add_numbers" }, clerk);
    expect(described).toMatchObject({ ok: true, data: { name: "add_numbers", inputSchema: add.inputSchema } });
    const called = await registry.invoke("call_tool", { name: "add_numbers", input: { a: 2, b: 3 } }, clerk);
    expect(called).toMatchObject({ ok: true, data: { sum: 5 }, meta: { tool: "call_tool" } });
  });

  it("search by meaning where there is a reranker, and hand it nothing that the policy hides", async () => {
    const seen: string[][] = [];
    const reranker: Reranker = {
      candidates: 50,
      async rerank(_query, hits) {
        seen.push(hits.map(({ tool }) => tool.name));
        return hits.toReversed();
      },
    };
    const { registry } = setting({ reranker });
    for (const name of ["disk_space", "disk_name"]) registry.register({ ...wipe, name, description: `Tells the ${name} of a disk.` });
    const found = await registry.invoke("search_tools", { query: "disk" }, clerk);
    expect(seen).toEqual([expect.not.arrayContaining(["wipe_disk"])]);
    expect(found).toMatchObject({ ok: true, data: { tools: seen[0]!.toReversed().map((name) => ({ name })) } });
  });

  it("obey the policy of whoever calls, and say the same of hidden and of absent tools", async () => {
    const { registry } = setting();
    const found = await registry.invoke("search_tools", { query: "wipe the disk" }, clerk);
    expect(found).toMatchObject({ ok: true, data: { tools: [] } });
    expect(found.ok && found.content).not.toContain("wipe_disk");
    const hidden = await registry.invoke("describe_tool", { name: "wipe_disk" }, clerk);
    const absent = await registry.invoke("describe_tool", { name: "wipe_tape" }, clerk);
    expect(hidden).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND", status: 404 });
    expect(!hidden.ok && hidden.error.replace("wipe_disk", "wipe_tape")).toBe(!absent.ok && absent.error);
    expect(await registry.invoke("call_tool", { name: "wipe_disk" }, clerk)).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect(await registry.invoke("call_tool", { name: "wipe_disk" })).toMatchObject({ ok: true, content: "gone" });
  });

  it("go through the one door: wrong input, unknown names and events are those of any call", async () => {
    const { registry } = setting();
    const events: unknown[] = [];
    registry.subscribe((event) => void (event.type === "call-start" && events.push([event.tool, event.parentCallId])));
    const wrong = await registry.invoke("call_tool", { name: "add_numbers", input: { a: 2 } }, { callId: "outer" });
    expect(wrong).toMatchObject({ ok: false, code: "INPUT_INVALID", error: expect.stringContaining("b is required") });
    expect(events).toEqual([
      ["call_tool", undefined],
      ["add_numbers", "outer"],
    ]);
    expect(await registry.invoke("call_tool", { name: "add_number", input: {} })).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
    for (const name of ["call_tool", "search_tools"])
      expect(await registry.invoke("call_tool", { name })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });

  it("serve from a registry that shows nothing else", async () => {
    const { registry: inner } = setting();
    const shop = createRegistry();
    for (const tool of createMetaTools(inner)) shop.register(tool);
    expect(shop.list().map(({ name }) => name)).toEqual(["search_tools", "describe_tool", "call_tool"]);
    expect(await shop.invoke("call_tool", { name: "add_numbers", input: { a: 1, b: 1 } }, clerk)).toMatchObject({
      ok: true,
      data: { sum: 2 },
    });
    expect(await shop.invoke("call_tool", { name: "wipe_disk" }, clerk)).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
  });

  it("do not find themselves, and do not change with what was called", async () => {
    const { registry, tools } = setting();
    const before = exportTools(registry.view({}).tools, "anthropic").text;
    const found = await registry.invoke("search_tools", { query: "search find call tool describe", limit: 50 });
    expect(found.ok && JSON.stringify(found.data)).not.toMatch(/search_tools|describe_tool|call_tool/);
    await registry.invoke("call_tool", { name: "add_numbers", input: { a: 1, b: 1 } });
    expect(exportTools(registry.view({}).tools, "anthropic").text).toBe(before);
    expect(tools.every((tool: ToolDefinition) => Object.isFrozen(tool))).toBe(true);
  });

  it("learn from calls that follow a search only where that was asked for", async () => {
    const usage = createSearchUsage();
    const { registry } = setting({ usage });
    const caller = { agent: "bookkeeper" };
    for (const name of ["divide_numbers", "multiply_numbers"]) registry.register(defineTool({ ...numbersTool(name), handler: () => 0 }));
    const first = async () => {
      const found = await registry.invoke("search_tools", { query: "numbers" }, { caller });
      return found.ok ? (found.data as { tools: { name: string }[] }).tools[0]?.name : undefined;
    };
    expect(await first()).toBe("divide_numbers");
    await registry.invoke("call_tool", { name: "multiply_numbers", input: {} }, { caller });
    expect(await first()).toBe("divide_numbers"); // the call failed: its input was wrong
    for (let times = 0; times < 3; times++)
      await registry.invoke("call_tool", { name: "multiply_numbers", input: { a: 1, b: 1 } }, { caller });
    expect(await first()).toBe("multiply_numbers");
  });
});

describe("what meta-tools tell a model", () => {
  /** The meta-tools in a registry of their own, over one with these tools. */
  function over(inner: readonly ToolDefinition[], options?: Parameters<typeof createMetaTools>[1]) {
    const registry = createRegistry();
    for (const tool of inner) registry.register(tool);
    const shop = createRegistry();
    for (const tool of createMetaTools(registry, options)) shop.register(tool);
    return shop;
  }
  const many = Array.from({ length: 9 }, (_, index) => defineTool({ ...numbersTool(`add_${index}`), handler: () => 0 }));
  const found = async (shop: ReturnType<typeof over>, input: object) => {
    const result = await shop.invoke("search_tools", { query: "numbers", ...input });
    return (result as { data: { tools: { name: string; description: string; parameters: string[] }[]; hint?: string } }).data;
  };

  it("of themselves: always needed, and two of them only read", () => {
    const shape = (tool: ToolDefinition) => [tool.name, tool.metadata?.category, tool.metadata?.optionality, tool.metadata?.annotations];
    const reads = { readOnly: true, idempotent: true };
    expect(createMetaTools(createRegistry()).map(shape)).toEqual([
      ["search_tools", "utility", "required", reads],
      ["describe_tool", "utility", "required", reads],
      ["call_tool", "utility", "required", undefined],
    ]);
    const required = createMetaTools(createRegistry()).map(({ inputSchema }) => inputSchema["required"]);
    expect(required).toEqual([["query"], ["name"], ["name"]]);
  });

  it("as many tools as asked for, between one and fifty, else the default, which the schema names", async () => {
    expect((await found(over(many), {})).tools).toHaveLength(5);
    expect((await found(over(many, { limit: 2 }), {})).tools).toHaveLength(2);
    expect((await found(over(many, { limit: 2 }), { limit: 7 })).tools).toHaveLength(7);
    const [search] = createMetaTools(createRegistry(), { limit: 2 });
    expect(search!.inputSchema["properties"]).toMatchObject({
      limit: { minimum: 1, maximum: 50, description: "How many tools. Default: 2." },
    });
    for (const limit of [0, 51, 1.5])
      expect(await over(many).invoke("search_tools", { query: "numbers", limit })).toMatchObject({ code: "INPUT_INVALID" });
  });

  it("a long description cut after 200 characters, and the first twelve parameters", async () => {
    const properties = Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`p${index}`, {}]));
    const long = (description: string) =>
      defineTool({ name: "long", description, inputSchema: { type: "object", properties, required: ["p1"] }, handler: () => 0 });
    const [cut] = (await found(over([long(`Numbers  of\n${"n".repeat(300)}`)]), {})).tools;
    expect(cut!.description).toBe(`Numbers of ${"n".repeat(189)}…`);
    expect(cut!.parameters).toEqual(["p0?", "p1", ...Array.from({ length: 10 }, (_, index) => `p${index + 2}?`)]);
    const exact = `Numbers ${"n".repeat(192)}`;
    expect((await found(over([long(exact)]), {})).tools[0]!.description).toBe(exact);
  });

  it("what to do when nothing is found, and no hint otherwise", async () => {
    expect(await found(over(many), { query: "zzz" })).toEqual({ tools: [], hint: expect.stringContaining("Try other words") });
    expect(await found(over(many), {})).not.toHaveProperty("hint");
  });

  it("everything about one tool, and nothing that it does not have", async () => {
    const outputSchema = { type: "object" };
    const examples = [{ description: "A sum.", input: { a: 1, b: 2 }, output: { sum: 3 } }];
    const full = defineTool({ ...numbersTool("full"), outputSchema, metadata: { usageHint: "For sums.", examples }, handler: () => ({}) });
    const shop = over([add, full]);
    const about = async (name: string) => ((await shop.invoke("describe_tool", { name })) as { data: object }).data;
    expect(await about("full")).toMatchObject({
      name: "full",
      description: "Takes two numbers.",
      outputSchema,
      usageHint: "For sums.",
      examples,
    });
    expect(Object.keys(await about("add_numbers"))).toEqual(["name", "description", "inputSchema"]);
  });

  it("of a name that no tool has: the nearest, or how to find one, and a long name only in part", async () => {
    const shop = over([add]);
    const error = async (name: string) => ((await shop.invoke("describe_tool", { name })) as { error: string }).error;
    expect(await error("add_number")).toBe('There is no tool "add_number". Did you mean add_numbers?');
    expect(await error("x".repeat(200))).toBe(`There is no tool "${"x".repeat(140)}". Use search_tools to find one.`);
    expect(await shop.invoke("call_tool", { name: "search_tools" })).toMatchObject({
      error: '"search_tools" is called directly, not through call_tool.',
    });
  });

  it("and a call from another registry is made as the same caller, and ends with it", async () => {
    let seen: { caller?: object; aborted?: boolean } = {};
    const look = defineTool({
      name: "look",
      description: "Looks.",
      inputSchema: { type: "object" },
      handler: (_, { caller, signal }) =>
        new Promise((resolve) => {
          seen = { caller };
          signal.addEventListener("abort", () => resolve((seen.aborted = true)));
          controller.abort();
        }),
    });
    const controller = new AbortController();
    await over([look]).invoke("call_tool", { name: "look" }, { caller: { agent: "clerk" }, signal: controller.signal });
    expect(seen).toEqual({ caller: { agent: "clerk" }, aborted: true });
  });

  it("and nothing is learned from a caller whom nobody knows, nor from a tool that no search showed", async () => {
    const noted: unknown[] = [];
    const usage = { ...createSearchUsage(), note: (...given: unknown[]) => void noted.push(given) };
    const shop = over(many, { usage });
    const call = (caller: object) => shop.invoke("call_tool", { name: "add_1", input: { a: 1, b: 1 } }, { caller });
    await shop.invoke("search_tools", { query: "numbers", limit: 9 });
    await call({});
    await call({ agent: "clerk" });
    expect(noted).toEqual([]);
    await shop.invoke("search_tools", { query: "numbers", limit: 9 }, clerk);
    await call({ agent: "clerk" });
    expect(noted).toEqual([[expect.anything(), "numbers", "add_1"]]);
  });
});

function numbersTool(name: string) {
  return { name, description: "Takes two numbers.", inputSchema: numbers };
}
