// A tool calls other tools: under the same policy, for the same caller, to a limited depth, as one trace.
import assert from "node:assert/strict";
// #region imports
import { createMemoryRecorder, createRegistry, defineTool } from "@toolrack/core";
// #endregion

const price = defineTool({
  name: "price",
  description: "Tells the price of a product.",
  inputSchema: { type: "object", properties: { product: { type: "string" } }, required: ["product"] },
  handler: ({ product }) => ({ amount: product.length * 10 }),
});
const discount = defineTool({
  name: "discount",
  description: "Tells the discount for good customers.",
  inputSchema: { type: "object" },
  metadata: { ownerOnly: true },
  handler: () => ({ percent: 20 }),
});

// #region chain
const quote = defineTool({
  name: "quote",
  description: "Makes an offer for a product.",
  inputSchema: { type: "object", properties: { product: { type: "string" } }, required: ["product"] },
  async handler({ product }, context) {
    const list = await context.call("price", { product });
    if (!list.ok) return list;
    const { amount } = list.data as { amount: number };
    const reduced = await context.call("discount", {});
    return reduced.ok ? `${amount * 0.8} instead of ${amount}` : `${amount}, without discount (${reduced.code})`;
  },
});
// #endregion

const recorder = createMemoryRecorder();
const registry = createRegistry({ recorder, limits: { depth: 3 } });
for (const tool of [price, discount, quote]) registry.register(tool);

const offer = await registry.invoke("quote", { product: "tea" }, { callId: "offer-1" });
assert(offer.ok);
console.log(offer.content);
assert.equal(offer.content, "30, without discount (TOOL_NOT_ALLOWED)");

const better = await registry.invoke("quote", { product: "tea" }, { caller: { owner: true } });
assert(better.ok && better.content === "24 instead of 30");
console.log(better.content);

// #region trace
const children = recorder.calls.filter((call) => call.parentCallId === "offer-1");
console.log("offer-1 called", children.map((call) => call.tool).join(" and "));
// #endregion
assert.deepEqual(
  children.map((call) => call.tool),
  ["price", "discount"],
);

registry.register({
  name: "echo_chamber",
  description: "Calls itself for ever.",
  inputSchema: { type: "object" },
  handler: async (_input, context) => context.call("echo_chamber", {}),
});
const deep = await registry.invoke("echo_chamber", {});
assert(!deep.ok && deep.code === "DEPTH_EXCEEDED");
console.log(deep.error);
