import { type Caller, createMemoryConfig, createMemorySecrets, createRegistry, type Registry, type ToolResult } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import { DatabaseSync } from "@photostructure/sqlite";
import { type Loopback, startLoopback } from "@toolrack/testkit/loopback";
import { until } from "@toolrack/testkit/until";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCommerceTools, createSqliteSession, fillSampleShop } from "../../src/index.ts";
import { startStripe, type StripeOptions, type StripeServer } from "../_servers/stripe.ts";

const capabilities = createCapabilities({ overrides: { network: true } });

const key = "sk_test_abcdef";
const start = Date.UTC(2026, 10, 15);
const ada: Caller = { session: "ada-1" };
let database: InstanceType<typeof DatabaseSync>;

/** A shop whose payment service is at that address; time stands still until it is set. */
function shopAt(
  url: string,
  more: { readonly secret?: string; readonly timeoutMs?: number } = {},
): { registry: Registry; time: { now: number } } {
  const time = { now: start };
  const registry = createRegistry({
    services: ({ caller }) => createSqliteSession(database, caller.tenant ?? "alpha"),
    capabilities,
    secrets: createMemorySecrets({ "stripe-api-key": more.secret ?? key }),
    config: createMemoryConfig({
      payment_link: { successUrl: "https://shop.example.com/thanks", cancelUrl: "https://shop.example.com/cart", baseUrl: url },
    }),
  });
  const fetch = more.timeoutMs === undefined ? {} : { timeoutMs: more.timeoutMs };
  for (const tool of createCommerceTools({ operations: { now: () => time.now }, fetch })) registry.register(tool);
  return { registry, time };
}

async function withStripe(options: StripeOptions, work: (stripe: StripeServer) => Promise<void>): Promise<void> {
  const stripe = await startStripe({ now: () => start, key, ...options });
  try {
    await work(stripe);
  } finally {
    await stripe[Symbol.asyncDispose]();
  }
}

const dataOf = (result: ToolResult): Record<string, any> => {
  expect(result.ok ? "" : result.error).toBe("");
  return (result as { data: Record<string, any> }).data;
};

beforeEach(async () => {
  database = new DatabaseSync(":memory:");
  for (const organisation of ["alpha", "beta"]) await fillSampleShop(createSqliteSession(database, organisation), { products: 30 });
});
afterEach(() => database.close());

describe("payment_link", () => {
  // row: J11
  it("asks for a Checkout Session at the catalog's price that ends after 900 seconds", () =>
    withStripe({}, async (stripe) => {
      const { registry } = shopAt(stripe.url);
      const input = { product_id: "prd-0001", quantity: 2, customer_email: "ada@example.com", reference: "cart-7" };
      const result = await registry.invoke("payment_link", input, { caller: ada });
      const data = dataOf(result);
      expect(data).toMatchObject({
        checkout_url: "https://checkout.example.com/c/cs_test_1",
        product_id: "prd-0001",
        expires_in_seconds: 900,
      });
      expect(result).toMatchObject({ effects: [{ kind: "payment-link", action: "create", target: data["checkout_url"] }] });
      const { form } = [...stripe.sessions.values()][0]!;
      expect(form).toMatchObject({
        mode: "payment",
        success_url: "https://shop.example.com/thanks",
        cancel_url: "https://shop.example.com/cart",
        customer_email: "ada@example.com",
        "line_items[0][quantity]": "2",
        "line_items[0][price_data][currency]": "eur",
        "line_items[0][price_data][unit_amount]": String(data["amount_minor"] / 2),
        "metadata[organisation]": "alpha",
        "metadata[reference]": "cart-7",
        expires_at: String(start / 1_000 + 900),
      });
      expect(JSON.stringify(result)).not.toContain(key);
    }));

  it("gives the same link for the same purchase while it holds, and a new one afterwards", () =>
    withStripe({}, async (stripe) => {
      const { registry, time } = shopAt(stripe.url);
      const ask = (caller: Caller): Promise<ToolResult> => registry.invoke("payment_link", { product_id: "prd-0002" }, { caller });
      const [first, second] = await Promise.all([ask(ada), ask(ada)]);
      expect(dataOf(first)["checkout_url"]).toBe(dataOf(second)["checkout_url"]);
      expect(stripe.sessions.size).toBe(1);
      time.now += 600_000;
      expect(dataOf(await ask(ada))).toMatchObject({ checkout_url: dataOf(first)["checkout_url"], expires_in_seconds: 300 });
      expect(dataOf(await ask({ session: "bela-1" }))["checkout_url"]).not.toBe(dataOf(first)["checkout_url"]);
      expect(dataOf(await ask({ ...ada, tenant: "beta" }))["checkout_url"]).not.toBe(dataOf(first)["checkout_url"]);
      time.now += 301_000;
      expect(dataOf(await ask(ada))["checkout_url"]).not.toBe(dataOf(first)["checkout_url"]);
      expect(stripe.sessions.size).toBe(4);
    }));

  it("gives customers who cannot be told apart a link each", () =>
    withStripe({}, async (stripe) => {
      const { registry } = shopAt(stripe.url);
      const ask = (): Promise<ToolResult> => registry.invoke("payment_link", { product_id: "prd-0003" });
      const urls = (await Promise.all([ask(), ask()])).map((result) => dataOf(result)["checkout_url"]);
      expect(new Set(urls).size).toBe(2);
    }));

  it("asks again with the same key after a failure on the other side, so that nothing is made twice", () =>
    withStripe({ fail: { status: 500, times: 1 } }, async (stripe) => {
      const { registry, time } = shopAt(stripe.url);
      const ask = (): Promise<ToolResult> => registry.invoke("payment_link", { product_id: "prd-0004" }, { caller: ada });
      expect(await ask()).toMatchObject({ ok: false, code: "TOOL_FAILED", retryable: true });
      time.now += 5_000;
      expect(dataOf(await ask())["expires_in_seconds"]).toBe(895);
      const keys = stripe.seen.map((request) => request.headers["idempotency-key"]);
      expect(keys[0]).toBe(keys[1]);
      expect(stripe.seen[0]!.body).toBe(stripe.seen[1]!.body);
    }));

  it("says how long the link really holds where the service takes no expiry so soon", () =>
    withStripe({ leastSeconds: 1_800 }, async (stripe) => {
      const { registry } = shopAt(stripe.url);
      const data = dataOf(await registry.invoke("payment_link", { product_id: "prd-0005" }, { caller: ada }));
      expect(data["expires_in_seconds"]).toBe(2_700);
      expect(stripe.sessions.size).toBe(1);
    }));

  it("takes the discount that the rules give, and refuses a code that gives none", () =>
    withStripe({}, async (stripe) => {
      const { registry } = shopAt(stripe.url);
      const input = { product_id: "prd-0009", quantity: 3, discount_code: "WELCOME10" };
      const { total_minor } = dataOf(
        await registry.invoke("discount_calculator", { items: [{ product_id: "prd-0009", quantity: 3 }], code: "WELCOME10" }),
      );
      const data = dataOf(await registry.invoke("payment_link", input, { caller: ada }));
      expect(data["amount_minor"]).toBe(total_minor);
      const { form } = [...stripe.sessions.values()].at(-1)!;
      expect(form).toMatchObject({ "line_items[0][quantity]": "1", "line_items[0][price_data][unit_amount]": String(total_minor) });
      const wrong = await registry.invoke("payment_link", { ...input, discount_code: "SUMMER25" }, { caller: ada });
      expect(wrong).toMatchObject({ ok: false, code: "INPUT_INVALID", error: expect.stringContaining("it has ended") });
    }));

  it("says that the key is refused without telling the key", () =>
    withStripe({}, async (stripe) => {
      const { registry } = shopAt(stripe.url, { secret: "sk_wrong_key_123" });
      const result = await registry.invoke("payment_link", { product_id: "prd-0001" }, { caller: { session: "x" } });
      expect(result).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION", error: expect.stringContaining("401") });
      expect(JSON.stringify(result)).not.toContain("sk_wrong_key_123");
    }));

  it("needs an address to return to, and its key", async () => {
    const registry = createRegistry({
      services: () => createSqliteSession(database, "alpha"),
      capabilities,
      secrets: createMemorySecrets({ "stripe-api-key": key }),
    });
    for (const tool of createCommerceTools()) registry.register(tool);
    expect(await registry.invoke("payment_link", { product_id: "prd-0001" })).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION" });
    const bare = createRegistry({ capabilities, services: () => createSqliteSession(database, "alpha") });
    for (const tool of createCommerceTools()) bare.register(tool);
    expect(bare.entries().find(({ tool }) => tool.name === "payment_link")).toMatchObject({ state: "needs-configuration" });
  });
});

