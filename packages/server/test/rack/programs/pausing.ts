// A server that is paused, or killed, in the middle of its calls: see lease.test.ts.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { defineTool } from "@toolrack/core";
import { openRack } from "../../../src/rack/open.ts";

/** What the program is told, one JSON object on each line. */
type Order = { readonly call: string; readonly key?: string } | { readonly release: true };

const [options = "{}", runs = ""] = process.argv.slice(2);
const say = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
let release = (): void => undefined;
const released = new Promise<void>((resolve) => (release = resolve));

/** It does not listen to its signal: what it began it ends. */
const slow = (name: string, readOnly: boolean) =>
  defineTool({
    name,
    description: "Ends once it is released.",
    inputSchema: { type: "object" },
    metadata: { annotations: { readOnly } },
    async handler(_input, { callId }) {
      appendFileSync(runs, `${callId}\n`);
      say({ ran: callId });
      await released;
      return "paid";
    },
  });

const rack = await openRack({
  ...(JSON.parse(options) as object),
  tools: [slow("pay", false), slow("look", true), slow("ask_first", false)],
});
say({ ready: rack.servers.name });
createInterface({ input: process.stdin }).on("line", (line) => {
  const order = JSON.parse(line) as Order;
  if ("release" in order) return release();
  const { call, key } = order;
  void rack
    .call(call, {}, { caller: { agent: "worker" }, ...(key !== undefined && { idempotencyKey: key }) })
    .result.then((answer) => say({ answer }));
});
