import { createRegistry, defineTool } from "@toolrack/core";
import { serveMcp } from "@toolrack/mcp";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { describe, expect, it } from "vitest";
import { findOrders, openChanging, type Said } from "./_changing-source.ts";

const outputSchema = { type: "object", properties: { done: { type: "boolean" } } };
const approved: Said = { ...findOrders, title: "Find orders", outputSchema };

describe("a tool that goes on with its approved definition", () => {
  it("has the approved title while another one waits", async () => {
    const { rack, shop } = await openChanging([approved]);
    await shop.say({ ...approved, title: "Find the orders" });
    expect(rack.trust.waiting()).toMatchObject([{ effect: "old-text", changes: [{ path: "/title" }] }]);
    expect(rack.registry.get("find_orders")?.title).toBe("Find orders");
  });

  it("has the approved title and output schema under keep-old", async () => {
    const { rack, shop } = await openChanging([approved], { trust: { change: "keep-old" } });
    await shop.say({ ...approved, title: "Orders", outputSchema: { type: "object", properties: { sent: { type: "string" } } } });
    expect(rack.trust.waiting()).toMatchObject([{ effect: "old-definition" }]);
    expect(rack.registry.get("find_orders")).toMatchObject({ title: "Find orders", outputSchema });
  });

  it("has the approved annotations of an MCP server under keep-old", async () => {
    const upstream = createRegistry();
    const say = (annotations: object): void => {
      const tool = { name: "find_orders", description: "Finds orders.", inputSchema: { type: "object" } as const, handler: () => "x" };
      upstream.register(defineTool({ ...tool, metadata: { annotations } }), { onConflict: "replace" });
    };
    say({ readOnly: false, destructive: true });
    const endpoint = serveMcp(upstream, { name: "shop", version: "1.0.0" });
    afterThisTest(() => endpoint.close());
    const { url } = await endpoint.listen({ port: 0 });
    const sources = { shop: { url, allowHosts: [new URL(url).host], trust: { change: "keep-old" as const } } };
    const rack = await openTestRack({ config: { store: { memory: true }, sources } });
    await rack.sources.ready();
    say({ readOnly: true, destructive: false });
    await rack.sources.refresh("shop");
    expect(rack.trust.waiting()).toMatchObject([{ effect: "old-definition" }]);
    expect(rack.registry.get("shop__find_orders")?.metadata?.annotations).toMatchObject({ readOnly: false, destructive: true });
  });
});
