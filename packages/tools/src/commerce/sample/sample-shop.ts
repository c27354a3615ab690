import { sql, type SqlSession, type SqlStatement } from "../../operations/sql.ts";
import type { Product } from "../products.ts";
import { insertProducts, insertRows } from "../save-product.ts";
import { createShopTables } from "../tables.ts";
import { sampleProducts } from "./catalog.ts";
import { createSequence, pick } from "./random.ts";

export interface SampleShopOptions {
  /** @default 300 */
  readonly products?: number;
  /** Seed of the sample data. @default 1 */
  readonly seed?: number;
  /** When the shop's orders and reviews were made, in milliseconds since 1970. @default 1_767_225_600_000, which is 2026 */
  readonly now?: number;
}

/**
 * Makes the tables where they are missing and fills the session's organisation with a shop to try things on; what the organisation had
 * before is removed.
 */
export async function fillSampleShop(session: SqlSession, options: SampleShopOptions = {}): Promise<void> {
  const { products: count = 300, seed = 1, now = Date.UTC(2026, 0, 1) } = options;
  await createShopTables(session);
  for (const table of emptied)
    await session.query(sql`delete from ${{ parts: [table], values: [] }} where organisation = ${session.organisation}`);
  const products = sampleProducts(count, seed);
  await insertProducts(session, products);
  const next = createSequence(seed + 1);
  await fillStock(session, products, next);
  await fillReviews(session, products, next, now);
  if (products.length > 0) await fillOrders(session, products, next, now);
  await fillRules(session);
}

const emptied = [
  "shop_settings",
  "shop_products",
  "shop_words",
  "shop_stock",
  "shop_discounts",
  "shop_shipping_rates",
  "shop_reviews",
  "shop_orders",
  "shop_order_items",
  "shop_payment_links",
] as const;

async function fillStock(session: SqlSession, products: readonly Product[], next: () => number): Promise<void> {
  const rows = products.flatMap(({ id }) =>
    ["Bremen", "Graz"].map((location) => {
      const quantity = Math.max(0, Math.floor(next() * 60) - 8);
      return sql`(${session.organisation}, ${id}, ${location}, ${quantity}, ${Math.min(quantity, Math.floor(next() * 4))})`;
    }),
  );
  await insertRows(session, sql`insert into shop_stock (organisation, product_id, location, quantity, reserved) values `, rows);
}

const opinions: readonly (readonly [rating: number, title: string, body: string])[] = [
  [5, "Better than hoped", "Used it for a month, every day. Would buy it again."],
  [5, "Just right", "Fits, holds, and looks good."],
  [4, "Good, with one wish", "Does what it should. A second pocket would be nice."],
  [4, "Solid", "Well made, a little heavier than it says."],
  [3, "It is fine", "Nothing special, nothing wrong."],
  [2, "Not for me", "The size did not fit and the colour is another one."],
  [1, "Came broken", "A seam was open. The exchange was quick, though."],
];

async function fillReviews(session: SqlSession, products: readonly Product[], next: () => number, now: number): Promise<void> {
  const authors = ["Ada", "Bela", "Chidi", "Dora", "Emil", "Fatima", "Goran", "Hedda"];
  const rows = products.flatMap(({ id }, index) =>
    Array.from({ length: index === 0 ? 6 : Math.floor(next() * 6) }, (_, number) => {
      const [rating, title, body] = pick(opinions, next);
      const writtenAt = now - Math.floor(next() * 300) * day;
      return sql`(${session.organisation}, ${`rev-${id}-${number}`}, ${id}, ${rating}, ${title}, ${body}, ${pick(authors, next)}, ${writtenAt})`;
    }),
  );
  await insertRows(
    session,
    sql`insert into shop_reviews (organisation, id, product_id, rating, title, body, author, written_at) values `,
    rows,
  );
}

const day = 86_400_000;

async function fillOrders(session: SqlSession, products: readonly Product[], next: () => number, now: number): Promise<void> {
  const { organisation } = session;
  const customers = ["ada@example.com", "bela@example.com", "chidi@example.com", "dora@example.com"];
  const states = ["shipped", "placed", "paid", "packed", "delivered", "cancelled"];
  const orders: SqlStatement[] = [];
  const items: SqlStatement[] = [];
  for (let index = 0; index < 24; index++) {
    const id = `ord-${1001 + index}`;
    const status = states[index % states.length]!;
    const bought = new Map([0, 1].map(() => pick(products, next)).map((product) => [product.id, product]));
    let total = 0;
    for (const product of bought.values()) {
      const quantity = 1 + Math.floor(next() * 2);
      total += quantity * product.priceMinor;
      items.push(sql`(${organisation}, ${id}, ${product.id}, ${product.name}, ${quantity}, ${product.priceMinor})`);
    }
    const isSent = status === "shipped" || status === "delivered";
    const placedAt = now - (1 + Math.floor(next() * 20)) * day;
    orders.push(
      sql`(${organisation}, ${id}, ${customers[index % customers.length]!}, ${status}, ${total}, ${"EUR"}, ${placedAt}, ${isSent ? "Fleetpost" : null}, ${isSent ? `FP${70_000 + index}` : null}, ${isSent ? placedAt + 6 * day : null})`,
    );
  }
  await insertRows(
    session,
    sql`insert into shop_orders (organisation, id, customer_email, status, total_minor, currency, placed_at, carrier, tracking_number, expected_at) values `,
    orders,
  );
  await insertRows(
    session,
    sql`insert into shop_order_items (organisation, order_id, product_id, name, quantity, price_minor) values `,
    items,
  );
}

async function fillRules(session: SqlSession): Promise<void> {
  const { organisation } = session;
  await session.query(sql`insert into shop_settings (organisation, max_discount_share) values (${organisation}, 3000)`);
  await insertRows(
    session,
    sql`insert into shop_discounts (organisation, id, code, description, kind, value, category, min_subtotal, min_quantity, max_amount, is_combinable, starts_at, ends_at) values `,
    [
      sql`(${organisation}, 'welcome', 'WELCOME10', '10 % for new customers, at most 20.00', 'percent', 1000, null, 0, 1, 2000, 1, null, null)`,
      sql`(${organisation}, 'three-socks', null, '15 % on three pieces of clothing', 'percent', 1500, 'clothing', 0, 3, null, 1, null, null)`,
      sql`(${organisation}, 'large-order', null, '25.00 off from 300.00', 'amount', 2500, null, 30000, 1, null, 1, null, null)`,
      sql`(${organisation}, 'friends', 'FRIENDS50', '50 %, not with others', 'percent', 5000, null, 0, 1, null, 0, null, null)`,
      sql`(${organisation}, 'past', 'SUMMER25', '20 % in the summer of 2025', 'percent', 2000, null, 0, 1, null, 1, ${Date.UTC(2025, 5, 1)}, ${Date.UTC(2025, 8, 1)})`,
    ],
  );
  await insertRows(
    session,
    sql`insert into shop_shipping_rates (organisation, id, country, name, base_minor, per_kg_minor, free_from_minor, max_grams, min_days, max_days) values `,
    [
      sql`(${organisation}, 'standard', 'DE', 'Standard', 390, 50, 10000, 31500, 2, 3)`,
      sql`(${organisation}, 'express', 'DE', 'Express', 990, 150, null, 20000, 1, 1)`,
      sql`(${organisation}, 'standard', 'AT', 'Standard', 690, 80, 15000, 31500, 3, 4)`,
      sql`(${organisation}, 'world', '*', 'World', 1990, 900, null, 20000, 7, 14)`,
    ],
  );
}
