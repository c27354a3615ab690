import { createHash } from "node:crypto";
import type { CallContext } from "@toolrack/core";
import { type Embed, likeness } from "../operations/embed.ts";
import { sql, type SqlSession, type SqlStatement } from "../operations/sql.ts";
import { type Product, readProduct } from "./products.ts";

export interface MeaningRequest {
  readonly query: string;
  readonly session: SqlSession;
  /** Which products may be found. */
  readonly conditions: SqlStatement;
  readonly context: CallContext;
}

/**
 * Finds products that mean what a query says, the nearest first. Of a larger catalog, the first 2,000 products that the conditions allow are
 * compared. The vector of a text is kept and not asked for again; a thousand new ones are asked for in one search, the rest in the next.
 */
export function createProductsByMeaning(embed: Embed): (request: MeaningRequest) => Promise<readonly Product[]> {
  /** By a hash of the text that they belong to, so that they fit every shop; the oldest go first. */
  const vectors = new Map<string, Float32Array>();

  return async ({ query, session, conditions, context }) => {
    const rows = await session.query(sql`select p.* from shop_products p where ${conditions} order by p.id limit ${maxCompared}`);
    const products = rows.map((row) => {
      const product = readProduct(row);
      return { product, text: textOf(product), key: hashOf(textOf(product)) };
    });
    if (products.length === 0) return [];
    const fresh = [...new Map(products.filter(({ key }) => !vectors.has(key)).map(({ key, text }) => [key, text]))].slice(0, maxFresh);
    const [asked, ...made] = await embed([query, ...fresh.map(([, text]) => text)], context);
    fresh.forEach(([key], position) => vectors.set(key, Float32Array.from(made[position]!)));
    const ranked = products
      .map(({ product, key }) => ({ product, score: likeness(asked!, vectors.get(key) ?? []) }))
      .filter(({ score }) => score >= leastLikeness)
      .sort((a, b) => b.score - a.score || (a.product.id < b.product.id ? -1 : 1))
      .slice(0, mostFound)
      .map(({ product }) => product);
    for (const key of vectors.keys()) {
      if (vectors.size <= maxKept) break;
      vectors.delete(key);
    }
    return ranked;
  };
}

const maxCompared = 2_000;
const maxFresh = 1_000;
const maxKept = 5_000;
const maxText = 4_000;
const mostFound = 50;
const leastLikeness = 0.3;

function textOf({ name, description, category, brand }: Product): string {
  return `${name}\n${category}, ${brand}\n${description}`.slice(0, maxText);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
