import { createMemoryStore, listAudit } from "@toolrack/store";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { describe, expect, it } from "vitest";
import { createLedger } from "../../../src/rack/trust/ledger.ts";
import { changingSource, findOrders, namesOf } from "./_changing-source.ts";

const widened = { ...findOrders, inputSchema: { type: "object", properties: { customer: { type: "string" }, all: { type: "boolean" } } } };
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describe("what several servers, or a server that ends, leave behind", () => {
  it("an approval on one server counts on the other", async () => {
    const folder = temporaryFolder();
    const config = { sources: { shop: { url: "https://shop.example/mcp" } } };
    const [one, two] = [
      await openTestRack({ folder, config, startSources: false }),
      await openTestRack({ folder, config, startSources: false }),
    ];
    const [first, second] = [changingSource(one, "mcp:shop", [findOrders]), changingSource(two, "mcp:shop", [findOrders])];
    await one.registry.addSource(first);
    await two.registry.addSource(second);
    await first.say(widened);
    await second.say(widened);
    expect([namesOf(one, "mcp:shop"), namesOf(two, "mcp:shop")]).toEqual([[], []]);
    const [waiting] = one.trust.waiting();
    expect(two.trust.waiting().map(({ digest }) => digest)).toEqual([waiting!.digest]);
    await two.trust.decide(waiting!.id, { approved: true, digest: waiting!.digest, by: "anna" });
    await expect.poll(() => [namesOf(one, "mcp:shop"), namesOf(two, "mcp:shop")]).toEqual([["find_orders"], ["find_orders"]]);
    expect(await one.trust.decide(waiting!.id, { approved: true, digest: waiting!.digest, by: "boris" })).toBeUndefined();
  });

  it("a source that shows two servers different definitions at one time is told as a split view", async () => {
    const folder = temporaryFolder();
    const config = { sources: { shop: { url: "https://shop.example/mcp" } } };
    const [one, two] = [
      await openTestRack({ folder, config, startSources: false }),
      await openTestRack({ folder, config, startSources: false }),
    ];
    const [first, second] = [changingSource(one, "mcp:shop", [findOrders]), changingSource(two, "mcp:shop", [findOrders])];
    await one.registry.addSource(first);
    await two.registry.addSource(second);
    // A server is known to the others from its first call on.
    await Promise.all([one.registry.invoke("random", {}), two.registry.invoke("random", {})]);
    await expect.poll(async () => (await one.servers.list()).length).toBe(2);
    await second.say(widened);
    await expect.poll(() => one.trust.waiting().length).toBe(1);
    await first.say(findOrders);
    expect(one.trust.waiting()).toMatchObject([
      { told: [expect.stringMatching(/^Split view: the server "[0-9a-f]{6} on /)], seenBy: expect.stringMatching(/^[0-9a-f]{6} on ./) },
    ]);
    expect([namesOf(one, "mcp:shop"), namesOf(two, "mcp:shop")]).toEqual([["find_orders"], []]);
  });

  it("a server that ends between pin and audit leaves neither: both are one transaction", async () => {
    const store = createMemoryStore();
    const ends = (): never => {
      throw new Error("The server ended.");
    };
    const ledger = createLedger({ store, log: silent, logDefinitions: ends });
    const draft = { id: "tool-seen-x", schema_name: "tool.definition.v1", context: { name: "x", description: "", inputSchema: {} } };
    const event = { kind: "approval", source: "s", identity: "", name: "x", tool: "x", print: "p", by: "anna" } as const;
    const note = { kind: "definition-approved", subject: "x", body: {} };
    const writing = ledger.write({ drafts: [{ draft, before: undefined, approved: "Looked at it." }], audit: [note], events: [event] });
    await expect(writing).rejects.toThrow("The server ended.");
    expect(await store.get("tool-seen-x")).toBeUndefined();
    expect(await listAudit(store, { kinds: ["definition-approved"] })).toEqual([]);
  });
});
