import { createRegistry, defineTool } from "@toolrack/core";
import { serveMcp } from "@toolrack/mcp";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { describe, expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";
import { findOrders, openChanging, type Said } from "./_changing-source.ts";

const outputSchema = { type: "object", properties: { done: { type: "boolean" } }, required: ["done"] };
const whole: Said = { ...findOrders, annotations: { destructive: true }, outputSchema };
/** The next list has another text, and leaves out what some servers leave out when they connect again. */
const changed: Said = { ...findOrders, description: "Deletes orders by the name of a customer." };

async function approveAll(rack: Rack): Promise<void> {
  for (const { id, digest } of rack.trust.waiting()) await rack.trust.decide(id, { approved: true, digest, by: "ada" });
}

describe("a change that comes without the annotations and the output schema of the approved definition", () => {
  it("is approved with them, as its difference showed it, and is on record with the print of that", async () => {
    const { rack, shop, names } = await openChanging([whole]);
    await shop.say(changed);
    expect(rack.trust.waiting()).toMatchObject([
      { changes: [{ path: "/description" }], definition: { annotations: { destructive: true } } },
    ]);
    await approveAll(rack);
    await shop.say(changed);
    expect(rack.trust.waiting()).toEqual([]);
    expect(names()).toEqual(["find_orders"]);
    expect(rack.registry.get("find_orders")).toMatchObject({
      description: changed.description,
      outputSchema,
      metadata: { annotations: { destructive: true } },
    });
    await shop.say({ ...whole, description: changed.description! });
    expect(rack.trust.waiting()).toEqual([]);
  });

  it("is followed as it is where the source is followed, and the next one as well", async () => {
    const { rack, shop, names } = await openChanging([whole], { trust: { change: "follow" } });
    for (const description of ["Finds the orders of a customer.", "Finds orders of one customer."]) {
      await shop.say({ ...findOrders, description });
      expect(names()).toEqual(["find_orders"]);
      expect(rack.registry.get("find_orders")?.description).toBe(description);
    }
    expect(rack.trust.waiting()).toEqual([]);
  });

  it("of an MCP server keeps them, too", async () => {
    const upstream = createRegistry();
    const say = (description: string, more: object): void => {
      const tool = { name: "find_orders", description, inputSchema: { type: "object" } as const, handler: () => ({ done: true }), ...more };
      upstream.register(defineTool(tool), { onConflict: "replace" });
    };
    say("Finds orders.", { outputSchema, metadata: { annotations: { readOnly: false, destructive: true } } });
    const endpoint = serveMcp(upstream, { name: "shop", version: "1.0.0" });
    afterThisTest(() => endpoint.close());
    const { url } = await endpoint.listen({ port: 0 });
    const config = { store: { memory: true as const }, sources: { shop: { url, allowHosts: [new URL(url).host] } } };
    const rack = await openTestRack({ config });
    await rack.sources.ready();
    expect(rack.registry.get("shop__find_orders")?.metadata?.annotations).toMatchObject({ destructive: true });
    say("Deletes orders.", {});
    await rack.sources.refresh("shop");
    expect(rack.registry.has("shop__find_orders")).toBe(false);
    await approveAll(rack);
    await rack.sources.refresh("shop");
    expect(rack.trust.waiting()).toEqual([]);
    expect(rack.registry.get("shop__find_orders")).toMatchObject({
      description: "Deletes orders.",
      outputSchema,
      metadata: { annotations: { destructive: true } },
    });
  });
});
