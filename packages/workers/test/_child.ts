import { defineTool } from "@toolrack/core";
import { serveWorker } from "../src/index.ts";
import { natsLink } from "../src/link/nats.ts";

// A worker in a process of its own. It prints a line for each call that it begins, and ends calls when it is told to.
const {
  url,
  privateKey,
  servers,
  slots = 8,
} = JSON.parse(process.argv[2]!) as {
  readonly url: string;
  readonly privateKey: string;
  readonly servers: readonly string[];
  readonly slots?: number;
};
const print = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const held: (() => void)[] = [];
let isHolding = false;
let told = "";
process.stdin.on("data", (data: Buffer) => {
  told += data.toString();
  const lines = told.split("\n");
  told = lines.pop()!;
  for (const line of lines) {
    isHolding = JSON.parse(line) === "hold";
    if (!isHolding) for (const release of held.splice(0)) release();
    print({ is: isHolding ? "holding" : "free" });
  }
});

const tool = (name: string, idempotent: boolean) =>
  defineTool({
    name,
    description: "Begins, and ends when it may.",
    inputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    metadata: { annotations: { idempotent } },
    async handler({ n }) {
      print({ began: n });
      if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
      return `${n} by ${process.pid}`;
    },
  });

/** Does its work, and is gone before it can say so. */
const dies = (name: string, idempotent: boolean) =>
  defineTool({
    ...tool(name, idempotent),
    handler: ({ n }) => {
      print({ began: n });
      if (isHolding) process.kill(process.pid, "SIGKILL");
      return `${n} by ${process.pid}`;
    },
  });

const link = await natsLink({ servers: url, user: "all", password: "all" });
const worker = await serveWorker({
  link,
  tools: [tool("once", false), tool("often", true), dies("dies", false), dies("dies_often", true)],
  pool: "web",
  privateKey,
  servers,
  slots,
});
print({ is: "ready", instance: worker.instance });
await worker.ended;
await link.close();
print({ is: "ended" });
process.exit(0);
