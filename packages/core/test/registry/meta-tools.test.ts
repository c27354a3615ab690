import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../src/exports/policy.ts";
import { createRegistry, defineTool, type ToolDefinition } from "../../src/index.ts";
import { createMetaTools, createSearchUsage } from "../../src/exports/search.ts";
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

function numbersTool(name: string) {
  return { name, description: "Takes two numbers.", inputSchema: numbers };
}
