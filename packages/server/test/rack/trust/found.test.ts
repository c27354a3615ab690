import { sized } from "@toolrack/testkit/sized";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changingSource, type Said } from "./_changing-source.ts";

const names = ["find_orders", "ship_parcel", "count_stock", "print_label", "close_shop"];
const said = (name: string, version: number): Said => ({
  name,
  description: `Does what ${name.replace("_", " ")} says.`,
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(Array.from({ length: version }, (_, at) => [`p${at}`, { type: "string" }])),
  },
});

describe("an agent that searches records for tools", () => {
  // row: H3
  it("finds exactly what it may call, whatever the policy says and the source changes", async () => {
    const sources = { shop: { url: "https://shop.example/mcp" } };
    const config = { store: { memory: true }, sources, tools: { packs: { utility: true } } };
    const rack = await openTestRack({ startSources: false, config });
    const shop = changingSource(
      rack,
      "mcp:shop",
      names.map((name) => said(name, 1)),
    );
    await rack.registry.addSource(shop);
    const { ask } = serverOver(rack);
    const { secret: key } = await rack.keys.create({ agent: "helper", roles: ["emitter"], by: "test" });
    // A definition of a name that another source has: it is not served, so it is not found.
    const context = { ...said("find_orders", 1), implementation: { kind: "http", endpoint: "https://example.com/x" } };
    await rack.store.put({ schema_name: "tool.definition.v1", title: "Mine", tags: ["workspace:tools"], context });
    const all = rack.registry.list().map(({ name }) => name);
    const step = fc.record({
      deny: fc.subarray(all),
      // An overlay gives these another name, and one of them a tag.
      renamed: fc.subarray(names),
      versions: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: names.length, maxLength: names.length }),
    });
    await fc.assert(
      fc.asyncProperty(step, async ({ deny, renamed, versions }) => {
        await rack.settings.set("policy.agents.helper", { tools: { deny } }, "boss");
        // 0: it is not listed; 2: it is not the approved definition.
        await shop.say(...names.flatMap((name, at) => (versions[at] === 0 ? [] : [said(name, versions[at]!)])));
        for (const name of names) {
          if (rack.overlays.originOf(name)?.sourceId !== "mcp:shop") continue;
          if (renamed.includes(name)) await rack.overlays.set(name, { name: `our_${name}`, tags: ["ours"] }, "anna");
          else await rack.overlays.remove(name, "anna");
        }
        const headers = { authorization: `Bearer ${key}` };
        const mayCall = (await ask("GET", "/tools", undefined, { headers })).body.tools.map(({ name }: { name: string }) => name).sort();
        const query = "schema_name=tool.definition.v1&tag=workspace:tools&includeContext=true&limit=1000";
        const { records } = (await ask("GET", `/breadcrumbs?${query}`, undefined, { headers })).body;
        expect(records.map((record: { context: { name: string } }) => record.context.name).sort()).toEqual(mayCall);
        const catalog = (await ask("GET", "/breadcrumbs/tool-catalog", undefined, { headers })).body;
        expect(catalog.context.tools.map(({ name }: { name: string }) => name).sort()).toEqual(mayCall);
        expect(catalog.context.totalTools).toBe(mayCall.length);
        const ours = mayCall.filter((name: string) => name.startsWith("our_"));
        const tagged = (
          await ask("GET", "/breadcrumbs?schema_name=tool.definition.v1&tag=ours&includeContext=true", undefined, { headers })
        ).body;
        expect(tagged.records.map((record: { context: { name: string } }) => record.context.name).sort()).toEqual(ours);
        const listed = (await ask("GET", "/tools?tag=ours", undefined, { headers })).body.tools;
        expect(listed.map(({ name }: { name: string }) => name).sort()).toEqual(ours);
      }),
      { numRuns: sized(8, 15) },
    );
  });
});
