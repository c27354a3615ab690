// A server in a process of its own, whose calls over MCP become tasks at once: see killed-task.test.ts.
import { openRack } from "../../../src/rack/open.ts";
import { serve } from "../../../src/serve.ts";
import { type How, taskTools } from "./task-tools.ts";

const [folder = ".", how = "", database = ""] = process.argv.slice(2);
const say = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const rack = await openRack({
  folder,
  environment: database === "" ? {} : { DATABASE_URL: database, TOOLRACK_MASTER_KEY: Buffer.alloc(32, 1).toString("base64") },
  tools: taskTools(folder, how as How, say),
  config: { policy: { unknownAgents: "allow" } },
  leaseTimes: { beatMs: 200, silentMs: 2_000, lostDelaysMs: [50] },
});
const { url, close } = await serve(rack, { port: 0, consoleFolder: false });
process.on("SIGTERM", () => void close({ graceMs: 0 }).then(() => process.exit()));
say({ url, token: rack.ownerToken.text });
