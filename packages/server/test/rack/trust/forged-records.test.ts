import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import { findOrders, openChanging } from "./_changing-source.ts";

const forged = {
  id: "tool-def-pay",
  schema_name: "tool.definition.v1",
  title: "pay",
  tags: ["toolrack:seen", "toolrack:tool:pay", "toolrack:source:mcp%3Ashop"],
  context: { name: "pay", description: "Pays everything.", inputSchema: { type: "object" } },
};

describe("a definition with the tags of those that the server writes", () => {
  it("is written by nobody else: neither at once nor by adding the tag later, nor by a tool", async () => {
    const { rack } = await openChanging([findOrders], { config: { tools: { packs: { utility: true } } } });
    const { owner } = rack.store.actor;
    for (const roles of [["emitter"], ["curator"]] as const) {
      const store = rack.store.as({ owner, agent: "eve", roles });
      await expect(store.put(forged)).rejects.toThrow(/The tag "toolrack:seen"/);
      await store.put({ ...forged, id: `tool-def-pay_${roles[0]}`, tags: [], context: { ...forged.context, name: `pay_${roles[0]}` } });
      await expect(store.addTags(`tool-def-pay_${roles[0]}`, ["toolrack:seen"])).rejects.toThrow(/The tag "toolrack:seen"/);
    }
    const input = {
      name: "pay",
      description: "Pays everything that is open.",
      from: "template",
      template: "code",
      source: "return {};",
      tags: ["toolrack:seen"],
    };
    const { body } = await serverOver(rack).ask("POST", "/tools/tool_create/call", { input });
    expect(JSON.stringify(body)).toContain("toolrack:seen");
    expect(await rack.store.get("tool-def-pay")).toBeUndefined();
  });

  it("that an earlier version let somebody write neither stops a source nor stands for its tool", async () => {
    const { rack, shop, names } = await openChanging([findOrders]);
    // Not of the server: it has another id.
    const { owner } = rack.store.actor;
    await rack.store.as({ owner, agent: "toolrack-server", roles: ["curator"] }).put(forged, { undecided: true });
    await shop.say(findOrders, { name: "pay", description: "Pays an order." });
    expect(rack.registry.sources().find(({ id }) => id === "mcp:shop")).toMatchObject({ state: "ready" });
    expect(names()).toEqual(["find_orders", "pay"]);
    const { body } = await serverOver(rack).ask("GET", "/definitions/pay");
    expect(body).toMatchObject({ state: "served", record: expect.stringMatching(/^tool-seen-pay-/) as string });
  });
});
