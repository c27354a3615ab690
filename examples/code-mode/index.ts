// A model writes programs over governed tools: one call, the policy of each inner call, and a wait that outlives the server.
import assert from "node:assert/strict";
// #region open
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { defineTool } from "@toolrack/core";
import { openRack, type Rack } from "@toolrack/server";

const orders: Readonly<Record<string, { status: "open" | "paid"; total: number }>> = {
  "O-1": { status: "open", total: 99.8 },
  "O-2": { status: "paid", total: 19.5 },
  "O-3": { status: "open", total: 12 },
};
const folder = mkdtempSync(join(tmpdir(), "toolrack-example-"));

const tools = [
  defineTool({
    name: "find_order",
    description: "Finds an order by its number.",
    inputSchema: { type: "object", properties: { id: { type: "string", description: "like O-1" } }, required: ["id"] },
    outputSchema: { type: "object", properties: { status: { enum: ["open", "paid"] }, total: { type: "number" } } },
    metadata: { annotations: { readOnly: true } },
    handler: ({ id }) => orders[id] ?? { ok: false as const, error: `There is no order ${id}.`, code: "INPUT_INVALID" as const },
  }),
  defineTool({
    name: "refund",
    description: "Pays money back.",
    inputSchema: { type: "object", properties: { id: { type: "string" }, amount: { type: "number" } }, required: ["id", "amount"] },
    handler: ({ id, amount }) => `paid ${amount} back for ${id}`,
  }),
];
const open = (): Promise<Rack> =>
  openRack({
    folder,
    tools,
    config: {
      tools: { packs: { utility: false, programs: true } }, // run_code
      policy: { tools: { ask: ["refund"] } }, // a person approves each refund, also inside a program
      agents: { desk: {} },
    },
  });

let rack = await open();
const caller = { agent: "desk" };
// #endregion

// #region run
const code = `
const found = await Promise.all(input.ids.map((id) => tools.find_order({ id })));
console.log("orders:", found.length);
return found.filter((order) => order.status === "open").reduce((sum, order) => sum + order.total, 0);
`;
const result = await rack.call("run_code", { code, input: { ids: ["O-1", "O-2", "O-3"] } }, { caller }).result;
if (result.ok) console.log(result.data);
// #endregion
assert.deepEqual(result.ok && result.data, { value: 111.8, logs: ["orders: 3"] });

// #region errors
const wrong = await rack.call("run_code", { code: "return await tools.find_order({ number: 1 });" }, { caller }).result;
if (!wrong.ok) console.log(wrong.error);
// #endregion
assert(!wrong.ok && wrong.error.includes("Signature: find_order({ id: string"));

// #region wait
void rack.call("run_code", { code: 'return await tools.refund({ id: "O-1", amount: 5 });' }, { caller });
const question = await firstQuestion(rack);
console.log(`${question.tool} waits at line ${question.program?.line}: ${question.program?.text}`);
await rack.close({ graceMs: 0 }); // or the machine is switched off

rack = await open();
await rack.approvals.decide(question.id, { approved: true, by: "anna" });
const program = await ended(rack, question.program!.id);
console.log(program.status, program.outcome?.value);
// #endregion
assert.deepEqual([program.status, program.outcome?.value], ["ended", "paid 5 back for O-1"]);
await rack.close({ graceMs: 0 });
rmSync(folder, { recursive: true, force: true });

// #region looks
async function firstQuestion({ approvals }: Rack) {
  for (;;) {
    const [first] = await approvals.list();
    if (first !== undefined) return first;
    await sleep(10);
  }
}

async function ended({ programs }: Rack, id: string) {
  for (;;) {
    const found = await programs.show(id);
    if (found !== undefined && found.status !== "waiting") return found;
    await sleep(10);
  }
}
// #endregion
