// A server on a database, in a process of its own, which has a task: see killed-task.test.ts.
import { openRack } from "../../../src/rack/open.ts";

const [connectionString = ""] = process.argv.slice(2);
const rack = await openRack({
  environment: { DATABASE_URL: connectionString, TOOLRACK_MASTER_KEY: Buffer.alloc(32, 1).toString("base64") },
  config: { policy: { unknownAgents: "allow" } },
});
const now = new Date().toISOString();
await rack.tasks.create({
  taskId: "left",
  owner: "ann",
  tool: "slow",
  status: "working",
  createdAt: now,
  lastUpdatedAt: now,
  ttlMs: 3_600_000,
  pollIntervalMs: 1_000,
  inputRequests: {},
  inputResponses: {},
  revision: 1,
} as never);
process.stdout.write(`${JSON.stringify("made")}\n`);
setInterval(() => undefined, 60_000);
