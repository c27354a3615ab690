import { expect, it, vi } from "vitest";
import { afterThisTest } from "../src/cleanup.ts";
import { startLoopback } from "../src/loopback.ts";
import { until } from "../src/until.ts";

// In a process of its own: what other tests left would be counted, too.
const clocks = {
  "only setTimeout": ["setTimeout", "clearTimeout"],
  "only setInterval": ["setInterval", "clearInterval"],
  "only setImmediate": ["setImmediate", "clearImmediate"],
  "every timer": undefined,
} as const;

it.each(Object.entries(clocks))("Node's own code keeps its timers while a test moves %s", async (_, toFake) => {
  const server = await startLoopback((_request, response) => void response.end("x"));
  afterThisTest(() => server[Symbol.asyncDispose]());
  afterThisTest(() => void vi.useRealTimers());
  vi.useFakeTimers(toFake && { toFake: [...toFake] });
  expect(await (await fetch(server.url)).text()).toBe("x");
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  await until(async () => (await (await fetch(server.url)).text()) === "x");
});

it.each(["setTimeout", "setInterval"] as const)("the test moves what it began with %s, and clears it", async (name) => {
  const clear = name === "setTimeout" ? "clearTimeout" : "clearInterval";
  afterThisTest(() => void vi.useRealTimers());
  let rung = 0;
  const before = globalThis[name](() => rung++, 1);
  vi.useFakeTimers();
  const [first, second] = [globalThis[name](() => rung++, 5), globalThis[name](() => rung++, 5)];
  expect(vi.getTimerCount()).toBe(2);
  globalThis[clear](second);
  // One from before is a timer of Node.
  globalThis[clear](before);
  await vi.advanceTimersByTimeAsync(5);
  expect(rung).toBe(1);
  globalThis[clear](first);
  expect(vi.getTimerCount()).toBe(0);
});
