// A tool asks a person: at once through an approver, or by a second call.
import assert from "node:assert/strict";
// #region imports
import { type Approver, createRegistry, defineTool } from "@toolrack/core";
// #endregion

// #region tool
const refund = defineTool({
  name: "refund",
  description: "Pays money back to a customer.",
  inputSchema: { type: "object", properties: { order: { type: "string" }, amount: { type: "number" } }, required: ["order", "amount"] },
  async handler({ order, amount }, context) {
    const answer = await context.ask({ message: `Pay ${amount} back for order ${order}?` });
    return answer.action === "accept" ? `${amount} paid back.` : "Nothing was paid back.";
  },
});
// #endregion

// #region approver
const approver: Approver = {
  // A real one asks in a terminal, a chat or a web page, and stops asking when request.signal is aborted.
  async ask(request) {
    const { amount } = request.input as { amount: number };
    return amount <= 50 ? { action: "accept" } : { action: "decline" };
  },
};
const registry = createRegistry({ approver });
registry.register(refund);
// #endregion

for (const amount of [20, 500]) {
  const result = await registry.invoke("refund", { order: "A7", amount });
  assert(result.ok);
  console.log(`${amount}: ${result.content}`);
}

// #region later
const alone = createRegistry(); // nobody can be asked here
alone.register(refund);
const input = { order: "A7", amount: 20 };
const first = await alone.invoke("refund", input);
if (!first.ok && first.code === "APPROVAL_REQUIRED") {
  const { digest, reason } = first.approval!;
  console.log(`Somebody has to decide: ${reason}`);
  // Hours later, with the answer of a person:
  const second = await alone.invoke("refund", input, { approval: { digest, answer: { action: "accept" } } });
  console.log(second.ok && second.content);
}
// #endregion

assert(!first.ok && first.approval);
// The digest binds the answer to these arguments: it is not valid for another call.
const other = await alone.invoke(
  "refund",
  { order: "A7", amount: 9_000 },
  { approval: { digest: first.approval.digest, answer: { action: "accept" } } },
);
assert(!other.ok && other.code === "APPROVAL_REQUIRED");
console.log(`The same answer for another amount: ${other.code}`);
