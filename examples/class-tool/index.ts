// A tool as a class, with a database session that is opened and closed for each call.
import assert from "node:assert/strict";
// #region imports
import { createRegistry, toStructured } from "@toolrack/core";
import { BaseTool } from "@toolrack/core/compat";
// #endregion

interface Product {
  readonly name: string;
  readonly price: number;
}

// #region session
/** Represents a session of a real database. */
class Session {
  static open = 0;
  constructor() {
    Session.open++;
  }
  async search(text: string, limit: number): Promise<Product[]> {
    const products = [
      { name: "running shoes", price: 80 },
      { name: "rain coat", price: 60 },
      { name: "dancing shoes", price: 95 },
    ];
    return products.filter((product) => product.name.includes(text)).slice(0, limit);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    Session.open--;
  }
}
// #endregion

// #region tool
interface Parameters {
  readonly query: string;
  readonly limit: number;
}

class ProductLookupTool extends BaseTool<Parameters, Session> {
  readonly name = "product_lookup";
  readonly description = "Searches the product catalog by name.";
  readonly parametersSchema = {
    type: "object",
    properties: { query: { type: "string" }, limit: { type: "integer", default: 5 } },
    required: ["query"],
  };

  async execute(session: Session, { query, limit }: Parameters): Promise<unknown> {
    return { success: true, data: { products: await session.search(query, limit) } };
  }
}
// #endregion

// #region call
const registry = createRegistry({ services: () => new Session() });
registry.register(new ProductLookupTool());
const result = toStructured(await registry.invoke("product_lookup", { query: "shoes" }));
// #endregion

console.log(`success: ${result.success}, data: ${JSON.stringify(result.data)}`);
assert.deepEqual(result.data, {
  products: [
    { name: "running shoes", price: 80 },
    { name: "dancing shoes", price: 95 },
  ],
});

const [shoes, coats] = await registry.callAll([
  { name: "product_lookup", input: { query: "shoes", limit: 1 } },
  { name: "product_lookup", input: { query: "coat" } },
]);
console.log("Two calls at once:", shoes?.ok && shoes.content, coats?.ok && coats.content);
console.log(`Sessions left open: ${Session.open}`);
assert.equal(Session.open, 0);
