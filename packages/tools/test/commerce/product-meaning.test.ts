import { createMemorySecrets, createRegistry, type Registry } from "@toolrack/core";
import { sendJson, startLoopback } from "@toolrack/testkit/loopback";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type CommerceOptions,
  createCommerceTools,
  createShopTables,
  type Product,
  saveProduct,
  type SqlSession,
} from "../../src/index.ts";
import { engines, type TestDatabase } from "./_databases.ts";

/** Words that mean the same share a place; the service knows no others. */
const concepts = [
  ["shoes", "sneakers", "footwear"],
  ["jogging", "running"],
  ["rain", "wet weather", "waterproof"],
];
const vectorOf = (text: string): number[] => concepts.map((words) => words.filter((word) => text.toLowerCase().includes(word)).length);

const product = (id: string, name: string, description: string, priceMinor = 5_000): Product => ({
  id,
  name,
  description,
  category: "all",
  brand: "Corvia",
  priceMinor,
  currency: "EUR",
  weightGrams: 500,
});

describe("product_lookup by meaning", () => {
  let database: TestDatabase;
  let session: SqlSession;
  beforeAll(async () => {
    database = await engines["SQLite"]!();
    session = database.session("alpha");
    await createShopTables(session);
    await saveProduct(session, product("a", "Fleet", "Sneakers for jogging."));
    await saveProduct(session, product("b", "Cape", "Waterproof, for hikers.", 9_000));
    await saveProduct(session, product("c", "Mug", "For tea."));
    await saveProduct(database.session("beta"), product("z", "Other", "Sneakers for jogging."));
  });
  afterAll(() => database.close());

  const shop = (options: CommerceOptions): Registry => {
    const registry = createRegistry({ services: () => session, secrets: createMemorySecrets({ "embed-key": "k-1" }) });
    registry.register(createCommerceTools(options)[0]!);
    return registry;
  };
  const find = async (registry: Registry, input: object): Promise<string[]> => {
    const result = await registry.invoke("product_lookup", input);
    if (!result.ok) throw new Error(result.error);
    return (result.data as { products: { id: string }[] }).products.map(({ id }) => id);
  };

  it("finds what is described in other words, in the caller's shop alone and within the filters", async () => {
    const registry = shop({ operations: { embed: async (texts) => texts.map(vectorOf) } });
    expect(await find(shop({}), { query: "running footwear" })).toEqual([]);
    expect(await find(registry, { query: "running footwear" })).toEqual(["a"]);
    expect(await find(registry, { query: "wet weather" })).toEqual(["b"]);
    expect(await find(registry, { query: "wet weather", max_price: 8_000 })).toEqual([]);
  });

  it("puts first what matches by words and by meaning, and keeps to the limit", async () => {
    const registry = shop({ operations: { embed: async (texts) => texts.map(vectorOf) } });
    await saveProduct(session, product("d", "Rain coat", "For rain."));
    expect(await find(registry, { query: "rain" })).toEqual(["d", "b"]);
    expect(await find(registry, { query: "rain", limit: 1 })).toEqual(["d"]);
  });

  it("asks a service with its secret, and sends the text of a product once until it changes", async () => {
    await using server = await startLoopback((request, response) => {
      if (request.headers.authorization !== "Bearer k-1") return sendJson(response, { error: { message: "no" } }, 401);
      const { input } = JSON.parse(request.body) as { input: string[] };
      sendJson(response, { data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) });
    });
    const registry = shop({ embeddings: { baseUrl: `${server.url}/v1`, model: "tiny", secret: "embed-key" } });
    const sent = (): number[] => server.seen.map((request) => (JSON.parse(request.body) as { input: string[] }).input.length);
    await find(registry, { query: "footwear" });
    await find(registry, { query: "footwear" });
    await saveProduct(session, product("c", "Mug", "For running."));
    expect(await find(registry, { query: "jogging" })).toEqual(["a", "c"]);
    expect(sent()).toEqual([5, 1, 2]);
  });

  it("fails with the reason while the service does not answer, and is not offered without its secret", async () => {
    await using server = await startLoopback((_request, response) => sendJson(response, { error: { message: "busy" } }, 500));
    const registry = shop({ embeddings: { baseUrl: server.url, model: "tiny" } });
    expect(await registry.invoke("product_lookup", { query: "mug" })).toMatchObject({ ok: false });
    const without = shop({ embeddings: { baseUrl: server.url, model: "tiny", secret: "gone" } });
    expect(without.entries()[0]).toMatchObject({ state: "needs-configuration" });
  });
});
