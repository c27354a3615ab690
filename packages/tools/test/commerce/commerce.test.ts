import { createMemoryConfig, createMemorySecrets, createRegistry, type Registry, type ToolResult, toStructured } from "@toolrack/core";
import { findTool } from "@toolrack/core/array";
import { lintTools } from "@toolrack/core/lint";
import { createCapabilities } from "@toolrack/core/node";
import { assertTool, findDrift } from "@toolrack/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCommerceTools, fillSampleShop, type Product, saveProduct, type SqlSession } from "../../src/index.ts";
import { startStripe, type StripeServer } from "../_servers/stripe.ts";
import { engines, type TestDatabase } from "./_databases.ts";

const capabilities = createCapabilities({ overrides: { network: true } });

type Data = Record<string, any>;

const giant: Product = {
  id: "prd-big",
  name: "Giant boots",
  description: "",
  category: "Übergrößen",
  brand: "Corvia",
  priceMinor: 5_000,
  currency: "EUR",
  weightGrams: 2_000,
};

const dataOf = (result: ToolResult): Data => {
  expect(result.ok ? "" : result.error).toBe("");
  return (result as { data: Data }).data;
};
const errorOf = (result: ToolResult): string => (result.ok ? "" : `${result.code}: ${result.error}`);

describe.each(Object.entries(engines))("the tools of a shop on %s", (_engine, open) => {
  let database: TestDatabase;
  let stripe: StripeServer;
  let session: SqlSession;
  let registry: Registry;
  const call = async (name: string, input: unknown): Promise<Data> => dataOf(await registry.invoke(name, input));

  const options = (): object => ({
    services: () => session,
    capabilities,
    secrets: createMemorySecrets({ "stripe-api-key": "sk_test_abcdef" }),
    config: createMemoryConfig({ payment_link: { successUrl: "https://shop.example.com/thanks", baseUrl: stripe.url } }),
  });

  beforeAll(async () => {
    database = await open();
    stripe = await startStripe();
    session = database.session("alpha");
    await fillSampleShop(session);
    registry = createRegistry(options());
    for (const tool of createCommerceTools()) registry.register(tool);
  });
  afterAll(async () => {
    await stripe?.[Symbol.asyncDispose]();
    await database?.close();
  });

  it("each pass the test kit, their examples run, and lint has nothing to warn of", async () => {
    for (const tool of createCommerceTools()) {
      await assertTool(tool, options());
      expect(await findDrift(tool, options()), tool.name).toMatchObject({ ok: true });
    }
    expect(lintTools(createCommerceTools()).filter((finding) => finding.severity !== "info")).toEqual([]);
  });

  it("find products when the tool itself is run", async () => {
    const tool = findTool(createCommerceTools(), "product_lookup")!;
    const own = createRegistry(options());
    own.register(tool);
    const result = toStructured(await own.invoke("product_lookup", { query: "running shoes" }));
    expect(result.success).toBe(true);
    expect((result.data as Data)["products"].length).toBeGreaterThan(0);
  });

  it("find products through a registry", async () => {
    const result = toStructured(await registry.invoke("product_lookup", { query: "shoes" }));
    expect(result.success).toBe(true);
    expect(result.execution_time_ms).toBeGreaterThanOrEqual(0);
  });

  it("list those products first that have all the words, five unless told otherwise", async () => {
    const { products, count } = await call("product_lookup", { query: "the RUNNING shoe" });
    expect(count).toBe(5);
    for (const product of products) expect(product.name).toMatch(/running shoes/);
    expect((await call("product_lookup", { query: "shoes", limit: 12 })).count).toBe(12);
    expect((await call("product_lookup", { query: "zeppelin" })).products).toEqual([]);
    expect((await call("product_lookup", { query: "?!" })).products).toEqual([]);
  });

  it("find words by their beginning where no whole word fits", async () => {
    const { products } = await call("product_lookup", { query: "lanter" });
    expect(products[0].name).toMatch(/lantern/);
  });

  // row: J11
  it("keep to the price and the category asked for", async () => {
    const { products } = await call("product_lookup", { query: "running shoes", min_price: 6_000, max_price: 8_000, limit: 50 });
    expect(products.length).toBeGreaterThan(0);
    for (const product of products) {
      expect(product.price_minor).toBeGreaterThanOrEqual(6_000);
      expect(product.price_minor).toBeLessThanOrEqual(8_000);
    }
    const shoes = await call("product_lookup", { query: "running", category: "SHOES", limit: 50 });
    expect(new Set(shoes.products.map((product: Data) => product["category"]))).toEqual(new Set(["shoes"]));
    await saveProduct(session, { ...giant, id: "prd-big" });
    for (const category of ["Übergrößen", "ÜBERGRÖSSEN"]) {
      const { count } = await call("product_lookup", { query: "giant", category });
      expect([category, count]).toEqual([category, category === giant.category ? 1 : 0]);
    }
    const [first] = products;
    expect(first.price).toBe(`EUR ${(first.price_minor / 100).toFixed(2)}`);
  });

  // row: J11
  it("calculate discounts in whole minor units, capped by the rule and by the shop", async () => {
    const { products } = await call("product_lookup", { query: "tent", min_price: 20_100, max_price: 29_900 });
    const items = [{ product_id: products[0].id }]; // its tenth is more than the rule gives
    const tent = await call("discount_calculator", { items, code: "welcome10" });
    expect(tent).toMatchObject({ discount_minor: 2_000, capped: false, applied: [{ rule: "welcome", capped: true }] });
    expect(tent.total_minor).toBe(tent.subtotal_minor - 2_000);
    const half = await call("discount_calculator", { items, code: "FRIENDS50" });
    expect(half.capped).toBe(true);
    expect(half.discount_minor).toBe(Math.floor((half.subtotal_minor * 3_000) / 10_000));
    const socks = await call("discount_calculator", { items: [{ product_id: "prd-0009", quantity: 2 }, { product_id: "prd-0009" }] });
    expect(socks.discount_minor).toBe(Math.floor((socks.subtotal_minor * 1_500) / 10_000));
    for (const amount of Object.values({ ...tent, ...half, ...socks }).filter((value) => typeof value === "number"))
      expect(Number.isSafeInteger(amount)).toBe(true);
  });

  it("say why a code gives nothing", async () => {
    const items = [{ product_id: "prd-0001" }];
    expect(await call("discount_calculator", { items, code: "SUMMER25" })).toMatchObject({
      discount_minor: 0,
      code_problem: "it has ended",
    });
    expect(await call("discount_calculator", { items, code: "nonsense" })).toMatchObject({ code_problem: "this shop has no such code" });
  });

  it("count only what nobody has reserved", async () => {
    const { available, locations, enough } = await call("inventory_check", { product_id: "prd-0001", quantity: 1 });
    expect(available).toBe(locations.reduce((sum: number, place: Data) => sum + place["available"], 0));
    expect(enough).toBe(available >= 1);
    expect((await call("inventory_check", { product_id: "prd-0001", quantity: 1_000_000 })).enough).toBe(false);
    expect((await call("inventory_check", { product_id: "prd-0001", location: "graz" })).locations).toHaveLength(1);
  });

  // row: J12
  it("work out shipping by weight, country and worth of the order", async () => {
    const cheap = await call("shipping_calculator", { items: [{ product_id: "prd-0009" }], country: "de" });
    expect(cheap.options.map((option: Data) => [option["id"], option["price_minor"]])).toEqual([
      ["standard", 440],
      ["express", 1_140],
    ]);
    const dear = await call("shipping_calculator", { items: [{ product_id: "prd-0015" }], country: "DE" });
    expect(dear.options[0]).toMatchObject({ id: "standard", price_minor: 0 });
    const far = await call("shipping_calculator", { items: [{ product_id: "prd-0009" }], country: "NZ" });
    expect(far.options.map((option: Data) => option["id"])).toEqual(["world"]);
    const heavy = await registry.invoke("shipping_calculator", { items: [{ product_id: "prd-0023", quantity: 1_000 }], country: "NZ" });
    expect(errorOf(heavy)).toMatch(/INPUT_INVALID: .* too heavy/);
  });

  // row: J12
  it("sum up reviews and show the newest that are asked for", async () => {
    const all = await call("review_lookup", { product_id: "prd-0001", limit: 20 });
    expect(all.count).toBe(6);
    expect(all.reviews).toHaveLength(6);
    const sum = all.reviews.reduce((total: number, review: Data) => total + review["rating"], 0);
    expect(all.average).toBe(Math.round((10 * sum) / 6) / 10);
    expect(all.reviews.map((review: Data) => review["written_at"])).toEqual(
      all.reviews
        .map((review: Data) => review["written_at"])
        .sort()
        .reverse(),
    );
    const bad = await call("review_lookup", { product_id: "prd-0001", max_rating: 2, limit: 20 });
    expect(bad.count).toBe(6);
    for (const review of bad.reviews) expect(review.rating).toBeLessThanOrEqual(2);
  });

  // row: J12
  it("find products like another, never the product itself", async () => {
    const { products } = await call("similar_products", { product_id: "prd-0001", limit: 10, in_stock: true });
    expect(products).toHaveLength(10);
    expect(products.map((product: Data) => product["id"])).not.toContain("prd-0001");
    expect(products[0].name).toMatch(/running shoes/);
    const cheap = await call("similar_products", { product_id: "prd-0001", max_price: 6_000 });
    for (const product of cheap.products) expect(product.price_minor).toBeLessThanOrEqual(6_000);
  });

  // row: J12
  it("tell about an order only to who knows its number and its address", async () => {
    const order = await call("order_status", { order_id: "ord-1001", customer_email: "ADA@example.com" });
    expect(order).toMatchObject({ status: "shipped", carrier: "Fleetpost", currency: "EUR" });
    expect(order.total_minor).toBe(order.items.reduce((sum: number, item: Data) => sum + item["quantity"] * item["price_minor"], 0));
    const stranger = await registry.invoke("order_status", { order_id: "ord-1001", customer_email: "eve@example.com" });
    const missing = await registry.invoke("order_status", { order_id: "ord-9999", customer_email: "ada@example.com" });
    expect(errorOf(stranger)).toBe(errorOf(missing));
    expect(errorOf(stranger)).toMatch(/^INPUT_INVALID: No order/);
  });

  it("name the tool that gives ids when a product is not there", async () => {
    for (const name of ["inventory_check", "review_lookup", "similar_products", "payment_link"])
      expect(errorOf(await registry.invoke(name, { product_id: "prd-9999" })), name).toMatch(/"prd-9999" .* product_lookup/);
  });

  it("take every text for a text: nothing that is asked for becomes part of a statement", async () => {
    const hostile = [
      "'; drop table shop_products; --",
      "x' or '1'='1",
      'x" or 1=1 --',
      "%' union select * from shop_orders --",
      "\\'; delete from shop_stock; --",
      "$1",
      "?",
      "a\0b",
      "robert'); drop table students;--",
      "%",
      "_",
      "\ud800",
    ];
    for (const text of hostile) {
      const answers = await Promise.all([
        registry.invoke("product_lookup", { query: text, category: text }),
        registry.invoke("inventory_check", { product_id: text, location: text }),
        registry.invoke("order_status", { order_id: text, customer_email: `${text}@x` }),
        registry.invoke("discount_calculator", { items: [{ product_id: text }], code: text }),
        registry.invoke("discount_calculator", { items: [{ product_id: "prd-0001" }], code: text }),
        registry.invoke("similar_products", { product_id: text }),
        registry.invoke("review_lookup", { product_id: text }),
        registry.invoke("payment_link", { product_id: text, discount_code: text, reference: text }),
      ]);
      for (const answer of answers) expect(answer.ok ? "fine" : answer.code, `${text}: ${errorOf(answer)}`).toMatch(/fine|INPUT_INVALID/);
    }
    expect((await call("product_lookup", { query: "shoes" })).count).toBe(5);
  });
});
