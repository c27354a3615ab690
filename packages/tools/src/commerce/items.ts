import { ToolInputError } from "@toolrack/core";
import { sql, joinSql, type SqlSession } from "../operations/sql.ts";
import { type Product, readProduct, storable } from "./products.ts";

/** The items of a purchase, as tools receive them. */
export const itemsSchema = {
  type: "array",
  description: "The items to buy.",
  minItems: 1,
  maxItems: 50,
  items: {
    type: "object",
    properties: {
      product_id: { type: "string", minLength: 1, maxLength: 100, description: "The id of a product, as product_lookup gives it." },
      quantity: { type: "integer", minimum: 1, maximum: 1_000, default: 1, description: "How many." },
    },
    required: ["product_id"],
    additionalProperties: false,
  },
} as const;

export interface Item {
  readonly product: Product;
  readonly quantity: number;
}

/** The products with their quantities; lines of one product become one. All must be on sale, and in one currency. */
export async function readItems(
  session: SqlSession,
  lines: readonly { readonly product_id: string; readonly quantity: number }[],
): Promise<readonly Item[]> {
  const quantities = new Map<string, number>();
  for (const { product_id, quantity } of lines) quantities.set(product_id, (quantities.get(product_id) ?? 0) + quantity);
  const ids = joinSql(
    [...quantities.keys()].map((id) => sql`${storable(id)}`),
    ", ",
  );
  const rows = await session.query(
    sql`select * from shop_products where organisation = ${session.organisation} and is_active = 1 and id in (${ids})`,
  );
  const products = new Map(rows.map((row) => [String(row["id"]), readProduct(row)]));
  const items = [...quantities].map(([id, quantity]) => {
    const product = products.get(id);
    if (product === undefined) throw new ToolInputError(`There is no product "${id}" in this shop. Use an id from product_lookup.`);
    return { product, quantity };
  });
  const other = items.find((item) => item.product.currency !== items[0]!.product.currency);
  if (other !== undefined)
    throw new ToolInputError(
      `"${other.product.id}" is sold in ${other.product.currency}, others in ${items[0]!.product.currency}. Ask for them apart.`,
    );
  return items;
}

export function subtotalOf(items: readonly Item[]): number {
  return items.reduce((sum, { product, quantity }) => sum + product.priceMinor * quantity, 0);
}
