import { describe, expect, it } from "vitest";
import { createCallBudget } from "../../src/call/wrappers/limits/call-budget.ts";
import { createConcurrency } from "../../src/call/wrappers/limits/concurrency.ts";
import { createRateLimit } from "../../src/call/wrappers/limits/rate-limit.ts";
import { createResultSize } from "../../src/call/wrappers/result-size.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { CallLimits } from "../../src/call/chain.ts";

const count = (least: number) => `a whole number of at least ${least}`;
const ms = "a number of milliseconds of at least 0";
const retry = { attempts: 2, backoffMs: 1 };
const rate = { calls: 1, perMs: 1 };

/** Each limit of a registry: the same with this value, what it is called, and what it must be. */
const limits: [limit: (value: number) => CallLimits, name: string, must: string][] = [
  [(concurrency) => ({ concurrency }), "limit", count(1)],
  [(maxResultBytes) => ({ maxResultBytes }), "maxBytes", count(1)],
  [(calls) => ({ rate: [{ ...rate, calls }] }), "calls", count(1)],
  [(perMs) => ({ rate: [{ ...rate, perMs }] }), "perMs", ms],
  [(callsPerRun) => ({ callsPerRun }), "callsPerRun", count(1)],
  [(attempts) => ({ retry: { ...retry, attempts } }), "attempts", count(1)],
  [(backoffMs) => ({ retry: { ...retry, backoffMs } }), "backoffMs", ms],
  [(maxWaitMs) => ({ retry: { ...retry, maxWaitMs } }), "maxWaitMs", ms],
  [(warnAt) => ({ loops: { warnAt } }), "warnAt", count(1)],
  [(blockAt) => ({ loops: { warnAt: 1, blockAt } }), "blockAt", count(1)],
  [(history) => ({ loops: { history } }), "history", count(1)],
  [(maxRuns) => ({ loops: { maxRuns } }), "maxRuns", count(2)],
  [(failures) => ({ circuitBreaker: { failures } }), "failures", count(1)],
  [(coolDownMs) => ({ circuitBreaker: { coolDownMs } }), "coolDownMs", ms],
  [(maxTools) => ({ circuitBreaker: { maxTools } }), "maxTools", count(2)],
  [(maxSidePx) => ({ images: { maxSidePx } }), "maxSidePx", count(1)],
  [(maxBytes) => ({ images: { maxBytes } }), "maxBytes", count(1)],
];

/** Options that only who creates the wrapper can give. */
const wrappers: [create: (value: number) => unknown, name: string, must: string][] = [
  [(callsPerRun) => createCallBudget({ callsPerRun }), "callsPerRun", count(1)],
  [(maxRuns) => createCallBudget({ callsPerRun: 1, maxRuns }), "maxRuns", count(2)],
  [(maxWaiting) => createConcurrency({ maxWaiting }), "maxWaiting", count(0)],
  [(calls) => createRateLimit([{ ...rate, calls }]), "calls", count(1)],
  [(perMs) => createRateLimit([{ ...rate, perMs }]), "perMs", ms],
  [(maxKeys) => createRateLimit([rate], { maxKeys }), "maxKeys", count(2)],
  [(maxMediaBytes) => createResultSize({ maxMediaBytes }), "maxMediaBytes", count(1)],
  [(maxErrorBytes) => createResultSize({ maxErrorBytes }), "maxErrorBytes", count(1)],
];

const creations: typeof wrappers = [
  ...limits.map(([limit, name, must]): (typeof wrappers)[number] => [(value) => createRegistry({ limits: limit(value) }), name, must]),
  ...wrappers,
];

describe("a limit that cannot be held", () => {
  it("is refused when the registry or the wrapper is created, by its name and with what it must be", () => {
    for (const [create, name, must] of creations)
      for (const value of [-1, Number.POSITIVE_INFINITY])
        expect(() => create(value), name).toThrow(
          expect.objectContaining({ code: "CONFIG_INVALID", message: `${name} must be ${must}, but it is ${value}.` }),
        );
  });

  it("is not one of the smallest allowed value, but the next smaller is", () => {
    for (const [create, name, must] of creations) {
      const least = Number(must.at(-1));
      expect(() => create(least), name).not.toThrow();
      expect(() => create(least - 1), name).toThrow(`${name} must be ${must}`);
      if (must !== ms) expect(() => create(least + 0.5), name).toThrow(`${name} must be ${must}`);
    }
  });
});
