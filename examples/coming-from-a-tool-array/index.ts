// row: I18
// From tools in an array with a hand-written loop to a registry, in steps that each work.
import assert from "node:assert/strict";
// #region imports
import { createRegistry } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import { executeTool, exportForApi, findTool } from "@toolrack/core/array";
import { exportTools, readCalls, writeResults } from "@toolrack/core/vendors";
// #endregion

const orders = new Map([["A7", "sent"]]);
// #region before
const tools = [
  {
    name: "order_status",
    description: "Tells where an order is.",
    inputSchema: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
    handler: ({ order }: { order: string }) => orders.get(order) ?? "unknown",
  },
  {
    name: "cancel_order",
    description: "Cancels an order.",
    inputSchema: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
    handler: ({ order }: { order: string }) => String(orders.delete(order)),
  },
];

/** What many agents have: the input is not validated, and a tool that throws ends the run. */
async function runByHand(name: string, input: { order: string }): Promise<string> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no such tool: ${name}`);
  return tool.handler(input);
}
// #endregion
assert.equal(await runByHand("order_status", { order: "A7" }), "sent");

// #region functions
const forTheModel = exportForApi(tools);
const found = await executeTool(findTool(tools, "order_status"), { order: "A7" });
const missing = await executeTool(findTool(tools, "order_state"), { order: "A7" });
console.log(found.ok && found.content, missing.ok || missing.code);
// #endregion
assert.equal(forTheModel.length, 2);
assert(found.ok && !missing.ok);

// #region registry
const registry = createRegistry({ policy: readPolicyConfig({ agents: { helpdesk: { tools: { deny: ["cancel_order"] } } } }) });
for (const tool of tools) registry.register(tool);
// #endregion

const reply = {
  content: [
    { type: "tool_use", id: "toolu_1", name: "order_status", input: { order: "A7" } },
    { type: "tool_use", id: "toolu_2", name: "order_status", input: { number: 7 } },
    { type: "tool_use", id: "toolu_3", name: "cancel_order", input: { order: "A7" } },
  ],
};
// #region loop
const caller = { agent: "helpdesk" };
const exported = exportTools(registry.view(caller).tools, "anthropic"); // into the request: exported.tools
const calls = readCalls(reply, exported);
const results = await registry.callAll(calls, { caller });
const messages = writeResults(calls, results, exported);
for (const result of results) console.log(result.ok ? result.content : result.code);
// #endregion
assert.equal(exported.tools.length, 1);
assert.equal(messages.length, 1);
assert.deepEqual(
  results.map((result) => (result.ok ? "ok" : result.code)),
  ["ok", "INPUT_INVALID", "TOOL_NOT_ALLOWED"],
);
assert(orders.has("A7"));
