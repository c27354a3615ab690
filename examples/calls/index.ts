// Several calls of one model reply, an idempotent call, and a result for the user.
import assert from "node:assert/strict";
// #region imports
import { createRegistry, defineTool } from "@toolrack/core";
// #endregion

// #region tool
let orders = 0;
const order = defineTool({
  name: "order",
  description: "Orders a product.",
  inputSchema: { type: "object", properties: { product: { type: "string" } }, required: ["product"] },
  handler: async ({ product }) => `order ${++orders}: ${product}`,
});
const registry = createRegistry();
registry.register(order);
// #endregion

// #region all
const results = await registry.callAll([
  { name: "order", input: { product: "tea" }, callId: "call_1" },
  { name: "order", input: {}, callId: "call_2" }, // a failed call does not stop the others
]);
for (const result of results) console.log(result.meta.callId, result.ok ? result.content : result.code);
// #endregion
assert.deepEqual(
  results.map((result) => result.ok),
  [true, false],
);

// #region once
const options = { idempotencyKey: "cart-17" };
const first = await registry.invoke("order", { product: "coffee" }, options);
const again = await registry.invoke("order", { product: "coffee" }, options); // the first result
// #endregion
console.log(first.ok && first.content, "/", again.ok && again.content);
assert.equal(orders, 2);

const other = await registry.invoke("order", { product: "cocoa" }, options);
assert(!other.ok && other.code === "INPUT_INVALID");
console.log(other.error);

// #region deliver
const seen: string[] = [];
const desk = createRegistry({ userChannel: { show: ({ result, caller }) => void seen.push(`${caller.session}: ${result.content}`) } });
desk.register(order);
const receipt = await desk.invoke("order", { product: "tea" }, { caller: { session: "s1" }, deliver: "user" });
console.log(receipt.ok && receipt.content);
// #endregion
assert.deepEqual(seen, ["s1: order 3: tea"]);
assert(receipt.ok && receipt.content === "Shown to the user.");
