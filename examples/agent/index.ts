// An agent with two tools, a limit and a criterion, played by a script: what a model would say is written down here.
import assert from "node:assert/strict";
// #region import
import { agentTool, createAgent, createMemorySessions } from "@toolrack/agent";
import { scriptedModel } from "@toolrack/agent/testing";
import { createRegistry, defineTool } from "@toolrack/core";
// #endregion

// #region tools
const findOrder = defineTool({
  name: "find_order",
  description: "Finds an order by its number.",
  inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  metadata: { annotations: { readOnly: true } },
  handler: ({ id }) => ({ id, total: 40, isPaid: true }),
});

const refund = defineTool({
  name: "refund",
  description: "Pays the money for an order back.",
  inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  async handler({ id }, context) {
    const answer = await context.ask({ message: `Pay the money for ${id} back?` });
    return answer.action === "accept" ? "Paid back." : "A person said no.";
  },
});

const registry = createRegistry();
registry.register(findOrder);
registry.register(refund);
// #endregion

// #region script
const model = scriptedModel([
  { text: "Let me look.", calls: [{ name: "find_order", input: { id: "A7" } }] },
  "It was 40, and is paid.", // too early: the criterion is not met
  { calls: [{ name: "refund", input: { id: "A7" } }] },
  "The 40 are on their way back.",
]);
// #endregion

// #region agent
const sessions = createMemorySessions();
const support = createAgent({
  name: "support",
  description: "Answers customers, and pays money back.",
  instructions: "You answer customers of a shop.",
  model,
  registry,
  sessions,
  budget: { turns: 10, costUsd: 0.5 },
  until: { requiredTools: ["refund"] },
});

const run = support.run("Please cancel order A7.", { session: "ann" });
for await (const event of run) {
  if (event.type === "text") console.log(`says   ${event.text}`);
  if (event.type === "result") console.log(`called ${event.tool}: ${event.result.ok ? event.result.content : event.result.code}`);
}
const result = await run;
console.log(result.status, "-", result.reason);
// #endregion

assert.equal(result.status, "waiting");

// #region resume
// Hours later, perhaps in another process, with the answer of a person:
const { digest } = result.waiting![0]!.approval;
const resumed = await support.resume("ann", { approvals: [{ digest, answer: { action: "accept" } }] });
console.log(resumed.status, "-", resumed.text);
// #endregion

assert.deepEqual([resumed.status, resumed.text], ["done", "The 40 are on their way back."]);

// #region as-tool
const desk = createAgent({
  name: "desk",
  instructions: "You pass work on.",
  model: scriptedModel([{ calls: [{ name: "helper", input: { task: "Say hello in French." } }] }, "They say: Bonjour."]),
  registry: [
    agentTool(createAgent({ name: "helper", instructions: "You translate.", model: scriptedModel(["Bonjour."]), registry: [], sessions })),
  ],
  sessions,
});
console.log((await desk.run("Greet them.")).text);
// #endregion
