// A second server on the same database, in a process of its own: see servers.test.ts.
import { setTimeout as sleep } from "node:timers/promises";
import { defineTool } from "@toolrack/core";
import { openRack } from "../../../src/rack/open.ts";

const [connectionString = ""] = process.argv.slice(2);
const hold = defineTool({
  name: "hold",
  description: "Runs until it is cancelled.",
  inputSchema: { type: "object" },
  async handler(_input, { callId, signal }) {
    process.stdout.write(`${JSON.stringify({ ran: callId })}\n`);
    await sleep(3_600_000, undefined, { signal });
    return "never";
  },
});
const rack = await openRack({
  environment: { DATABASE_URL: connectionString, TOOLRACK_MASTER_KEY: Buffer.alloc(32, 1).toString("base64") },
  config: { policy: { unknownAgents: "allow" } },
  tools: [hold],
});
void rack.call("hold", {}, { caller: { agent: "worker" } });
void rack.call("hold", {}, { caller: { agent: "worker" } });
