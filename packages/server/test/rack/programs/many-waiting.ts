// A server with many programs that wait for a person, in a process of its own: see waiting-memory.test.ts.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { defineTool } from "@toolrack/core";
import { openRack } from "../../../src/rack/open.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const [folder = ".", count = "0"] = process.argv.slice(2);

const pay = defineTool({ name: "pay", description: "Pays.", inputSchema: { type: "object" }, handler: () => ({ ok: true }) });
const rack = await openRack({
  folder,
  tools: [pay],
  config: {
    tools: { packs: { programs: true } },
    policy: { unknownAgents: "allow", tools: { ask: ["pay"] } },
    approvals: { maxWaitingTotal: 2_000, waitMs: 3_600_000 },
  },
});
/** Holds about half a megabyte while it waits. */
const code =
  'const rows = []; for (let i = 0; i < 1500; i++) rows.push({ id: i, name: "row " + i }); await tools.pay({}); return rows.length;';

let began = 0;
async function begin(more: number): Promise<number> {
  for (const end = began + more; began < end;) {
    for (let index = 0; index < 20 && began < end; index++, began++)
      void rack.call("run_code", { code }, { caller: { agent: `agent-${began % 100}` } });
    while ((await rack.approvals.list()).length < began) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  collect();
  await new Promise((resolve) => setTimeout(resolve, 200));
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const before = await begin(5);
const after = await begin(Number(count));
process.stdout.write(`${JSON.stringify({ bytesEach: (after - before) / Number(count), waiting: began })}\n`);
process.exit(0);
