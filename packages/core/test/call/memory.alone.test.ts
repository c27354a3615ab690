import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { settle } from "../../src/testing/fake-clock.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

async function heapBytes(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    await settle();
    collect();
  }
  return process.memoryUsage().heapUsed;
}

/** How much larger the heap is after so many calls, once it has warmed up. */
async function growth(
  calls: number,
  call: (index: number) => Promise<unknown>,
  warmingUp = Math.min(calls, sized(5_000, 20_000)),
): Promise<number> {
  const make = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index++) await call(index);
  };
  await make(warmingUp);
  const before = await heapBytes();
  await make(calls);
  return (await heapBytes()) - before;
}

function registryWith(options: RegistryOptions = {}): Registry {
  const registry = createRegistry(options);
  registry.register(fakeTool());
  registry.register(fakeTool({ name: "later", handler: async () => (await Promise.resolve(), "done") }));
  registry.register(
    fakeTool({ name: "watches", handler: async (_, { signal }) => (signal.throwIfAborted(), await Promise.resolve(), "done") }),
  );
  registry.register(fakeTool({ name: "nested", handler: async (_, { call }) => call("later", {}) }));
  return registry;
}

// One call leaves less than 100 bytes, and in the long form less than 20: an entry in a map, a listener or a timer would be several times that.
const many = sized(20_000, 200_000);
const some = sized(15_000, 50_000);
const cancelledCalls = sized(10_000, 20_000);
const megabyte = 1_048_576;
const bound = sized(2, 4) * megabyte;

describe("the heap is where it was", () => {
  it(`after ${many} calls`, async () => {
    const registry = registryWith();
    expect(await growth(many, () => registry.invoke("echo", { text: "hi" }))).toBeLessThan(bound);
  });

  it(`after ${many} calls with a deadline and one signal for all`, async () => {
    const registry = registryWith();
    const { signal } = new AbortController();
    expect(await growth(many, () => registry.invoke("later", {}, { signal, timeoutMs: 60_000 }))).toBeLessThan(bound);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it(`after ${many} deadlines, each of another length, while one call runs on`, async () => {
    const registry = registryWith();
    const controller = new AbortController();
    registry.register(fakeTool({ name: "hang", handler: () => new Promise(() => {}) }));
    const running = registry.invoke("hang", {}, { signal: controller.signal, timeoutMs: 3_600_000 });
    expect(await growth(many, (index) => registry.invoke("later", {}, { timeoutMs: 60_000 + index / 1_000 }))).toBeLessThan(bound);
    controller.abort();
    await running;
  });

  it(`after ${some} calls whose handlers watch the signal, and ${some} that make a call of their own`, async () => {
    const registry = registryWith();
    const { signal } = new AbortController();
    expect(await growth(some, () => registry.invoke("watches", {}, { signal, timeoutMs: 60_000 }))).toBeLessThan(bound);
    expect(await growth(some, () => registry.invoke("nested", {}, { signal }))).toBeLessThan(bound);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("after refusals of every kind, by callers of all names", async () => {
    const registry = registryWith({
      limits: { rate: [{ calls: 1, perMs: 1 }], loops: {}, callsPerRun: 3, circuitBreaker: {} },
      policy: readPolicyConfig({ tools: { deny: ["nested"] } }),
    });
    const refused = async (index: number): Promise<void> => {
      const caller = { agent: `agent-${index}`, run: `run-${index}` };
      await registry.invoke("nothing", {}, { caller });
      await registry.invoke("echo", { text: index }, { caller });
      await registry.invoke("nested", {}, { caller });
    };
    // What is kept per caller is bounded, and full after ten thousand, of which five thousand come with the warming up.
    for (let index = 0; index < 6_000; index++) await refused(index);
    expect(await growth(5_000, (index) => refused(100_000 + index))).toBeLessThan(bound);
  });

  it(`after ${some} calls with keys of their own, beyond the number of answers that are kept`, async () => {
    const registry = registryWith();
    let used = 0;
    const keyed = (): Promise<unknown> => registry.invoke("echo", {}, { idempotencyKey: `key-${used++}` });
    expect(await growth(some, keyed, some)).toBeLessThan(2 * bound);
  });

  it(`after ${cancelledCalls} calls that were cancelled while their handlers never settle`, async () => {
    const registry = registryWith();
    registry.register(fakeTool({ name: "hang", handler: (_, { signal }) => (signal.throwIfAborted(), new Promise(() => {})) }));
    const cancelled = async (): Promise<void> => {
      const controller = new AbortController();
      const call = registry.invoke("hang", {}, { signal: controller.signal, timeoutMs: 60_000 });
      controller.abort();
      await call;
    };
    expect(await growth(cancelledCalls, cancelled)).toBeLessThan(bound);
  });
});
