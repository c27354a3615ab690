import { codeSource, createRegistry } from "@toolrack/core";
import { serveMcp } from "@toolrack/mcp";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { freePort } from "@toolrack/testkit/ports";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { testTools } from "@toolrack/testkit/test-tools";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { findOrders, openChanging } from "./_changing-source.ts";

describe("a source", () => {
  it("is named with and without its type, also while it has no tool", async () => {
    const { rack } = await openChanging([findOrders], { trust: { first: "ask" } });
    const { ask } = serverOver(rack);
    const namesOf = async (source: string): Promise<readonly string[]> =>
      ((await ask("GET", `/tools?source=${source}`)).body as { tools: { name: string }[] }).tools.map(({ name }) => name);
    for (const name of ["shop", "mcp:shop"]) {
      expect(await namesOf(name)).toEqual([]);
      const { body } = await ask("GET", `/definitions/sources/${name}`);
      expect(body).toMatchObject({ source: "mcp:shop", definitions: [{ tool: "find_orders" }] });
    }
    const { digest } = (await ask("GET", "/definitions/sources/shop")).body as { digest: string };
    expect((await ask("POST", "/definitions/sources/shop/approve", { digest })).status).toBe(200);
    await until(() => rack.registry.get("find_orders"));
    for (const name of ["shop", "mcp:shop"]) {
      expect(await namesOf(name)).toEqual(["find_orders"]);
      expect((await ask("GET", `/scan?source=${name}`)).body).toMatchObject({ tools: 1 });
    }
  });

  it("tells the tools that are held back until a person looked at them", async () => {
    const { rack } = await openChanging([findOrders], { trust: { first: "ask" } });
    const shop = (): object => rack.sources.list().find(({ id }) => id === "shop")!;
    expect(shop()).toMatchObject({ tools: [], held: ["find_orders"] });
    const [waiting] = rack.trust.waiting();
    await rack.trust.decide(waiting!.id, { approved: true, digest: waiting!.digest, by: "anna" });
    await until(() => rack.registry.get("find_orders"));
    expect(shop()).toMatchObject({ tools: ["find_orders"] });
    expect(shop()).not.toHaveProperty("held");
  });

  it("that works again has no error any more", async () => {
    const upstream = createRegistry();
    for (const tool of testTools) upstream.register(tool);
    const port = await freePort();
    const config = { sources: { up: { url: `http://127.0.0.1:${port}/mcp`, allowHosts: [`127.0.0.1:${port}`] } } };
    const rack = await openTestRack({ config });
    await rack.sources.ready();
    expect(rack.sources.list().find(({ id }) => id === "up")).toMatchObject({ state: "failed", error: expect.any(String) as string });
    const endpoint = serveMcp(upstream);
    afterThisTest(() => endpoint.close());
    await endpoint.listen({ port });
    await until(async () => (await rack.sources.refresh("up"))?.state === "ready");
    expect(rack.sources.list().find(({ id }) => id === "up")).not.toHaveProperty("error");
  });
});

it("the filter packs lists the tools of all packs, also those that modules add", async () => {
  const rack = await openTestRack();
  await rack.registry.addSource(codeSource("pack:tickets", [testTools[0]!]));
  const { ask } = serverOver(rack);
  const names = ((await ask("GET", "/tools?source=packs")).body as { tools: { name: string }[] }).tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["calculator", testTools[0]!.name]));
});
