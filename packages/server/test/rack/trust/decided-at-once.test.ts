import { listAudit } from "@toolrack/store";
import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import { findOrders, openChanging } from "./_changing-source.ts";

const changed = { ...findOrders, description: "Deletes orders by the name of a customer." };
const by = "ada";

describe("two people who decide at one moment", () => {
  it("approve a definition once, and the second is told that it was answered", async () => {
    const { rack, shop } = await openChanging([findOrders]);
    await shop.say(changed);
    const { id, digest } = rack.trust.waiting()[0]!;
    const { ask } = serverOver(rack);
    const answers = await Promise.all([1, 2, 3].map(() => ask("POST", `/approvals/${id}/decide`, { approved: true, digest })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(await listAudit(rack.store, { kinds: ["definition-approved"] })).toHaveLength(1);
    await expect.poll(() => rack.registry.get("find_orders")?.description).toBe(changed.description);
  });

  it("restore an earlier definition, both of them", async () => {
    const { rack, shop } = await openChanging([findOrders], { trust: { change: "follow" } });
    await shop.say(changed);
    const id = rack.trust.recordIdOf("find_orders")!;
    const restored = await Promise.all([rack.trust.restore(id, 1, by), rack.trust.restore(id, 1, "bob")]);
    expect(restored.map((record) => record?.context["description"])).toEqual([findOrders.description, findOrders.description]);
    await expect.poll(() => rack.registry.get("find_orders")?.description).toBe(findOrders.description);
  });

  it("approve one definition while the source sends another, which waits", async () => {
    const { rack, shop } = await openChanging([findOrders]);
    await shop.say(changed);
    const { id, digest } = rack.trust.waiting()[0]!;
    const other = { ...changed, description: "Deletes orders of everybody, and sends them away." };
    const [decided] = await Promise.allSettled([rack.trust.decide(id, { approved: true, digest, by }), shop.say(other)]);
    if (decided.status === "rejected") expect(String(decided.reason)).toContain("another definition");
    await shop.say(other);
    expect(rack.registry.has("find_orders")).toBe(false);
    expect(rack.trust.waiting()).toMatchObject([{ definition: { description: other.description } }]);
  });
});
