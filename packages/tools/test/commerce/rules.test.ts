import { createRegistry, type Registry } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { calculateDiscount, type Discount } from "../../src/commerce/discounts.ts";
import type { Item } from "../../src/commerce/items.ts";
import { formatMoney, shareOf } from "../../src/commerce/money.ts";
import { createShippingCalculator } from "../../src/commerce/shipping-calculator.ts";
import { joinSql, sql, type SqlRow, type SqlSession, toInteger, toText } from "../../src/operations/sql.ts";

const product = (id: string, priceMinor: number, category = "shoes"): Item["product"] => ({
  id,
  name: id,
  description: "",
  category,
  brand: "",
  priceMinor,
  currency: "EUR",
  weightGrams: 600,
});

/** A rule as the table holds it: ten per cent for everybody, unless it says otherwise. */
const rule = (id: string, more: SqlRow = {}): SqlRow => ({
  id,
  description: id,
  code: null,
  kind: "percent",
  value: 1_000,
  category: null,
  min_subtotal: 0,
  min_quantity: 0,
  max_amount: null,
  is_combinable: 0,
  starts_at: null,
  ends_at: null,
  ...more,
});

const now = 1_000;
const items: readonly Item[] = [
  { product: product("boots", 5_000), quantity: 1 },
  { product: product("tent", 20_000, "Camping"), quantity: 2 },
];

async function discountBy(rules: readonly SqlRow[], options: { code?: string; share?: number } = {}): Promise<Discount> {
  const settings = options.share === undefined ? [] : [{ max_discount_share: options.share }];
  const session: SqlSession = {
    organisation: "alpha",
    query: async ({ parts }) => (parts[0]!.includes("shop_discounts") ? rules : settings),
  };
  return calculateDiscount(session, items, options.code, now);
}

describe("a discount", () => {
  it("is a share or an amount of what it is meant for, and no more than that", async () => {
    expect(await discountBy([rule("all")])).toMatchObject({
      subtotal: 45_000,
      discount: 4_500,
      isCapped: false,
      applied: [{ amount: 4_500 }],
    });
    expect(await discountBy([rule("camping", { category: "camping" })])).toMatchObject({ discount: 4_000 });
    expect(await discountBy([rule("fixed", { kind: "amount", value: 700 })])).toMatchObject({ discount: 700 });
    expect(await discountBy([rule("boots", { kind: "amount", value: 9_000, category: "SHOES" })])).toMatchObject({ discount: 5_000 });
    expect((await discountBy([rule("capped", { max_amount: 100 })])).applied).toMatchObject([{ amount: 100, isCapped: true }]);
    expect((await discountBy([rule("exact", { max_amount: 4_500 })])).applied).toMatchObject([{ amount: 4_500, isCapped: false }]);
    expect(await discountBy([rule("nothing", { value: 0 })])).toMatchObject({ discount: 0, applied: [] });
  });

  it("is the better choice of those that exclude each other, and the sum of those that do not", async () => {
    const together = [rule("a", { is_combinable: 1, value: 300 }), rule("b", { is_combinable: 1, value: 200 })];
    const idsOf = async (rules: readonly SqlRow[]): Promise<readonly string[]> =>
      (await discountBy(rules)).applied.map((one) => one.rule.id);
    expect(await idsOf([...together, rule("small", { value: 400 })])).toEqual(["a", "b"]);
    expect(await idsOf([...together, rule("same", { value: 500 })])).toEqual(["same"]);
    expect(await idsOf([rule("less", { value: 600 }), rule("more", { value: 700 }), ...together])).toEqual(["more"]);
    expect(await idsOf([])).toEqual([]);
  });

  it("is limited by the shop, which is told", async () => {
    expect(await discountBy([rule("half", { value: 5_000 })], { share: 3_000 })).toMatchObject({ discount: 13_500, isCapped: true });
    expect(await discountBy([rule("third", { value: 3_000 })], { share: 3_000 })).toMatchObject({ discount: 13_500, isCapped: false });
    expect(await discountBy([rule("much", { value: 20_000 })])).toMatchObject({ discount: 45_000, isCapped: true });
    expect(await discountBy([rule("much", { value: 20_000 })], { share: 20_000 })).toMatchObject({ discount: 45_000 });
  });

  it.each<[string, SqlRow, string | undefined]>([
    ["begins now", { starts_at: now }, undefined],
    ["begins later", { starts_at: now + 1 }, "it has not begun yet"],
    ["ends later", { ends_at: now + 1 }, undefined],
    ["ends now", { ends_at: now }, "it has ended"],
    ["is for others", { category: "books" }, "it is for books only"],
    ["needs as much", { min_subtotal: 45_000 }, undefined],
    ["needs more", { min_subtotal: 45_001 }, "the order must be worth at least 45001 minor units"],
    ["needs as many", { min_quantity: 3 }, undefined],
    ["needs more pieces", { min_quantity: 4 }, "at least 4 pieces must be bought"],
    ["counts its own pieces", { min_quantity: 3, category: "Camping" }, "at least 3 pieces must be bought"],
  ])("of a code that %s holds or says why not", async (_, more, problem) => {
    const found = await discountBy([rule("own", { code: "X", ...more })], { code: " x " });
    expect(found.codeProblem).toBe(problem);
    expect(found.applied).toHaveLength(problem === undefined ? 1 : 0);
  });

  it("says that a code is unknown, or that another discount is better", async () => {
    expect((await discountBy([rule("all")], { code: "X" })).codeProblem).toBe("this shop has no such code");
    const better = [rule("own", { code: "X", value: 100 }), rule("all")];
    expect((await discountBy(better, { code: "X" })).codeProblem).toBe("another discount is better and excludes it");
    expect(await discountBy(better)).not.toHaveProperty("codeProblem");
    expect(await discountBy(better, { code: "  " })).not.toHaveProperty("codeProblem");
  });
});

