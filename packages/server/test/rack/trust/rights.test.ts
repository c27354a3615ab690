import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import { findOrders, openChanging } from "./_changing-source.ts";

describe("what models see of a tool that is not ours", () => {
  it.each(["subscriber", "emitter"] as const)("is decided by nobody who is only a %s", async (role) => {
    const { rack, shop } = await openChanging([findOrders]);
    const id = rack.trust.recordIdOf("find_orders")!;
    await shop.say({ ...findOrders, description: "Deletes orders by the name of a customer." });
    const { id: waiting, digest } = rack.trust.waiting()[0]!;
    const ask = await serverOver(rack).as("eve", role);
    const tries: readonly (readonly [string, string, object?])[] = [
      ["POST", `/breadcrumbs/${id}/restore`, { version: 1 }],
      ["POST", `/approvals/${waiting}/decide`, { approved: true, digest }],
      ["POST", "/definitions/sources/shop/approve", { digest }],
      ["PUT", "/tools/find_orders/overlay", { overlay: { description: "Mine." } }],
      ["DELETE", "/tools/find_orders/overlay"],
      ["POST", "/tools/find_orders/overlay/confirmation"],
      ["POST", "/grants", { tool: "find_orders", print: digest, reason: "Please." }],
      ["DELETE", "/grants/grant-1"],
      ["GET", "/lock"],
    ];
    for (const [method, path, body] of tries) {
      // What an emitter does not see is not there.
      const { status } = await ask(method, path, body);
      expect(status, path).toBe(role === "emitter" && path.startsWith("/breadcrumbs/") ? 404 : 403);
    }
    expect(rack.trust.waiting()).toMatchObject([{ id: waiting, digest }]);
    expect(rack.registry.has("find_orders")).toBe(false);
  });

  it("is restored by a curator", async () => {
    const { rack, shop } = await openChanging([findOrders]);
    const id = rack.trust.recordIdOf("find_orders")!;
    await shop.say({ ...findOrders, description: "Deletes orders by the name of a customer." });
    const ask = await serverOver(rack).as("cura", "curator");
    expect(await ask("POST", `/breadcrumbs/${id}/restore`, { version: 1 })).toMatchObject({ status: 200 });
    await expect.poll(() => rack.registry.get("find_orders")?.description).toBe(findOrders.description);
  });
});
