import { describe, expect, it } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { findDrift } from "../../src/testing/drift.ts";
import { mockTool } from "../../src/testing/mock-tool.ts";
import { testTool } from "../../src/testing/test-tool.ts";
import { BaseTool } from "../../src/tool/base-tool.ts";
import { toStructured } from "../../src/tool/result.ts";

interface Product {
  readonly name: string;
  readonly category: string;
}

/** A session on a small product catalog, as a database would open one for each call. */
class CatalogSession {
  static open = 0;
  readonly #products: readonly Product[];
  constructor(products: readonly Product[] = catalog) {
    CatalogSession.open++;
    this.#products = products;
  }
  async find(words: readonly string[], limit: number): Promise<Product[]> {
    const matches = ({ name, category }: Product): boolean => words.some((word) => `${name} ${category}`.includes(word));
    return this.#products.filter(matches).slice(0, limit);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    CatalogSession.open--;
  }
}

const catalog: readonly Product[] = [
  { name: "running shoes", category: "sport" },
  { name: "dancing shoes", category: "leisure" },
  { name: "rain coat", category: "outdoor" },
];

class ProductLookupTool extends BaseTool<{ query: string; limit: number }, CatalogSession> {
  readonly name = "product_lookup";
  readonly description = "Search product catalog by name, description, or category";
  readonly parametersSchema = {
    type: "object",
    properties: {
      query: { type: "string", description: "Words to look for." },
      limit: { type: "integer", default: 5, description: "How many products at most." },
    },
    required: ["query"],
  };
  override readonly metadata = {
    examples: [{ description: "shoes for running", input: { query: "running shoes" }, usage: "result.products[0]" }],
  };

  async execute(session: CatalogSession, { query, limit }: { query: string; limit: number }): Promise<unknown> {
    return { success: true, data: { products: await session.find(query.split(" "), limit) } };
  }
}

describe("a product lookup tool in the class form", () => {
  // row: I17
  it("finds products when it is executed with a session", async () => {
    const tool = new ProductLookupTool();
    const result = (await tool.execute(new CatalogSession(), { query: "running shoes", limit: 5 })) as {
      success: boolean;
      data: { products: Product[] };
    };
    expect(result.success).toBe(true);
    expect(result.data.products.length).toBeGreaterThan(0);
  });

  // row: I17
  it("finds products when the registry invokes it", async () => {
    const registry = createRegistry({ services: () => new CatalogSession() });
    registry.register(new ProductLookupTool());
    const result = toStructured(await registry.invoke("product_lookup", { query: "shoes" }));
    expect(result.success).toBe(true);
    expect(result.data).toEqual({ products: [catalog[0], catalog[1]] });
  });

  it("has a session of its own in each of two calls at once, closed in the end", async () => {
    const before = CatalogSession.open;
    const sessions: CatalogSession[] = [];
    const registry = createRegistry({ services: () => (sessions.push(new CatalogSession()), sessions.at(-1)!) });
    registry.register(new ProductLookupTool());
    await registry.callAll([
      { name: "product_lookup", input: { query: "shoes" } },
      { name: "product_lookup", input: { query: "coat" } },
    ]);
    expect(new Set(sessions).size).toBe(2);
    expect(CatalogSession.open).toBe(before);
  });

  it("answers for an unknown tool and for wrong parameters without running anything", async () => {
    const registry: Registry = createRegistry();
    registry.register(new ProductLookupTool());
    expect(toStructured(await registry.invoke("product_lockup", {}))).toMatchObject({
      success: false,
      error: expect.stringContaining("not found"),
    });
    expect(toStructured(await registry.invoke("product_lookup", { limit: 5 }))).toMatchObject({
      success: false,
      error: expect.stringContaining("query"),
    });
  });

  it("is mocked by registering another tool under its name", async () => {
    const registry = createRegistry();
    registry.register(mockTool("product_lookup", { result: { products: [] } }));
    expect(await registry.invoke("product_lookup", { query: "shoes" })).toMatchObject({ ok: true, data: { products: [] } });
  });

  it("passes the test kit with an injected session", async () => {
    const services = (): CatalogSession => new CatalogSession();
    expect((await testTool(new ProductLookupTool(), { services })).checks.filter((check) => !check.ok)).toEqual([]);
    expect((await findDrift(new ProductLookupTool(), { services })).findings).toEqual([]);
  });
});
