import { joinSql, sql, type SqlSession, type SqlStatement } from "../operations/sql.ts";
import { readWords } from "../operations/words.ts";
import { type Product, storable } from "./products.ts";

/** Adds a product to the catalog of the session's organisation, or replaces the one with its id, and makes its words searchable. */
export async function saveProduct(session: SqlSession, product: Product): Promise<void> {
  const { organisation } = session;
  await session.query(sql`delete from shop_words where organisation = ${organisation} and product_id = ${product.id}`);
  await session.query(sql`delete from shop_products where organisation = ${organisation} and id = ${product.id}`);
  await insertProducts(session, [product]);
}

/** Adds products that are not there yet, many at once. */
export async function insertProducts(session: SqlSession, products: readonly Product[]): Promise<void> {
  const { organisation } = session;
  const rows = products.map(
    ({ id, name, description, category, brand, priceMinor, currency, weightGrams }) =>
      sql`(${organisation}, ${id}, ${storable(name)}, ${storable(description)}, ${category}, ${brand}, ${priceMinor}, ${currency}, ${weightGrams}, 1)`,
  );
  await insertRows(
    session,
    sql`insert into shop_products (organisation, id, name, description, category, brand, price_minor, currency, weight_grams, is_active) values `,
    rows,
  );
  const words = products.flatMap((product) =>
    [...weightsOf(product)].map(([word, weight]) => sql`(${organisation}, ${word}, ${product.id}, ${weight})`),
  );
  await insertRows(session, sql`insert into shop_words (organisation, word, product_id, weight) values `, words);
}

/** As many rows to a statement as both engines take. */
export async function insertRows(session: SqlSession, start: SqlStatement, rows: readonly SqlStatement[]): Promise<void> {
  for (let from = 0; from < rows.length; from += batch) {
    await session.query(sql`${start}${joinSql(rows.slice(from, from + batch), ", ")}`);
  }
}

const batch = 50;

/** A word in the name says more about a product than one in its description. */
function weightsOf({ name, category, brand, description }: Product): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const [text, weight] of [
    [name, 8],
    [category, 4],
    [brand, 4],
    [description, 1],
  ] as const) {
    for (const { stem, isTelling } of readWords(storable(text))) {
      if (isTelling) weights.set(stem, Math.max(weight, weights.get(stem) ?? 0));
    }
  }
  return weights;
}
