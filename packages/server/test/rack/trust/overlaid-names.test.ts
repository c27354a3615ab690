import { ToolError } from "@toolrack/core";
import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import { findOrders, openChanging } from "./_changing-source.ts";

const widened = {
  ...findOrders,
  inputSchema: { type: "object", properties: { customer: { type: "string" }, everything: { type: "boolean" } }, required: ["customer"] },
};

describe("the name that an overlay gives to a tool", () => {
  it.each(["__proto__", "constructor", "prototype", "toString", "search_tools", "describe_tool", "call_tool"])(
    "is never %s",
    async (name) => {
      const { rack, names } = await openChanging([findOrders]);
      await expect(rack.overlays.set("find_orders", { name }, "anna")).rejects.toMatchObject({
        code: "DEFINITION_INVALID",
        message: expect.stringContaining("reserved") as string,
      });
      expect(names()).toEqual(["find_orders"]);
    },
  );

  it("answers that the tool is held while its definition waits", async () => {
    const { rack, shop } = await openChanging([findOrders]);
    await rack.overlays.set("find_orders", { name: "orders" }, "anna");
    const server = serverOver(rack);
    expect(await rack.registry.invoke("orders", { customer: "Ada" })).toMatchObject({ ok: true });
    expect(await rack.registry.invoke("order", { customer: "Ada" })).toMatchObject({ code: "TOOL_NOT_FOUND" });
    await shop.say(widened);
    expect(await rack.registry.invoke("orders", { customer: "Ada" })).toMatchObject({ ok: false, code: "TOOL_HELD" });
    const answer = await server.ask("POST", "/tools/orders/call", { input: { customer: "Ada" } });
    expect(answer.body).toMatchObject({
      code: "TOOL_HELD",
      detail: expect.stringMatching(/^Tool "orders" is held: .* toolrack approve find_orders$/) as string,
    });
  });

  it("cannot be given to a tool that waits for a person, which the answer says", async () => {
    const { rack, shop } = await openChanging([findOrders]);
    const { ask } = serverOver(rack);
    await shop.say(widened);
    expect(await ask("PUT", "/tools/find_orders/overlay", { overlay: { name: "orders" } })).toMatchObject({
      status: new ToolError("TOOL_HELD", "").status,
      body: { code: "TOOL_HELD", detail: expect.stringMatching(/^Tool "find_orders" is held: .* toolrack approve find_orders$/) as string },
    });
    expect((await ask("PUT", "/tools/find_order/overlay", { overlay: { name: "orders" } })).body).toMatchObject({ code: "TOOL_NOT_FOUND" });
  });

  it("proves what was logged about a tool that its source does not list any more, by each of its names", async () => {
    const { rack, shop } = await openChanging([findOrders]);
    await rack.overlays.set("find_orders", { name: "orders" }, "anna");
    const { ask } = serverOver(rack);
    await shop.say();
    for (const name of ["orders", "find_orders"]) {
      const { status, body } = await ask("GET", `/tools/${name}/proof`);
      expect([status, JSON.parse((body as { entry: string }).entry)]).toMatchObject([200, { tool: "find_orders" }]);
    }
  });

  it("reads the history of the tool, and what waits of it", async () => {
    const { rack, shop } = await openChanging([findOrders]);
    await rack.overlays.set("find_orders", { name: "orders" }, "anna");
    const { ask } = serverOver(rack);
    expect((await ask("GET", "/breadcrumbs/tool-def-orders/history")).body.changes).toHaveLength(1);
    expect((await ask("GET", "/definitions/orders")).body).toMatchObject({ state: "served", record: rack.trust.recordIdOf("find_orders") });
    await shop.say(widened);
    expect((await ask("GET", "/definitions/orders")).body).toMatchObject({ state: "held", waiting: { tool: "find_orders" } });
  });

  it("says so for an overlay of the configuration, too", async () => {
    const { rack, shop } = await openChanging([findOrders], { config: { overlays: { shop: { find_orders: { name: "orders" } } } } });
    await shop.say(widened);
    expect(await rack.registry.invoke("orders", { customer: "Ada" })).toMatchObject({ code: "TOOL_HELD" });
  });
});

describe("an overlay of the configuration over a tool that was never served", () => {
  const config = { overlays: { shop: { find_orders: { name: "orders" } } } };

  it("answers that the tool is held, and how it is approved, and is no mistake of the configuration", async () => {
    const { rack } = await openChanging([findOrders], { config, trust: { first: "ask" } });
    expect(await rack.registry.invoke("orders", { customer: "Ada" })).toMatchObject({
      code: "TOOL_HELD",
      error: expect.stringMatching(/^Tool "orders" is held: its definition is new .* toolrack approve find_orders$/) as string,
    });
    const problems = rack.overlays.problems();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(
      /^overlays\.shop\.find_orders \(.*\) changes nothing yet\. Tool "find_orders" is held: .* toolrack approve find_orders$/,
    );
  });

  it("says nothing of it to a caller whose policy hides the name", async () => {
    const { rack } = await openChanging([findOrders], {
      config: { ...config, policy: { agents: { guest: { tools: { deny: ["orders"] } } } } },
      trust: { first: "ask" },
    });
    const answer = await rack.registry.invoke("orders", { customer: "Ada" }, { caller: { agent: "guest" } });
    expect(answer).toMatchObject({ code: "TOOL_NOT_FOUND" });
    expect(answer.ok ? "" : answer.error).not.toContain("held");
  });
});

describe("what is below an overlay", () => {
  it.each([
    { description: "Finds them." },
    { parameters: { customer: { value: "Ada" } } },
    { title: "Orders" },
    { annotations: { destructive: true } },
    { name: "orders" },
  ])("is not in a record that agents read; they read what they may call: %j", async (overlay) => {
    const { rack } = await openChanging([findOrders]);
    const server = serverOver(rack);
    const [agent, curator] = [await server.as("mallory"), await server.as("cura", "curator")];
    const record = rack.trust.recordIdOf("find_orders")!;
    expect((await agent("GET", "/breadcrumbs/tool-def-find_orders")).status).toBe(200);
    await rack.overlays.set("find_orders", overlay, "anna");
    const name = overlay.name ?? "find_orders";
    for (const id of ["tool-def-find_orders", "tool-def-orders", record]) {
      const read = await agent("GET", `/breadcrumbs/${id}`);
      if (id === record || id === `tool-def-${name}`) {
        const { description, inputSchema } = rack.registry.get(name)!;
        expect(read).toMatchObject({ status: 200, body: { context: { name, description, inputSchema } } });
        expect(read.body.context).not.toHaveProperty("upstream");
      } else expect(read.status).toBe(404);
      expect(JSON.stringify((await agent("GET", `/breadcrumbs/${id}/history`)).body)).not.toMatch(
        overlay.description === undefined ? /"upstream"/ : /by the name of a customer|"upstream"/,
      );
    }
    const found = await agent("POST", "/tools/breadcrumb_search/call", { input: { schema_name: "tool.overlay.v1" } });
    expect(JSON.stringify(found.body)).not.toContain('"overlay"');
    expect((await curator("GET", `/breadcrumbs/${record}`)).status).toBe(200);
  });
});
