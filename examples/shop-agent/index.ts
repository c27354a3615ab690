// A shop agent: it finds shoes, checks stock, price and shipping, and makes a payment link. The model is a script; everything else is real.
import assert from "node:assert/strict";
// #region imports
import { DatabaseSync } from "@photostructure/sqlite"; // or node:sqlite of Node 22
import { createMemoryConfig, createMemorySecrets, createRegistry, type ToolResult } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import { exportTools, readCalls, writeResults } from "@toolrack/core/vendors";
import { createCommerceTools, createSqliteSession, fillSampleShop, type SqlSession } from "@toolrack/tools";
// #endregion
import { showMemory } from "./memory.ts";
import { startPaymentService } from "./payment-service.ts";
import { showUtilities } from "./utilities.ts";
import { showWeb } from "./web.ts";

const payments = await startPaymentService();

// #region shop
const database = new DatabaseSync(":memory:");
await fillSampleShop(createSqliteSession(database, "outdoor")); // 300 sample products

const registry = createRegistry<SqlSession>({
  services: ({ caller }) => createSqliteSession(database, caller.tenant!), // a call sees only the rows of its caller's organization
  secrets: createMemorySecrets({ "stripe-api-key": "sk_test_123456" }),
  config: createMemoryConfig({ payment_link: { successUrl: "https://outdoor.example.com/thanks", baseUrl: payments.url } }),
  capabilities: createCapabilities({ overrides: { network: true } }), // the payment service of this example is on this machine
});
for (const tool of createCommerceTools()) registry.register(tool);
// #endregion

type Data = Record<string, any>;
const seen: Data[] = [];

/** What the model says, turn by turn, given the results so far. */
const script: readonly (() => readonly [tool: string, input: object][])[] = [
  () => [["product_lookup", { query: "running shoes", max_price: 8_000, limit: 3 }]],
  () => [
    ["inventory_check", { product_id: seen[0]!["products"][0].id, quantity: 2 }],
    ["review_lookup", { product_id: seen[0]!["products"][0].id, limit: 1 }],
  ],
  () => [
    ["discount_calculator", { items: [{ product_id: seen[0]!["products"][0].id, quantity: 2 }], code: "WELCOME10" }],
    ["shipping_calculator", { items: [{ product_id: seen[0]!["products"][0].id, quantity: 2 }], country: "DE" }],
  ],
  () => [["payment_link", { product_id: seen[0]!["products"][0].id, quantity: 2, discount_code: "WELCOME10" }]],
];
let turn = 0;
function askModel(_request: object): { readonly content: readonly object[] } {
  const calls = script[turn++]?.() ?? [];
  if (calls.length === 0) return { content: [{ type: "text", text: `Pay here: ${seen.at(-1)!["checkout_url"]}` }] };
  return { content: calls.map(([name, input], index) => ({ type: "tool_use", id: `toolu_${turn}_${index}`, name, input })) };
}

// #region loop
const caller = { tenant: "outdoor", agent: "seller", session: "customer-42", provider: "anthropic" };
const exported = exportTools(registry.view(caller).tools, "anthropic");
const messages: unknown[] = [{ role: "user", content: "Two pairs of running shoes under 80 euros, please. I have the code WELCOME10." }];
for (;;) {
  const reply = askModel({ tools: exported.tools, messages });
  messages.push({ role: "assistant", content: reply.content });
  const calls = readCalls(reply, exported);
  if (calls.length === 0) break;
  const results = await registry.callAll(calls, { caller });
  for (const [index, result] of results.entries()) {
    console.log(`> ${calls[index]!.name} ${JSON.stringify(calls[index]!.input)}\n${result.ok ? result.content : result.error}\n`);
    if (result.ok) seen.push(result.data as Data);
  }
  messages.push(...writeResults(calls, results, exported));
}
// #endregion
const [found, , , discount, , link] = seen as [Data, Data, Data, Data, Data, Data];
assert(found["products"].every((product: Data) => product["price_minor"] <= 8_000));
assert.equal(link["amount_minor"], discount["total_minor"]);
assert.equal(payments.orders[0]!["line_items[0][price_data][unit_amount]"], String(discount["total_minor"]));
assert(link["expires_in_seconds"] > 800 && link["expires_in_seconds"] <= 900);

// Asking again returns the same link, and another organization sees nothing of this one.
const again = await registry.invoke(
  "payment_link",
  { product_id: found["products"][0].id, quantity: 2, discount_code: "WELCOME10" },
  { caller },
);
assert.equal((dataOf(again) as Data)["checkout_url"], link["checkout_url"]);
assert.equal(payments.orders.length, 1);
const stranger = await registry.invoke("product_lookup", { query: "running shoes" }, { caller: { tenant: "other" } });
assert.equal((dataOf(stranger) as Data)["count"], 0);
database.close();
payments.close();

await showWeb();
await showMemory();
await showUtilities();

function dataOf(result: ToolResult): unknown {
  assert(result.ok, JSON.stringify(result));
  return result.data;
}
