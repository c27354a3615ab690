// Agents on a server: a run over HTTP, a question to a person, and the answer that wakes the session.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { defineTool } from "@toolrack/core";
// #region imports
import { openServer } from "@toolrack/server";
// #endregion

const file = fileURLToPath(new URL("../../server-agents/toolrack.config.yaml", import.meta.url));
const inputSchema = { type: "object", properties: { order: { type: "string" } }, required: ["order"] } as const;
const orderStatus = defineTool({
  name: "order_status",
  description: "Tells where an order is.",
  inputSchema,
  metadata: { annotations: { readOnly: true } },
  handler: ({ order }) => `Order ${order} was sent.`,
});
const refund = defineTool({
  name: "refund",
  description: "Pays an order back.",
  inputSchema,
  handler: ({ order }) => `Order ${order} was paid back.`,
});

// #region open
const server = await openServer({ config: file, port: 0, tools: [orderStatus, refund] });
const headers = { "content-type": "application/json", authorization: `Bearer ${server.rack.ownerToken.text}` };
// #endregion

// #region run
const answer = await fetch(`${server.url}/api/v1/agents/desk/runs`, {
  method: "POST",
  headers,
  body: JSON.stringify({ input: 'call order_status {"order": "A-17"}', session: "customer-4", wait: true }),
});
const run = (await answer.json()) as { session: string; status: string; text: string };
console.log(run.status, run.text); // done, with what the tool answered
// #endregion
assert.equal(run.text, "order_status answered: Order A-17 was sent.");

// #region approval
const { agents, approvals } = server.rack;
await agents.send(run.session, 'call refund {"order": "A-17"}', { kind: "person", id: "owner" });
while ((await approvals.list()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
const [question] = await approvals.list(); // nothing runs while it waits: the session is in the store
await approvals.decide(question!.id, { approved: true, by: "owner" });
await agents.settled(run.session, AbortSignal.timeout(10_000));
const [last] = (await agents.sessions.messages(run.session)).slice(-1);
console.log(last!.message); // what the agent said then
// #endregion
assert.match(JSON.stringify(last!.message), /Order A-17 was paid back/);
await server.close();
