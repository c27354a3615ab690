import { createMemoryConfig, createMemorySecrets, createRegistry, type Registry } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import { DatabaseSync } from "@photostructure/sqlite";
import fc from "fast-check";
import { sized } from "@toolrack/testkit/sized";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCommerceTools, createSqliteSession, fillSampleShop, type Product, saveProduct } from "../../src/index.ts";
import { startStripe, type StripeServer } from "../_servers/stripe.ts";

const capabilities = createCapabilities({ overrides: { network: true } });

/** Every row of an organisation carries its name, so that a row of another would be seen in any answer. */
const organisations = ["alpha", "beta"] as const;
const markOf = (organisation: string): string => `mark${organisation}`;
let database: InstanceType<typeof DatabaseSync>;
let stripe: StripeServer;
let registry: Registry;

beforeAll(async () => {
  database = new DatabaseSync(":memory:");
  stripe = await startStripe();
  for (const organisation of organisations) {
    const session = createSqliteSession(database, organisation);
    await fillSampleShop(session, { products: 50, seed: organisation.length });
    for (const [table, columns] of Object.entries(texts))
      for (const column of columns)
        database.exec(`update ${table} set ${column} = '${markOf(organisation)} ' || ${column} where organisation = '${organisation}'`);
    const own: Product = {
      id: `only-${organisation}`,
      name: `${markOf(organisation)} treasure`,
      description: markOf(organisation),
      category: "shoes",
      brand: markOf(organisation),
      priceMinor: 100,
      currency: "EUR",
      weightGrams: 1,
    };
    await saveProduct(session, own);
  }
  registry = createRegistry({
    services: ({ caller }) => createSqliteSession(database, caller.tenant!),
    capabilities,
    secrets: createMemorySecrets({ "stripe-api-key": "sk_test_abcdef" }),
    config: createMemoryConfig({ payment_link: { successUrl: "https://shop.example.com/", baseUrl: stripe.url } }),
  });
  for (const tool of createCommerceTools()) registry.register(tool);
});
afterAll(async () => {
  database.close();
  await stripe[Symbol.asyncDispose]();
});

const texts = {
  shop_products: ["name", "description"],
  shop_stock: ["location"],
  shop_discounts: ["description"],
  shop_shipping_rates: ["name"],
  shop_reviews: ["title"],
  shop_orders: ["carrier"],
  shop_order_items: ["name"],
};

const productId = fc.oneof(
  fc.integer({ min: 1, max: 60 }).map((number) => `prd-${String(number).padStart(4, "0")}`),
  fc.constantFrom("only-alpha", "only-beta", "' or 1=1 --", "%"),
);
const items = fc.array(fc.record({ product_id: productId, quantity: fc.integer({ min: 1, max: 9 }) }), { minLength: 1, maxLength: 3 });
const word = fc.oneof(
  fc.constantFrom("shoes", "treasure", "markalpha", "markbeta", "tent", "colour", "' or organisation = 'beta"),
  fc.string({ minLength: 1, maxLength: 20 }),
);

const calls = fc.oneof(
  fc.record({ name: fc.constant("product_lookup"), input: fc.record({ query: word, limit: fc.integer({ min: 1, max: 50 }) }) }),
  fc.record({
    name: fc.constantFrom("inventory_check", "review_lookup", "similar_products", "payment_link"),
    input: fc.record({ product_id: productId }),
  }),
  fc.record({
    name: fc.constant("discount_calculator"),
    input: fc.record({ items, code: fc.constantFrom("WELCOME10", "FRIENDS50", "x") }),
  }),
  fc.record({ name: fc.constant("shipping_calculator"), input: fc.record({ items, country: fc.constantFrom("DE", "AT", "NZ") }) }),
  fc.record({
    name: fc.constant("order_status"),
    input: fc.record({
      order_id: fc.integer({ min: 1001, max: 1030 }).map((number) => `ord-${number}`),
      customer_email: fc.constantFrom("ada@example.com", "bela@example.com", "chidi@example.com", "dora@example.com"),
    }),
  }),
);

describe("organisations in one database", () => {
  it("never see a row of another, whatever is asked", async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...organisations), calls, async (organisation, { name, input }) => {
        const other = organisation === "alpha" ? "beta" : "alpha";
        const result = await registry.invoke(name, input, { caller: { tenant: organisation, session: "s" } });
        if (!result.ok) {
          expect(result.code, result.error).toBe("INPUT_INVALID");
          return;
        }
        answered++;
        const text = JSON.stringify(result.data);
        expect(text).not.toContain(markOf(other));
        expect(text).not.toContain(`only-${other}`);
      }),
      { numRuns: sized(120, 400) },
    );
    expect(answered).toBeGreaterThan(sized(30, 100));
    for (const { form } of stripe.sessions.values()) {
      const mark = markOf(form["metadata[organisation]"]!);
      expect(form["line_items[0][price_data][product_data][name]"]).toContain(mark);
    }
  });

  it("each find their own", async () => {
    for (const organisation of organisations) {
      const result = await registry.invoke("product_lookup", { query: "treasure" }, { caller: { tenant: organisation } });
      expect(result).toMatchObject({ ok: true, data: { products: [{ id: `only-${organisation}` }], count: 1 } });
    }
  });

  it("are needed for a session: nobody gets one without", () => {
    for (const wrong of ["", undefined, null, 5]) expect(() => createSqliteSession(database, wrong as string)).toThrow(/organisation/);
  });

  it("are needed for a call: without a session nothing is read", async () => {
    const bare = createRegistry({ services: { sql: { query: async () => [{}] } } });
    for (const tool of createCommerceTools()) bare.register(tool);
    expect(await bare.invoke("product_lookup", { query: "shoes" })).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION" });
  });
});
