// A server that is killed while it keeps ends of calls: see recording.test.ts.
import { createInterface } from "node:readline";
import { defineTool } from "@toolrack/core";
import { openRack } from "../../../src/rack/open.ts";

const [folder = ".", url = ""] = process.argv.slice(2);
const say = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
let release!: () => void;
const gate = new Promise<void>((resolve) => (release = resolve));

const work = defineTool({
  name: "work",
  description: "Waits until it is told, or for ever.",
  inputSchema: { type: "object", properties: { ends: { type: "boolean" } } },
  async handler({ ends }, { callId }) {
    say({ ran: callId });
    await (ends === true ? gate : new Promise(() => {}));
    return "done";
  },
});

const rack = await openRack({ folder, environment: { DATABASE_URL: url }, tools: [work], config: { policy: { unknownAgents: "allow" } } });
for (let count = 0; count < 12; count++) {
  const call = rack.call("work", { ends: count % 4 !== 0 }, { caller: { agent: "worker" } });
  void call.result.then((result) => say({ done: call.callId, ok: result.ok, warnings: result.meta.warnings ?? [] }));
}
createInterface({ input: process.stdin }).on("line", () => release());
