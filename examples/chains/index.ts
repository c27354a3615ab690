// A chain: calls of tools, each with values that earlier ones answered. Checked before it runs, and a tool like any other.
import assert from "node:assert/strict";
// #region imports
import { type Chain, chainTool, checkChain, runChain } from "@toolrack/code";
import { createRegistry, defineTool } from "@toolrack/core";
// #endregion

// #region run
const chain: Chain = {
  steps: [
    { id: "tea", tool: "price", input: { product: "tea" } },
    { id: "cup", tool: "price", input: { product: "${input.second}" } },
    { id: "offer", tool: "write", input: { text: "Both for ${tea.amount} + ${cup.amount}", lines: "${cup.lines}" }, retries: 2 },
  ],
  returnStep: "offer",
};

const result = await runChain(chain, {
  input: { second: "cup" },
  tools: {
    price: async ({ product }: { product: string }) => ({ amount: product.length, lines: [product] }),
    write: async ({ text, lines }: { text: string; lines: string[] }) => `${text} (${lines.length} line)`,
  },
});
if (result.ok) console.log(result.value);
// #endregion
assert(result.ok && result.value === "Both for 3 + 3 (1 line)");

const price = defineTool({
  name: "price",
  description: "Tells the price of a product.",
  inputSchema: { type: "object", properties: { product: { type: "string" } }, required: ["product"], additionalProperties: false },
  outputSchema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  handler: ({ product }) => ({ amount: product.length * 10 }),
});
const write = defineTool({
  name: "write",
  description: "Writes a text.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false },
  handler: ({ text }) => text,
});

// #region check
const registry = createRegistry();
for (const tool of [price, write]) registry.register(tool);

const { problems } = checkChain(
  {
    steps: [
      { id: "tea", tool: "price", input: { product: "tea" } },
      { id: "offer", tool: "write", input: { text: "${tea.amount}", to: "${tea.price}" } },
    ],
  },
  { schemaOf: (name) => registry.get(name) },
);
for (const { message } of problems) console.log(message);
// #endregion
assert.equal(problems.length, 3);

// #region tool
registry.register(
  chainTool(
    {
      steps: [
        { id: "price", tool: "price", input: { product: "${input.product}" } },
        { id: "offer", tool: "write", input: { text: "${input.product} for ${price.amount}. \\${price.amount} is text." } },
      ],
    },
    {
      name: "offer",
      description: "Makes an offer for a product.",
      inputSchema: { type: "object", properties: { product: { type: "string" } }, required: ["product"] },
    },
  ),
);
const offer = await registry.invoke("offer", { product: "tea" });
console.log(offer.ok ? offer.content : offer.error);
// #endregion
assert(offer.ok && offer.content === "tea for 30. ${price.amount} is text.");
