import { createHash } from "node:crypto";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, it } from "vitest";
import { createSqliteSession, fillSampleShop } from "../../src/index.ts";

type Database = InstanceType<typeof DatabaseSync>;

const tables = [
  "settings",
  "products",
  "words",
  "stock",
  "discounts",
  "shipping_rates",
  "reviews",
  "orders",
  "order_items",
  "payment_links",
];

async function fill(options?: Parameters<typeof fillSampleShop>[1], times = 1): Promise<Database> {
  const database = new DatabaseSync(":memory:");
  for (let count = 0; count < times; count++) await fillSampleShop(createSqliteSession(database, "alpha"), options);
  return database;
}

const rowsOf = (database: Database, table: string): Readonly<Record<string, unknown>>[] =>
  database.prepare(`select * from shop_${table}`).all() as Record<string, unknown>[];

const digestOf = (database: Database): string => {
  const lines = tables.flatMap((table) => rowsOf(database, table).map((row) => `${table} ${JSON.stringify(row)}`));
  return createHash("sha256").update(lines.toSorted().join("\n")).digest("hex").slice(0, 16);
};

describe("the sample shop", () => {
  it("is the same wherever it is made, so that examples and measurements agree", async () => {
    expect(digestOf(await fill())).toMatchInlineSnapshot(`"34488d3deee2d16d"`);
    expect(digestOf(await fill({ products: 40, seed: 7, now: 1_000_000_000_000 }))).toMatchInlineSnapshot(`"8585ba60d313cedd"`);
  });

  it("is made anew where it was made before, and is another one for another seed", async () => {
    const once = digestOf(await fill({ products: 30 }));
    expect(digestOf(await fill({ products: 30 }, 2))).toBe(once);
    expect(digestOf(await fill({ products: 30, seed: 2 }))).not.toBe(once);
  });

  it("has as many products as it is asked for, each with stock in two places, and orders of all states", async () => {
    const database = await fill({ products: 40 });
    expect(rowsOf(database, "products")).toHaveLength(40);
    expect(rowsOf(database, "stock")).toHaveLength(80);
    for (const { quantity, reserved } of rowsOf(database, "stock")) expect(Number(reserved)).toBeLessThanOrEqual(Number(quantity));
    const orders = rowsOf(database, "orders");
    expect(new Set(orders.map(({ status }) => status)).size).toBe(6);
    for (const { status, carrier } of orders) expect(carrier !== null).toBe(status === "shipped" || status === "delivered");
    expect((await fill({ products: 0 }).then((empty) => rowsOf(empty, "orders"))).length).toBe(0);
  });
});
