// row: I18
// From a registry that validates and invokes classes to Toolrack's, with unchanged classes.
import assert from "node:assert/strict";
import { DatabaseSync } from "@photostructure/sqlite";
// #region imports
import { createRegistry, toStructured } from "@toolrack/core";
import { BaseTool, ToolRegistry as CompatRegistry } from "@toolrack/core/compat";
import { assertTool, mockTool } from "@toolrack/core/testing";
import { exportTools } from "@toolrack/core/vendors";
import { createCommerceTools, createSqliteSession, fillSampleShop } from "@toolrack/tools";
// #endregion

// #region before
interface Session {
  find(text: string): Promise<string[]>;
}

abstract class Tool {
  abstract readonly name: string;
  abstract readonly description: string;
  abstract readonly parametersSchema: Record<string, unknown>;
  abstract execute(session: Session, parameters: Record<string, unknown>): Promise<{ success: boolean; data?: unknown; error?: string }>;
}

class ToolRegistry {
  private readonly tools = new Map<string, Tool>();
  register(tool: Tool): void {
    this.tools.set(tool.name, tool);
  }
  schemas(): unknown[] {
    return [...this.tools.values()].map(({ name, description, parametersSchema }) => ({ name, description, parameters: parametersSchema }));
  }
  async execute(session: Session, name: string, parameters: Record<string, unknown>): Promise<unknown> {
    const tool = this.tools.get(name);
    return tool ? tool.execute(session, parameters) : { success: false, error: `Tool '${name}' not found` };
  }
}
// #endregion

// #region tool
class ProductLookup extends Tool {
  readonly name = "product_lookup";
  readonly description = "Searches the product catalog.";
  readonly parametersSchema = { type: "object", properties: { query: { type: "string" } }, required: ["query"] };
  async execute(session: Session, { query }: { query: string }): Promise<{ success: boolean; data?: unknown; error?: string }> {
    const products = await session.find(query);
    return products.length === 0 ? { success: false, error: `Nothing is named "${query}".` } : { success: true, data: { products } };
  }
}
// #endregion
const openSession = (): Session => ({ find: async (text) => ["red shoes", "rain coat"].filter((name) => name.includes(text)) });
const old = new ToolRegistry();
old.register(new ProductLookup());

// #region after
const registry = createRegistry({ services: openSession }); // opened for each call, closed when it ends
registry.register(new ProductLookup());
const schemas = exportTools(registry.view({}).tools, "generic").tools;
const answer = toStructured(await registry.invoke("product_lookup", { query: "shoes" }));
console.log(answer.success, answer.data);
// #endregion

assert.deepEqual(schemas, old.schemas());
assert.deepEqual(answer.data, ((await old.execute(openSession(), "product_lookup", { query: "shoes" })) as { data: unknown }).data);

// #region better
for (const input of [{ query: "hat" }, { text: "shoes" }]) {
  const { success, error } = toStructured(await registry.invoke("product_lookup", input));
  console.log(success, error);
}
const unknown = toStructured(await registry.invoke("product_look_up", {}));
console.log(unknown.success, unknown.error);
// #endregion
assert.equal(unknown.success, false);

// #region compat
const tool_registry = new CompatRegistry<Session>();
tool_registry.register(
  new (class extends BaseTool<{ query: string }, Session> {
    readonly name = "product_count";
    readonly description = "Counts products.";
    readonly parametersSchema = { type: "object", properties: { query: { type: "string" } }, required: ["query"] };
    async execute(session: Session, { query }: { query: string }): Promise<object> {
      return { success: true, data: { count: (await session.find(query)).length } };
    }
  })(),
);
const counted = await tool_registry.invoke(openSession(), "product_count", { query: "shoes" });
console.log(counted.success, counted.data, tool_registry.list_tools().length);
// #endregion
assert.deepEqual(counted.data, { count: 1 });

// #region shop
const database = new DatabaseSync(":memory:");
const shop = createSqliteSession(database, "outdoor");
await fillSampleShop(shop);
const byMeaning = createRegistry({ services: shop });
// Any service with the embeddings API of OpenAI: embeddings: { baseUrl, model, secret }
for (const tool of createCommerceTools({ operations: { embed } })) byMeaning.register(tool);
const found = toStructured(await byMeaning.invoke("product_lookup", { query: "trainers for jogging", limit: 1 }));
console.log((found.data as { products: { category: string }[] }).products[0]?.category);
// #endregion
assert.equal((found.data as { count: number }).count, 1);

// #region testing
const fake = mockTool("product_lookup", { result: { products: ["shoe"] } });
byMeaning.register(fake, { onConflict: "replace" });
await assertTool(createCommerceTools()[3]!, { services: shop });
// #endregion
database.close();

/** Stands in for the service: two places, "shoes" and everything else. */
async function embed(texts: readonly string[]): Promise<number[][]> {
  return texts.map((text) => (/shoe|trainer|jogging|running/i.test(text) ? [1, 0] : [0, 1]));
}
