import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { median } from "../lib/measure.mjs";

const faults = ["healthy", "dead", "slow", "flapping"];

/** What calls of nineteen healthy servers take while the twentieth misbehaves: milliseconds, median and 99th percentile. */
export async function measureFaults({ createRegistry, mcpSource }, { rounds = 30, roundMs = 600 } = {}) {
  const child = fork(fileURLToPath(new URL("./servers.mjs", import.meta.url)));
  const [servers] = await once(child, "message");
  const registry = createRegistry();
  const sources = servers.map(({ url, host }, index) =>
    mcpSource({
      name: `s${index}`,
      url,
      allowHosts: [host],
      ...(index === 19 && { callTimeoutMs: 200, backoffMs: 20, maxBackoffMs: 200 }),
    }),
  );
  await Promise.all(sources.map((source) => registry.addSource(source)));
  const seen = new Map(faults.map((fault) => [fault, { medians: [], highs: [] }]));
  try {
    await runRound(registry, roundMs); // warm
    for (let round = 0; round < rounds; round++) {
      for (let turn = 0; turn < faults.length; turn++) {
        const fault = faults[(round + turn) % faults.length];
        child.send(fault);
        await once(child, "message");
        await runRound(registry, 200); // the fault takes hold
        const latencies = (await runRound(registry, roundMs)).sort((a, b) => a - b);
        seen.get(fault).medians.push(latencies[Math.floor(latencies.length / 2)]);
        seen.get(fault).highs.push(latencies[Math.floor(latencies.length * 0.99)]);
      }
    }
  } finally {
    await registry.close();
    child.kill();
  }
  return faults.map((fault) => ({ fault, median: median(seen.get(fault).medians), high: median(seen.get(fault).highs) }));
}

/** A call on each server every now and then, far from what the machine can do; those of the last server are made too, and not counted. */
async function runRound(registry, ms) {
  const latencies = [];
  const end = performance.now() + ms;
  const work = async (name, counts) => {
    while (performance.now() < end) {
      const started = performance.now();
      const result = await registry.invoke(name, { text: "hi" });
      if (counts && !result.ok) throw new Error(`${name}: ${result.error}`);
      if (counts) latencies.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 80 + Math.random() * 80));
    }
  };
  await Promise.all(Array.from({ length: 20 }, (_, index) => work(`s${index}__echo`, index < 19)));
  return latencies;
}
