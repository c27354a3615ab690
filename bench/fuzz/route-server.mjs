import { parentPort } from "node:worker_threads";
import { createApp, openRack } from "../../packages/server/dist/index.js";
import { defineTool } from "../../packages/core/lib/index.js";
import { openFuzzTarget } from "./route-target.mjs";

/**
 * The server that is fuzzed, in a thread of its own, so that making requests and judging answers do not count as waiting for it. Another
 * caller asks for something small here all the time; what it waits includes what the thread was busy with when it wanted to ask.
 */
const target = await openFuzzTarget({ openRack, createApp, defineTool });
const waits = [];
let largest = 0;
let isOver = false;

const everyMs = 20;

async function probe() {
  let due = performance.now();
  while (!isOver) {
    const { status } = await target.ask({ method: "GET", path: "/api/v1/calls?limit=1", headers: {}, caller: "plain" });
    const now = performance.now();
    if (status === 200) waits.push(now - due);
    largest = Math.max(largest, process.memoryUsage().heapUsed);
    // What was missed while the thread was busy is not asked for again.
    due = Math.max(due + everyMs, now);
    await new Promise((resolve) => setTimeout(resolve, due - now));
  }
}
const probing = probe();

parentPort.on("message", async ({ id, request }) => {
  if (request === undefined) {
    isOver = true;
    await probing;
    await target.close();
    parentPort.postMessage({ id, answer: { waits, largest } });
    parentPort.close();
    return;
  }
  try {
    parentPort.postMessage({ id, answer: await target.ask(request) });
  } catch (error) {
    parentPort.postMessage({ id, error: String(error?.message ?? error) });
  }
});
parentPort.postMessage({ ready: { secrets: target.secrets, callers: target.callers, outward: [...target.outward] } });