describe("payment_link and a service that misbehaves", () => {
  const against = async (respond: Parameters<typeof startLoopback>[0], work: (server: Loopback) => Promise<void>): Promise<void> => {
    const server = await startLoopback(respond);
    try {
      await work(server);
    } finally {
      await server[Symbol.asyncDispose]();
    }
  };

  it("ends in time when the service hangs, and when the caller gives up", () =>
    against(
      () => undefined,
      async (server) => {
        const { registry } = shopAt(server.url, { timeoutMs: 100 });
        expect(await registry.invoke("payment_link", { product_id: "prd-0006" }, { caller: ada })).toMatchObject({
          code: "TIMEOUT",
          retryable: true,
        });
        const patient = shopAt(server.url).registry;
        const controller = new AbortController();
        const before = server.seen.length;
        const given = patient.invoke("payment_link", { product_id: "prd-0007" }, { caller: ada, signal: controller.signal });
        await until(() => server.seen.length > before);
        controller.abort();
        expect(await given).toMatchObject({ ok: false, code: "ABORTED" });
      },
    ));

  it("does not follow a redirect with its key", () =>
    against(
      (request, response) => response.writeHead(307, { location: `http://${request.headers.host}/elsewhere` }).end(),
      async (server) => {
        const { registry } = shopAt(server.url);
        expect(await registry.invoke("payment_link", { product_id: "prd-0008" }, { caller: ada })).toMatchObject({
          ok: false,
          code: "TOOL_FAILED",
        });
        expect(server.seen).toHaveLength(1);
      },
    ));

  it.each([
    ["no JSON", "<html>"],
    ["no link", '{"expires_at":5}'],
    ["a link that is no address", '{"url":"javascript:alert(1)","expires_at":5}'],
    ["nothing", "null"],
  ])("refuses an answer with %s", (_what, body) =>
    against(
      (_request, response) => response.writeHead(200, { "content-type": "application/json" }).end(body),
      async (server) => {
        const { registry } = shopAt(server.url);
        expect(await registry.invoke("payment_link", { product_id: "prd-0010" }, { caller: { session: body } })).toMatchObject({
          ok: false,
          code: "TOOL_FAILED",
        });
      },
    ),
  );

  it("reaches no other private address than the one in its settings", async () => {
    const { registry } = shopAt("http://127.0.0.1:9");
    const result = await registry.invoke("payment_link", { product_id: "prd-0011" }, { caller: ada });
    expect(result).toMatchObject({ ok: false, code: "TOOL_FAILED", retryable: true });
  });
});
