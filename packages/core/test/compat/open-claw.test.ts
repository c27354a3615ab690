import { describe, expect, it } from "vitest";
import {
  type AnyAgentTool,
  applyToolPolicyPipeline,
  buildDefaultToolPolicyPipelineSteps,
  createActionGate,
  includeInOpenClawGroup,
  listChannelAgentTools,
  type ToolPolicyLike,
  type ToolPolicyPipelineStep,
} from "../../src/exports/compat.ts";
import { coreToolCatalog } from "../../src/policy/catalog/catalog.ts";
import { createRegistry } from "../../src/registry/create.ts";

const pin: AnyAgentTool = {
  name: "telegram_pin",
  description: "Pins a message.",
  parameters: { type: "object", properties: { action: { type: "string" } } },
  ownerOnly: true,
  execute: async ({ action }) => ({ content: [{ type: "text", text: `did ${action}` }], details: { action } }),
};

describe("an AnyAgentTool", () => {
  it("is registered as it is: ownerOnly keeps it from others, content is its text and details are its data", async () => {
    const registry = createRegistry();
    registry.register(pin);
    expect(registry.view({ sender: "guest" }).tools).toEqual([]);
    expect(await registry.invoke("telegram_pin", { action: "pin" }, { caller: { owner: true } })).toMatchObject({
      ok: true,
      content: "did pin",
      data: { action: "pin" },
    });
  });
});

describe("listChannelAgentTools", () => {
  it("gives the tools of all channels in their order, and lets a channel see its configuration", () => {
    const channels = [
      { id: "telegram", agentTools: [pin] },
      { id: "mail" },
      { id: "chat", agentTools: ({ config }: { config: { suffix: string } | undefined }) => [{ ...pin, name: `chat_${config?.suffix}` }] },
    ];
    const tools = listChannelAgentTools(channels, { suffix: "poll" });
    expect(tools.map(({ name }) => name)).toEqual(["telegram_pin", "chat_poll"]);
    expect(tools[0]?.metadata?.ownerOnly).toBe(true);
  });
});

describe("includeInOpenClawGroup", () => {
  it("says of every tool of the catalog what group:openclaw says", () => {
    for (const tool of coreToolCatalog) expect(includeInOpenClawGroup({ name: tool.name })).toBe(tool.groups.includes("group:openclaw"));
    expect([{ name: "web_search" }, { name: "read" }].map(includeInOpenClawGroup)).toEqual([true, false]);
  });

  it("is true for a tool that joins the group, unless it comes from a plugin", () => {
    const metadata = { groups: ["openclaw"] };
    expect(includeInOpenClawGroup({ name: "voice", metadata })).toBe(true);
    expect(includeInOpenClawGroup({ name: "voice", metadata: { ...metadata, pluginId: "sound" } })).toBe(false);
  });
});

describe("ToolPolicyLike and ToolPolicyPipelineStep", () => {
  it("are what the pipeline is built from and applied with", () => {
    const globalPolicy: ToolPolicyLike = { allow: ["group:fs"], deny: ["write"] };
    const steps: ToolPolicyPipelineStep[] = buildDefaultToolPolicyPipelineSteps({ globalPolicy });
    const tools = ["read", "write", "exec"].map((name) => ({ name }));
    expect(applyToolPolicyPipeline({ tools, steps }).tools).toEqual([{ name: "read" }]);
  });
});

describe("createActionGate", () => {
  it("closes only what is switched off, and gives everything else its default", () => {
    const gate = createActionGate<Record<string, boolean | undefined>>({ send: false, read: true });
    expect([gate("send"), gate("read"), gate("pin"), gate("pin", false), gate("constructor")]).toEqual([false, true, true, false, true]);
  });
});
