import { defineTool, type ToolDefinition } from "@toolrack/core";
import { joinSql, sql, toInteger, toText } from "../operations/sql.ts";
import type { CommerceOperations } from "./operations.ts";
import { findProduct, productIdSchema, readProduct, showProduct, shownProductSchema } from "./products.ts";

export function createSimilarProducts(operations: CommerceOperations): ToolDefinition {
  return defineTool({
    name: "similar_products",
    title: "Find similar products",
    description: "Finds products like a given one: with words in common, of the same category first, then those with the nearest price.",
    inputSchema: {
      type: "object",
      properties: {
        product_id: productIdSchema,
        max_price: { type: "integer", minimum: 0, maximum: 1e12, description: "Highest price in minor units: 10000 is 100.00." },
        in_stock: { type: "boolean", default: false, description: "Only products that can be sold now." },
        limit: { type: "integer", minimum: 1, maximum: 20, default: 5, description: "At most this many products." },
      },
      required: ["product_id"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        product_id: { type: "string" },
        products: { type: "array", items: shownProductSchema, description: "The most similar first." },
        count: { type: "integer" },
      },
      required: ["product_id", "products", "count"],
    },
    metadata: {
      category: "commerce",
      optionality: "optional",
      usageHint: "When a product is sold out, too dear, or the customer wants to see others.",
      examples: [{ description: "Three others", input: { product_id: "prd-0001", limit: 3 }, usage: "result.products[0].id" }],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 10_000, maxResultBytes: 131_072 },
      groups: ["commerce"],
      tags: ["shop"],
    },
    async handler({ product_id, max_price, in_stock, limit }, context) {
      const session = await operations.session(context);
      const { organisation } = session;
      const { id, category, priceMinor } = await findProduct(session, product_id);
      const words = await session.query(
        sql`select word, weight from shop_words where organisation = ${organisation} and product_id = ${id} order by weight desc, word limit ${maxWords}`,
      );
      // Each word is looked up by itself: that uses the index, whatever statistics the database has about its tables.
      const shared = words.map(({ word, weight }) => {
        const own = toInteger(weight);
        return sql`select product_id, case when weight < ${own} then weight else ${own} end as weight from shop_words where organisation = ${organisation} and word = ${toText(word)}`;
      });
      if (shared.length === 0) return { product_id: id, products: [], count: 0 };
      const stock = sql`and exists (select 1 from shop_stock s where s.organisation = ${organisation} and s.product_id = p.id and s.quantity > s.reserved)`;
      const price = max_price === undefined ? sql`` : sql`and p.price_minor <= ${max_price}`;
      const rows = await session.query(
        sql`select p.* from shop_products p
          join (select product_id, sum(weight) as likeness from (${joinSql(shared, " union all ")}) found group by product_id) near on near.product_id = p.id
          where p.organisation = ${organisation} and p.is_active = 1 and p.id <> ${id} ${price} ${in_stock ? stock : sql``}
          order by case when p.category = ${category} then 0 else 1 end, near.likeness desc, abs(p.price_minor - ${priceMinor}), p.id
          limit ${limit}`,
      );
      const products = rows.map((row) => showProduct(readProduct(row)));
      return { product_id: id, products, count: products.length };
    },
  });
}

/** Those that weigh most say what a product is; the rest of a long description says little. */
const maxWords = 30;
