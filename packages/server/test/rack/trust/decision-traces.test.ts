import { listAudit, openDefinitionLog } from "@toolrack/store";
import { describe, expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";
import { findOrders, openChanging } from "./_changing-source.ts";

const changed = { ...findOrders, description: "Deletes orders by the name of a customer." };

async function tracesOf({ store }: Rack, audit: string): Promise<{ readonly log: readonly unknown[]; readonly audit: readonly unknown[] }> {
  const log = (await openDefinitionLog(store).list({ tool: "find_orders" })).map(({ kind, by, print, detail }) => ({
    kind,
    by,
    print,
    detail,
  }));
  return { log, audit: await listAudit(store, { kinds: [audit] }) };
}

/** The one definition that waits. */
const waitingOf = ({ trust }: Rack) => trust.waiting()[0]!;

describe("what a person decides about a definition", () => {
  it.each([
    ["approval", true, "definition-approved"],
    ["refusal", false, "definition-refused"],
  ] as const)("is in the log of definitions and in the audit: %s", async (kind, approved, line) => {
    const { rack, shop } = await openChanging([findOrders]);
    await shop.say(changed);
    const { id, digest } = waitingOf(rack);
    await rack.trust.decide(id, { approved, digest, reason: "Looked at.", by: "ada" });
    const { log, audit } = await tracesOf(rack, line);
    expect(log[0]).toMatchObject({ kind, by: "ada", print: digest });
    expect(audit).toMatchObject([{ agent: "ada", subject: "find_orders", body: { digest, reason: "Looked at." } }]);
  });

  it("is in both when an earlier definition is restored, and nothing waits after that", async () => {
    const { rack, shop } = await openChanging([findOrders]);
    const id = rack.trust.recordIdOf("find_orders")!;
    await shop.say(changed);
    expect(rack.trust.waiting()).toHaveLength(1);
    const restored = await rack.trust.restore(id, 1, "ada");
    const { log, audit } = await tracesOf(rack, "definition-restored");
    const { print } = restored!.context["upstream"] as { print: string };
    expect(log[0]).toMatchObject({ kind: "approval", by: "ada", print, detail: { restored: true } });
    expect(audit).toMatchObject([{ agent: "ada", subject: "find_orders", body: { record: id, version: 1, digest: print } }]);
    await shop.say(changed);
    expect(rack.trust.waiting()).toEqual([]);
    expect(rack.registry.get("find_orders")?.description).toBe(findOrders.description);
  });

  it("is for what the source sent then: restored while it sends the approved text, a definition is kept instead of no other", async () => {
    const { rack, shop } = await openChanging([findOrders], { trust: { change: "follow" } });
    const id = rack.trust.recordIdOf("find_orders")!;
    await shop.say(changed);
    const instead = await rack.trust.restore(id, 1, "ada");
    await shop.say(findOrders);
    await rack.trust.restore(id, instead!.version, "ada");
    await shop.say(changed);
    expect(rack.registry.get("find_orders")?.description).toBe(changed.description);
  });
});
