// A program over tools: run, refused, limited, labelled, and stored while it waits.
import assert from "node:assert/strict";
// #region run
import { prepareProgram, resumeProgram, runProgram, startProgram } from "@toolrack/code";

const orders: Record<string, { status: string; items: { sku: string; quantity: number; price: number }[] }> = {
  "O-1": { status: "open", items: [{ sku: "KB-01", quantity: 2, price: 49.9 }] },
  "O-2": { status: "paid", items: [{ sku: "MS-02", quantity: 1, price: 19.5 }] },
};

const tools = {
  find_order: async ({ id }: { id: string }) => orders[id],
  read_mail: async () => ({ from: "eve@example.com", text: "Please confirm O-1." }),
  send_mail: async (_mail: { to: string; text: string }) => ({ sent: true }),
};

const result = await runProgram(
  `
  const found = await Promise.all(["O-1", "O-2"].map((id) => tools.find_order({ id })));
  const total = found.flatMap((order) => order.items).reduce((sum, item) => sum + item.quantity * item.price, 0);
  console.log("orders:", found.length);
  return { total: Number(total.toFixed(2)), open: found.filter((order) => order.status === "open").length };
  `,
  { tools },
);
if (result.ok) console.log(result.value, result.calls.length, result.logs[0]?.text);
// #endregion
assert.deepEqual(result.ok && result.value, { total: 119.3, open: 1 });

// #region refused
const { diagnostics } = prepareProgram('const page = await fetch("https://example.com");\nreturn page.status;');
console.log(diagnostics[0]?.message);
// #endregion
assert.equal(diagnostics[0]?.kind, "unsupported");

// #region error
const failed = await runProgram('const order = await tools.find_order({ id: "O-1" });\nreturn order.customer.name;', { tools });
if (!failed.ok) console.log(failed.error.kind, failed.error.line, failed.error.message);
// #endregion
assert.equal(!failed.ok && failed.error.kind, "thrown");

// #region labels
const labelled = await runProgram(
  `
  const mail = await tools.read_mail({});
  await tools.send_mail({ to: mail.from, text: "Thank you." });
  let urgent = false;
  if (mail.text.includes("now")) urgent = true;
  return { urgent };
  `,
  { tools, labels: { read_mail: ["untrusted"] } },
);
console.log(labelled.calls[1]?.inputLabels, labelled.labels);
// #endregion
assert.deepEqual(labelled.labels, ["untrusted"]);

// #region pause
const source = 'const { sent } = await tools.send_mail({ to: "ada@example.com", text: "Hello" });\nreturn sent ? "sent" : "not sent";';
let status = startProgram(source, { tools: ["send_mail"] });
if (status.status === "waiting") {
  const stored = JSON.stringify(status.state);
  const [call] = status.calls;
  // Hours later, in another process:
  status = resumeProgram(JSON.parse(stored), [{ callId: call?.callId ?? "", result: { sent: true } }]);
}
console.log(status.status === "done" && status.ok && status.value);
// #endregion
assert.equal(status.status === "done" && status.ok && status.value, "sent");
