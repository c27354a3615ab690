// A server that is killed while it works: see crash.test.ts.
import { setTimeout as sleep } from "node:timers/promises";
import { defineTool } from "@toolrack/core";
import { openRack } from "../../../src/rack/open.ts";

const [folder = ".", upstream = "", marker = ""] = process.argv.slice(2);
const say = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const work = defineTool({
  name: "work",
  description: "Takes so long, or for ever.",
  inputSchema: { type: "object", properties: { ms: { type: "number" } } },
  async handler({ ms }, { callId, signal }) {
    say({ ran: callId });
    await sleep(ms ?? 3_600_000, undefined, { signal });
    return "done";
  },
});

const rack = await openRack({
  folder,
  environment: {},
  tools: [work],
  config: {
    policy: { unknownAgents: "allow", tools: { ask: ["ask_first"] } },
    tools: { packs: { runtime: true } },
    sources: { upstream: { command: process.execPath, args: [upstream, marker] } },
  },
});
rack.registry.register(
  defineTool({ name: "ask_first", description: "Waits for a person.", inputSchema: { type: "object" }, handler: () => "x" }),
);
const program = [process.execPath, "-e", "setInterval(() => {}, 1000)", `${marker}-exec`];
void rack.call("exec", { argv: program }, { caller: { agent: "worker", owner: true } });
for (let count = 0; count < 100; count++) {
  const call = rack.call("work", count % 2 === 0 ? { ms: count * 8 } : {}, { caller: { agent: "worker" } });
  say({ called: call.callId });
  void call.result.then(({ ok }) => say({ done: call.callId, ok }));
}
say({ asked: rack.call("ask_first", {}, { caller: { agent: "worker" } }).callId });
