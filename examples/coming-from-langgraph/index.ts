// row: I18
// From a graph with a checkpointer to an agent with sessions. The model is played by a script.
import assert from "node:assert/strict";
// #region import
import { agentTool, createAgent, createMemorySessions } from "@toolrack/agent";
import { scriptedModel } from "@toolrack/agent/testing";
import { createRegistry, defineTool } from "@toolrack/core";
// #endregion

const paid: string[] = [];
const looked: string[] = [];
// #region tools
const findOrder = defineTool({
  name: "find_order",
  description: "Finds an order by its number.",
  inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  handler({ id }) {
    looked.push(id);
    return { id, total: 40 };
  },
});

const refund = defineTool({
  name: "refund",
  description: "Pays the money for an order back.",
  inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  async handler({ id }, context) {
    const answer = await context.ask({ message: `Pay the money for ${id} back?` }); // interrupt({ question: … })
    if (answer.action !== "accept") return "A person said no.";
    paid.push(id);
    return "Paid back.";
  },
});

const registry = createRegistry();
for (const tool of [findOrder, refund]) registry.register(tool);
// #endregion

const model = scriptedModel([
  {
    calls: [
      { name: "find_order", input: { id: "A7" } },
      { name: "refund", input: { id: "A7" } },
      { name: "refund", input: { id: "B1" } },
    ],
  },
  "The money for A7 is on its way; for B1 a person said no.",
]);
// #region after
const sessions = createMemorySessions(); // checkpointer: new MemorySaver()
const support = createAgent({
  name: "support",
  instructions: "You answer customers of a shop.",
  model,
  registry,
  sessions,
  budget: { turns: 12 }, // recursionLimit: 25
});

let result = await support.run("Cancel A7 and B1.", { session: "ann" }); // configurable: { thread_id: "ann" }
while (result.status === "waiting") {
  const approvals = result.waiting!.map(({ tool, input, approval }) => {
    console.log(`${tool} ${JSON.stringify(input)}: ${approval.reason}`);
    return { digest: approval.digest, answer: answerOf(input) }; // each answer belongs to one question
  });
  result = await support.resume("ann", { approvals }); // new Command({ resume: … })
}
console.log(result.status, "-", result.text);
console.log("looked", looked.length, "time, paid", paid.join());
// #endregion
assert.deepEqual([result.status, paid, looked], ["done", ["A7"], ["A7"]]);

/** What a person answers. */
function answerOf(input: unknown): { readonly action: "accept" | "decline" } {
  return { action: (input as { id: string }).id === "A7" ? "accept" : "decline" };
}

// #region state
const { id, status, usage } = (await sessions.get("agent:support:ann"))!; // graph.getState(config)
const messages = await sessions.messages(id); // state.values.messages
console.log(status, usage.turns, "turns:", messages.map(({ message }) => message.role).join(" "));
// #endregion
assert.deepEqual(
  messages.map(({ message }) => message.role),
  ["user", "assistant", "tool", "assistant"],
);

const writing = scriptedModel([
  { calls: [{ name: "find_order", input: { id: "A7" } }] },
  "It was 40.",
  { calls: [{ name: "write_letter", input: { text: "You get 40 back." } }] },
  "The letter is written.",
]);
// #region nodes
const writeLetter = defineTool({
  name: "write_letter",
  description: "Writes a letter to a customer.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  metadata: { produces: ["letter"] },
  handler: ({ text }) => `Written: ${text}`,
});
const writer = createAgent({
  name: "writer",
  description: "Looks an order up and writes the letter about it.",
  instructions: "You write to customers of a shop.",
  model: writing,
  registry: [findOrder, writeLetter],
  sessions,
  phases: [
    { name: "look", tools: ["find_order"], until: { requiredTools: ["find_order"] } }, // addNode("look", …).addEdge("look", "write")
    { name: "write", instructions: "Write the letter.", tools: ["write_letter"], until: { artifacts: ["letter"] } },
  ],
});
// #endregion

// #region subgraph
const desk = createAgent({
  name: "desk",
  instructions: "You pass work on.",
  model: scriptedModel([{ calls: [{ name: "writer", input: { task: "Write to A7." } }] }, "Done: the letter is written."]),
  registry: [agentTool(writer)], // a subgraph as a node, or a handoff
  sessions,
});
const handed = await desk.run("Write to A7.");
console.log(handed.status, "-", handed.text, `(${handed.usage.turns} turns together)`);
// #endregion
assert.deepEqual([handed.status, handed.usage.turns], ["done", 6]);
