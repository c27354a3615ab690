import { defineTool, type ToolDefinition } from "@toolrack/core";
import { fuse } from "../operations/fuse.ts";
import { joinSql, sql, type SqlSession, type SqlStatement } from "../operations/sql.ts";
import { queryStems } from "../operations/words.ts";
import type { CommerceOperations } from "./operations.ts";
import { createProductsByMeaning } from "./products-by-meaning.ts";
import { isText, type Product, readProduct, showProduct, shownProductSchema, storable } from "./products.ts";

export function createProductLookup(operations: CommerceOperations, secrets: readonly string[] = []): ToolDefinition {
  const byMeaning = operations.embed === undefined ? undefined : createProductsByMeaning(operations.embed);
  return defineTool({
    name: "product_lookup",
    title: "Look up products",
    description: "Searches the product catalog by name, description, brand or category, with filters for price and category.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 300, description: "Search terms, for example: running shoes." },
        category: { type: "string", minLength: 1, maxLength: 100, description: "Only products of this category." },
        min_price: { type: "integer", minimum: 0, maximum: 1e12, description: "Lowest price in minor units: 5000 is 50.00." },
        max_price: { type: "integer", minimum: 0, maximum: 1e12, description: "Highest price in minor units: 10000 is 100.00." },
        limit: { type: "integer", minimum: 1, maximum: 50, default: 5, description: "At most this many products." },
      },
      required: ["query"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        products: { type: "array", items: shownProductSchema, description: "The best match first." },
        count: { type: "integer", description: "How many products are listed." },
      },
      required: ["products", "count"],
    },
    metadata: {
      category: "commerce",
      optionality: "required",
      usageHint: "Use to find the product ids that the other shop tools take as input.",
      examples: [
        {
          description: "Running shoes for at most 100.00",
          input: { query: "running shoes", max_price: 10_000, limit: 2 },
          usage: "result.products[0].id",
        },
        { description: "Everything for rain in one category", input: { query: "rain", category: "jackets" }, usage: "result.count" },
      ],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 10_000, maxResultBytes: 262_144 },
      groups: ["commerce"],
      tags: ["shop"],
      ...(secrets.length > 0 && { secrets }),
      aliases: { maxPrice: "max_price", minPrice: "min_price" },
    },
    async handler({ query, category, min_price, max_price, limit }, context) {
      const session = await operations.session(context);
      const stems = queryStems(storable(query), maxStems);
      const filters = [
        sql`p.organisation = ${session.organisation}`,
        sql`p.is_active = 1`,
        ...(category === undefined ? [] : [sql`(${isText(sql`p.category`, category)})`]),
        ...(min_price === undefined ? [] : [sql`p.price_minor >= ${min_price}`]),
        ...(max_price === undefined ? [] : [sql`p.price_minor <= ${max_price}`]),
      ];
      const conditions = joinSql(filters, " and ");
      const words = await findByWords(session, stems, conditions, byMeaning === undefined ? limit : mostRanked);
      const found = byMeaning === undefined ? words : join(words, await byMeaning({ query, session, conditions, context })).slice(0, limit);
      const products = found.map(showProduct);
      return { products, count: products.length };
    },
  });
}

const maxStems = 8;
/** How many products each of two orders gives to the joined one. */
const mostRanked = 50;

/** Whole words first; a query of which no whole word is in the catalog may hold the beginnings of some. */
async function findByWords(
  session: SqlSession,
  stems: readonly string[],
  conditions: SqlStatement,
  limit: number,
): Promise<readonly Product[]> {
  for (const matching of stems.length === 0 ? [] : ([wholeWord, beginning] as const)) {
    const rows = await session.query(searchOf(session, stems.map(matching), conditions, limit));
    if (rows.length > 0) return rows.map(readProduct);
  }
  return [];
}

/** One order of two: what is near the top of both comes first. */
function join(words: readonly Product[], meaning: readonly Product[]): readonly Product[] {
  const products = new Map([...words, ...meaning].map((product) => [product.id, product]));
  const orders = [words, meaning].map((order) => order.map(({ id }, place) => ({ item: id, score: -place })));
  return fuse(orders).map(({ item }) => products.get(item)!);
}

const wholeWord = (stem: string): SqlStatement => sql`word = ${stem}`;
/** Stems hold letters and digits only, so nothing in them is a wildcard. */
const beginning = (stem: string): SqlStatement => sql`word like ${`${stem}%`}`;

/** Products with most of the words, then those where they weigh most; names and ids settle the rest, so that answers are stable. */
function searchOf(session: SqlSession, terms: readonly SqlStatement[], filters: SqlStatement, limit: number): SqlStatement {
  const perTerm = terms.map(
    (term) =>
      sql`select product_id, max(weight) as weight from shop_words where organisation = ${session.organisation} and ${term} group by product_id`,
  );
  return sql`select p.* from shop_products p join (select product_id, count(*) as terms, sum(weight) as weight from (${joinSql(perTerm, " union all ")}) found group by product_id) best on best.product_id = p.id where ${filters} order by best.terms desc, best.weight desc, p.name, p.id limit ${limit}`;
}
