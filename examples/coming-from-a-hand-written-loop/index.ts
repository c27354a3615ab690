// row: I18
// From a loop around a vendor's API to an agent: the same tools, the same vendor, and what the loop did not do.
import assert from "node:assert/strict";
import { type Block, startVendor } from "./vendor.ts";
// #region import
import { createAgent, createMemorySessions } from "@toolrack/agent";
import { anthropicModel } from "@toolrack/agent/models";
import { createRegistry } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
// #endregion

const key = "a-key";
const call = (id: string, name: string, input: Record<string, unknown>): Block => ({ type: "tool_use", id, name, input });
const say = (text: string): Block => ({ type: "text", text });

const orders = new Map([["A7", { total: 40, state: "sent" }]]);
// #region tools
const tools = [
  {
    name: "order_status",
    description: "Tells where an order is.",
    input_schema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    handler: ({ id }: { id: string }) => orders.get(id)!.state,
  },
  {
    name: "cancel_order",
    description: "Cancels an order.",
    input_schema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    handler: ({ id }: { id: string }) => `Cancelled: ${orders.delete(id)}.`,
  },
];
const instructions = "You answer customers of a shop.";
// #endregion

const before = await startVendor([[call("1", "order_status", { id: "A7" })], [say("It is on its way.")]]);
let url = before.url;
// #region before
async function ask(question: string): Promise<string> {
  const messages: object[] = [{ role: "user", content: question }];
  for (;;) {
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key, "anthropic-version": "2023-06-01" },
      body: JSON.stringify({
        model: "claude-sonnet-5-5",
        max_tokens: 4_096,
        system: instructions,
        messages,
        tools: tools.map(({ name, description, input_schema }) => ({ name, description, input_schema })),
      }),
    });
    const { content } = (await response.json()) as { content: Block[] };
    messages.push({ role: "assistant", content });
    const calls = content.filter(({ type }) => type === "tool_use");
    if (calls.length === 0) return content.map(({ text }) => text).join("");
    const results = calls.map(({ id, name, input }) => {
      const tool = tools.find((one) => one.name === name)!; // a name that the model made up ends the program
      return { type: "tool_result", tool_use_id: id, content: tool.handler(input as { id: string }) }; // and so does a handler that throws
    });
    messages.push({ role: "user", content: results }); // all of this is gone with the process
  }
}
// #endregion
assert.equal(await ask("Where is A7?"), "It is on its way.");
before.close();

const after = await startVendor([
  [call("1", "order_status", { id: "A7" })],
  [say("It is on its way.")],
  // What ended the loop above: an unknown tool, an input that does not fit, and a handler that throws.
  [call("2", "order_state", { id: "A7" }), call("3", "order_status", { number: 7 }), call("4", "order_status", { id: "B1" })],
  [say("I could not find B1.")],
]);
url = after.url;
// #region after
const registry = createRegistry();
for (const tool of tools) registry.register(tool);

const support = createAgent({
  name: "support",
  instructions,
  model: anthropicModel({ model: "claude-sonnet-5-5", key, baseUrl: url }),
  registry,
  sessions: createMemorySessions(),
  budget: { turns: 10, costUsd: 0.5 },
});
const { text } = await support.run("Where is A7?", { session: "ann" });
console.log(text);
// #endregion
assert.equal(text, "It is on its way.");

// #region failures
const run = support.run("And B1?", { session: "ann" }); // goes on with the conversation
for await (const event of run) {
  if (event.type === "result") console.log(event.tool, event.result.ok ? event.result.content : event.result.code);
}
console.log((await run).status, "-", (await run).text);
// #endregion
assert.equal((await run).status, "done");
after.close();

const asking = await startVendor([
  [call("5", "order_status", { id: "A7" }), call("6", "cancel_order", { id: "A7" })],
  [say("A7 is cancelled.")],
]);
url = asking.url;
// #region approval
const careful = createRegistry({ policy: readPolicyConfig({ tools: { ask: ["cancel_order"] } }) });
for (const tool of tools) careful.register(tool);

const desk = createAgent({
  name: "desk",
  instructions,
  model: anthropicModel({ model: "claude-sonnet-5-5", key, baseUrl: url }),
  registry: careful,
});
const waiting = await desk.run("Cancel A7.", { session: "ann" });
console.log(waiting.status, "-", waiting.reason);

const approvals = waiting.waiting!.map(({ approval }) => ({ digest: approval.digest, answer: { action: "accept" as const } }));
const resumed = await desk.resume("ann", { approvals });
console.log(resumed.status, "-", resumed.text);
// #endregion
assert.equal(resumed.status, "done");
assert(!orders.has("A7"));
asking.close();
