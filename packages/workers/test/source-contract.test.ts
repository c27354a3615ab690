import { defineTool } from "@toolrack/core";
import { sourceContract } from "@toolrack/core/testing";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { until } from "@toolrack/testkit/until";
import { describe, it } from "vitest";
import { createIdentity, createMemoryBroker, serveWorker, workerSource, type WorkerSource } from "../src/index.ts";

const server = createIdentity();
const worker = createIdentity();
const tool = (name: string) => defineTool({ name, description: `Does ${name}.`, inputSchema: { type: "object" }, handler: () => name });

describe("workerSource keeps the contract of sources", () => {
  const brokers = new WeakMap<WorkerSource, ReturnType<typeof createMemoryBroker>>();
  let more = 0;
  const start = async (broker: ReturnType<typeof createMemoryBroker>, ...names: string[]): Promise<void> => {
    const options = { link: broker.connect(), pool: "web", privateKey: worker.privateKey, servers: [server.publicKey] };
    const started = await serveWorker({ ...options, tools: names.map(tool) });
    afterThisTest(() => started.close());
  };
  const checks = sourceContract(
    "workers",
    () => {
      const broker = createMemoryBroker();
      void start(broker, "one", "two");
      const source = workerSource({ link: broker.connect(), pool: "web", privateKey: server.privateKey, workers: [worker.publicKey] });
      brokers.set(source, broker);
      afterThisTest(() => source.close?.());
      return source;
    },
    {
      tools: ["one", "two"],
      async change(source) {
        await source.list({ signal: new AbortController().signal });
        const before = source.workers().length;
        await start(brokers.get(source)!, `more${(more += 1)}`);
        await until(() => source.workers().length > before);
      },
    },
  );
  for (const check of checks) it(check.name, check.run);
});
