import { describe, expect, it } from "vitest";
import { BaseTool, ToolRegistry } from "../../src/exports/compat.ts";
import type { CallContext } from "../../src/tool/context.ts";

interface Session {
  readonly shop: string;
}

class ProductLookup {
  readonly name = "product_lookup";
  readonly description = "Searches the products.";
  readonly parameters_schema = {
    type: "object",
    properties: { query: { type: "string" }, limit: { type: "integer", default: 5 } },
    required: ["query"],
  };
  async execute(session: Session, { query, limit }: { query: string; limit: number }): Promise<object> {
    if (query === "trouble") throw new Error("the database is away");
    return { success: true, data: { products: [`${query} of ${session.shop}`], limit } };
  }
}

class Twice extends BaseTool<object, Session> {
  readonly name = "twice";
  readonly description = "Asks another tool.";
  readonly parametersSchema = { type: "object" };
  async execute(_session: Session, _parameters: object, context: CallContext<Session>): Promise<unknown> {
    const found = await context.call("product_lookup", { query: "hat" });
    return found.ok ? found.data : found.error;
  }
}

describe("ToolRegistry", () => {
  const tools = new ToolRegistry<Session>();
  const lookup = new ProductLookup();
  tools.register(lookup);
  tools.register(new Twice());

  it("keeps the sessions of two calls apart that are made at once for one caller", async () => {
    const caller = { agent: "one" };
    const ask = (shop: string): Promise<{ data?: unknown }> => tools.invoke({ shop }, "product_lookup", { query: "hat" }, caller);
    const [north, south] = await Promise.all([ask("north"), ask("south")]);
    expect(north).toMatchObject({ data: { products: ["hat of north"] } });
    expect(south).toMatchObject({ data: { products: ["hat of south"] } });
  });

  it("runs a tool with the session of the call, and answers success, data, error and execution_time_ms", async () => {
    const result = await tools.invoke({ shop: "north" }, "product_lookup", { query: "shoes" });
    expect(result).toEqual({
      success: true,
      data: { products: ["shoes of north"], limit: 5 },
      error: null,
      execution_time_ms: expect.any(Number),
    });
  });

  it("answers for an unknown tool, for invalid parameters and for a tool that throws", async () => {
    const answers = await Promise.all([
      tools.invoke({ shop: "north" }, "product_look", { query: "shoes" }),
      tools.invoke({ shop: "north" }, "product_lookup", { query: 5 }),
      tools.invoke({ shop: "north" }, "product_lookup", { query: "trouble" }),
    ]);
    expect(answers.map(({ success }) => success)).toEqual([false, false, false]);
    expect(answers.map(({ error }) => error)).toEqual([
      expect.stringContaining('"product_look" was not found'),
      expect.stringContaining("query"),
      "the database is away",
    ]);
  });

  it("keeps the sessions of calls apart, also for the calls that a tool makes", async () => {
    const answers = await Promise.all(["north", "south"].map((shop) => tools.invoke({ shop }, "twice", {})));
    expect(answers.map(({ data }) => (data as { products: string[] }).products[0])).toEqual(["hat of north", "hat of south"]);
  });

  it("does not close a session that it was given", async () => {
    let closed = false;
    const session = { shop: "north", [Symbol.dispose]: () => void (closed = true) };
    await tools.invoke(session, "product_lookup", { query: "shoes" });
    expect(closed).toBe(false);
  });

  it("finds a tool as it was registered, and lists name, description and parameters for a prompt", () => {
    expect(tools.get("product_lookup")).toBe(lookup);
    expect(tools.get("gone")).toBeUndefined();
    expect(tools.list_tools()[0]).toEqual({
      name: "product_lookup",
      description: "Searches the products.",
      parameters: lookup.parameters_schema,
    });
  });
});
