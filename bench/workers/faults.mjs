import { setTimeout as sleep } from "node:timers/promises";
import { defineTool } from "@toolrack/core";

const rounds = 200;
const slots = 8;
/** Handlers take 10 to 30 ms, so that slots do not become free all at the same moment. */
const handlerMs = (count) => 10 + ((count * 7) % 21);
/** An answer that there is no worker may take so long while the broker is away. */
const mostMs = 50;
/** Another caller may wait so many times as long as without a flood. */
const mostGrowth = 2;

/** How soon a call is answered while the broker is away: the registry has a tool of a worker, whose broker `end` stops. */
export async function measureAway({ registry, end }) {
  registry.register(defineTool({ name: "near", description: "Is here.", inputSchema: { type: "object" }, handler: () => "here" }));
  const timesOf = async (name, input, isRight) => {
    const times = [];
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      const result = await registry.invoke(name, input);
      times.push(performance.now() - start);
      if (!isRight(result)) throw new Error(`${name}: ${JSON.stringify(result)}`);
    }
    return times;
  };
  const before = await timesOf("near", {}, ({ ok }) => ok);
  await end();
  // The first answers may still come from a worker that nobody knows to be gone.
  while ((await registry.invoke("double", { n: 1 })).code !== "TOOL_UNAVAILABLE") await sleep(10);
  const away = await timesOf("double", { n: 1 }, ({ code }) => code === "TOOL_UNAVAILABLE");
  const near = await timesOf("near", {}, ({ ok }) => ok);
  const longest = Math.max(...away);
  return {
    caption: `The broker is away: ${rounds} calls of each tool, one after the other`,
    columns: ["tool", "p50", "longest", "target", "verdict"],
    rows: [
      ["of this process, before", ms(percentile(before, 0.5)), ms(Math.max(...before)), "", ""],
      ["of this process, meanwhile", ms(percentile(near, 0.5)), ms(Math.max(...near)), "", ""],
      ["of a worker: none is there", ms(percentile(away, 0.5)), ms(longest), `≤ ${ms(mostMs)}`, longest <= mostMs ? "ok" : "over"],
    ],
  };
}

let begun = 0;

/** A tool that keeps a slot of its worker for a while. */
export const slowTool = defineTool({
  name: "slow",
  description: "Takes a moment.",
  inputSchema: { type: "object" },
  handler: async () => {
    await sleep(handlerMs(begun++));
    return "done";
  },
});

/** What a caller waits for while another one keeps ten times as many calls waiting as there are slots. */
export async function measureFlood({ registry }) {
  const call = async (agent) => {
    const start = performance.now();
    const result = await registry.invoke("slow", {}, { caller: { agent } });
    if (!result.ok) throw new Error(result.error);
    return performance.now() - start;
  };
  const timesOf = async () => {
    const times = [];
    for (let round = 0; round < rounds; round++) times.push(await call("small"));
    return times;
  };
  const idle = await timesOf();
  let isOver = false;
  const floods = Array.from({ length: 10 * slots }, async () => {
    while (!isOver) await call("flood");
  });
  const flooded = await timesOf();
  isOver = true;
  await Promise.all(floods);
  const growth = percentile(flooded, 0.95) / percentile(idle, 0.95);
  return {
    caption: `Another caller floods the pool: ${10 * slots} of its calls, each of 10 to 30 ms, at any time on ${slots} slots`,
    columns: ["a caller with one call at a time", "p50", "p95", "growth", "target", "verdict"],
    rows: [
      ["alone", ms(percentile(idle, 0.5)), ms(percentile(idle, 0.95)), "", "", ""],
      [
        "beside the flood",
        ms(percentile(flooded, 0.5)),
        ms(percentile(flooded, 0.95)),
        `${growth.toFixed(2)}×`,
        `< ${mostGrowth}×`,
        growth < mostGrowth ? "ok" : "over",
      ],
    ],
  };
}

export const floodSlots = slots;

function percentile(times, part) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * part)];
}

function ms(value) {
  return `${value.toFixed(1)} ms`;
}
