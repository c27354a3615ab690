import assert from "node:assert/strict";
import { createRegistry, defineTool, type ToolResult } from "@toolrack/core";
import { exportForApi } from "@toolrack/core/array";

const heading = (text: string): void => console.log(`\n${text}\n${"-".repeat(text.length)}`);
const show = (result: ToolResult): void => console.log(result.ok ? result.content : `${result.code} (${result.status})\n${result.error}`);

heading("1. Two tools: plain data and one handler each");
const stock = new Map([
  ["tea", 40],
  ["coffee", 0],
]);
const checkStock = defineTool({
  name: "check_stock",
  description: "Tells how many packets of a product are in stock.",
  inputSchema: {
    type: "object",
    properties: { product: { type: "string", enum: ["tea", "coffee"], description: "What to look for." } },
    required: ["product"],
    additionalProperties: false,
  },
  metadata: { category: "research", annotations: { readOnly: true } },
  handler: ({ product }) => ({ product, packets: stock.get(product) ?? 0 }),
});
const writeOff = defineTool({
  name: "write_off",
  description: "Takes spoilt packets off the stock.",
  inputSchema: {
    type: "object",
    properties: { product: { type: "string" }, packets: { type: "integer", minimum: 1, default: 1 } },
    required: ["product"],
  },
  metadata: { ownerOnly: true, annotations: { destructive: true } },
  handler({ product, packets }) {
    stock.set(product, (stock.get(product) ?? 0) - packets);
    return `${packets} of ${product} written off.`;
  },
});
const registry = createRegistry();
registry.register(checkStock);
registry.register(writeOff);
console.log(
  registry
    .list()
    .map((tool) => `${tool.name}: ${tool.description}`)
    .join("\n"),
);

heading("2. The list that a model is given: what this caller may use");
const caller = { agent: "helpdesk" };
for (const tool of exportForApi(registry.view(caller).tools)) console.log(JSON.stringify(tool, null, 2));

heading("3. A call");
const answer = await registry.invoke("check_stock", { product: "tea" });
show(answer);
assert(answer.ok);

heading("4. A call with wrong input: every fault, and a call that would be right");
const wrong = await registry.invoke("check_stock", { product: "cofee", size: "L" });
show(wrong);
assert(!wrong.ok && wrong.code === "INPUT_INVALID" && wrong.issues?.length === 2);

heading("5. A call that is refused, and why");
const refused = await registry.invoke("write_off", { product: "tea" }, { caller });
show(refused);
assert(!refused.ok && refused.code === "TOOL_NOT_ALLOWED" && stock.get("tea") === 40);

heading("6. The same call, made by the owner");
const done = await registry.invoke("write_off", { product: "tea" }, { caller: { owner: true } });
show(done);
assert(done.ok && stock.get("tea") === 39);

heading("7. A tool is switched off while agents are running");
registry.subscribe((event) => console.log(`event ${event.sequence}: ${event.type}`));
registry.disable("check_stock", "The stock is being counted.");
const off = await registry.invoke("check_stock", { product: "tea" });
show(off);
assert(!off.ok && off.code === "TOOL_DISABLED");

console.log("\nThat was the tour. Read docs/start/first-tool.md next.");