describe("shipping", () => {
  const rate = (id: string, more: SqlRow = {}): SqlRow => ({
    id,
    name: id,
    country: "DE",
    base_minor: 400,
    per_kg_minor: 50,
    max_grams: 10_000,
    free_from_minor: null,
    min_days: 2,
    max_days: 4,
    ...more,
  });
  const row = { id: "p", name: "p", description: "", category: "", brand: "", price_minor: 1_000, currency: "EUR", weight_grams: 1_001 };

  async function shipped(rates: readonly SqlRow[], quantity = 1): Promise<unknown> {
    const session: SqlSession = {
      organisation: "alpha",
      query: async ({ parts }) => (parts[0]!.includes("shop_products") ? [row] : rates),
    };
    const registry: Registry = createRegistry();
    registry.register(createShippingCalculator({ session: async () => session, now: () => now } as never));
    const result = await registry.invoke("shipping_calculator", { items: [{ product_id: "p", quantity }], country: "de" });
    return result.ok ? result.data : result.error;
  }

  it("costs its base and each kilogram that was begun, the cheapest first", async () => {
    expect(await shipped([rate("b"), rate("a"), rate("cheap", { base_minor: 0 })])).toEqual({
      country: "DE",
      weight_grams: 1_001,
      options: [
        { id: "cheap", name: "cheap", price_minor: 100, currency: "EUR", price: "EUR 1.00", min_days: 2, max_days: 4 },
        expect.objectContaining({ id: "a", price_minor: 500 }),
        expect.objectContaining({ id: "b", price_minor: 500 }),
      ],
    });
  });

  it("is free from a price on, and is offered up to a weight", async () => {
    expect(await shipped([rate("free", { free_from_minor: 1_000 })])).toMatchObject({ options: [{ price_minor: 0 }] });
    expect(await shipped([rate("dear", { free_from_minor: 1_001 })])).toMatchObject({ options: [{ price_minor: 500 }] });
    expect(await shipped([rate("light", { max_grams: 1_001 })])).toMatchObject({ options: [{ id: "light" }] });
    expect(await shipped([rate("light", { max_grams: 1_000 })])).toContain("1001 g are too heavy for every way to DE.");
  });

  it("takes the rates of the country, and those for all only where it has none", async () => {
    const world = rate("world", { country: "*" });
    expect(await shipped([world, rate("own")])).toMatchObject({ options: [{ id: "own" }] });
    expect(await shipped([world])).toMatchObject({ options: [{ id: "world" }] });
    expect(await shipped([])).toContain("This shop does not ship to DE.");
  });
});

describe("money", () => {
  it.each([
    [7_990, "EUR", "EUR 79.90"],
    [5, "EUR", "EUR 0.05"],
    [0, "EUR", "EUR 0.00"],
    [-105, "EUR", "EUR -1.05"],
    [500, "JPY", "JPY 500"],
    [1_234, "KWD", "KWD 1.234"],
    [100, "not a currency", "not a currency 1.00"],
  ])("%d %s is shown as %s", (minor, currency, shown) => {
    expect(formatMoney(minor, currency)).toBe(shown);
  });

  it("is shared in whole minor units, rounded down, however large it is", () => {
    expect([shareOf(999, 1_500), shareOf(1, 9_999), shareOf(9_007_199_254_740_991, 10_000)]).toEqual([149, 0, 9_007_199_254_740_991]);
  });
});

describe("a statement", () => {
  it("has its values beside its text, also those of statements inside of it", () => {
    const inner = sql`a = ${1} or b = ${"x"}`;
    expect(sql`select * from t where (${inner}) and c = ${null}`).toEqual({
      parts: ["select * from t where (a = ", " or b = ", ") and c = ", ""],
      values: [1, "x", null],
    });
    expect(joinSql([sql`${1}`, sql`${2}`], ", ")).toEqual({ parts: ["", ", ", ""], values: [1, 2] });
    expect(joinSql([], " and ")).toEqual({ parts: [""], values: [] });
  });

  it("gives whole numbers and texts, whatever the driver makes of them", () => {
    expect([toInteger(5), toInteger("6"), toInteger(7n)]).toEqual([5, 6, 7]);
    for (const wrong of [1.5, "x", null, undefined, "9007199254740993"])
      expect(() => toInteger(wrong)).toThrow("where a whole number belongs");
    expect([toText("a"), toText(null), toText(undefined), toText(5)]).toEqual(["a", "", "", "5"]);
  });
});
