import { ToolInputError } from "@toolrack/core";
import { sql, type SqlRow, type SqlSession, type SqlStatement, toInteger, toText } from "../operations/sql.ts";
import { formatMoney } from "./money.ts";

/** A product as the tables hold it. */
export interface Product {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly brand: string;
  /** In minor units: 7990 is 79.90. */
  readonly priceMinor: number;
  readonly currency: string;
  readonly weightGrams: number;
}

/** A product as models are shown it. */
export interface ShownProduct {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly brand: string;
  readonly price_minor: number;
  readonly currency: string;
  readonly price: string;
}

export const shownProductSchema = {
  type: "object",
  properties: {
    id: { type: "string" },
    name: { type: "string" },
    description: { type: "string" },
    category: { type: "string" },
    brand: { type: "string" },
    price_minor: { type: "integer", description: "In minor units: 7990 is 79.90." },
    currency: { type: "string" },
    price: { type: "string", description: "The same for people: EUR 79.90." },
  },
  required: ["id", "name", "description", "category", "brand", "price_minor", "currency", "price"],
} as const;

export const productIdSchema = {
  type: "string",
  minLength: 1,
  maxLength: 100,
  description: "The id of a product, as product_lookup gives it.",
} as const;

export function readProduct(row: SqlRow): Product {
  return {
    id: toText(row["id"]),
    name: toText(row["name"]),
    description: toText(row["description"]),
    category: toText(row["category"]),
    brand: toText(row["brand"]),
    priceMinor: toInteger(row["price_minor"]),
    currency: toText(row["currency"]),
    weightGrams: toInteger(row["weight_grams"]),
  };
}

export function showProduct({ id, name, description, category, brand, priceMinor, currency }: Product): ShownProduct {
  return { id, name, description, category, brand, price_minor: priceMinor, currency, price: formatMoney(priceMinor, currency) };
}

/** A product that is on sale, or an answer that says where ids come from. */
export async function findProduct(session: SqlSession, id: string): Promise<Product> {
  const [row] = await session.query(
    sql`select * from shop_products where organisation = ${session.organisation} and id = ${storable(id)} and is_active = 1`,
  );
  if (row !== undefined) return readProduct(row);
  throw new ToolInputError(`There is no product "${id}" in this shop. Use an id from product_lookup.`);
}

/** Whether a column holds a text, capitals or not. Databases lower other letters than ASCII in different ways, so the text as it is counts, too. */
export function isText(column: SqlStatement, text: string): SqlStatement {
  const wanted = storable(text);
  return sql`${column} = ${wanted} or lower(${column}) = ${wanted.toLowerCase()}`;
}

/** PostgreSQL stores no NUL in a text, so a query with one finds nothing. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}
