import { normalizeToolName } from "../tool/name.ts";
import { isGovernedAs } from "../tool/registered.ts";
import { compilePattern } from "../util/glob.ts";
import { createLateWrapper } from "./late-wrapper.ts";
import { type LoopDetectionOptions, readLoopOptions } from "./loop-options.ts";
import type { Wrapper } from "./wrapper.ts";
import { requireCount, requireMs } from "./require-number.ts";
import type { RateLimitRule } from "./wrappers/limits/rate-limit.ts";

// Limits that count the calls of a caller or a run, loaded when a registry is made that has them. Their options are checked at once.

export function createLateRateLimit(given: readonly RateLimitRule[]): Wrapper {
  const rules = structuredClone(given); // what the caller changes in them later is not seen
  const matches = rules.map(({ calls, perMs, tool = "*" }) => {
    requireCount("calls", calls);
    requireMs("perMs", perMs);
    return compilePattern(normalizeToolName(tool));
  });
  return createLateWrapper({
    name: "rate-limit",
    appliesTo: (tool) => matches.some((match) => isGovernedAs(tool, (name) => match(normalizeToolName(name)))),
    methods: ["beforeRun"],
    load: () => import("./wrappers/limits/rate-limit.ts").then(({ createRateLimit }) => createRateLimit(rules)),
  });
}

export function createLateCallBudget(callsPerRun: number): Wrapper {
  requireCount("callsPerRun", callsPerRun);
  return createLateWrapper({
    name: "call-budget",
    methods: ["beforeRun"],
    load: () => import("./wrappers/limits/call-budget.ts").then(({ createCallBudget }) => createCallBudget({ callsPerRun })),
  });
}

export function createLateLoopDetection(given: LoopDetectionOptions): Wrapper {
  const options = readLoopOptions(given);
  return createLateWrapper({
    name: "loop-detection",
    methods: ["beforeRun", "finish"],
    load: () => import("./wrappers/limits/loop-detection.ts").then(({ createLoopDetection }) => createLoopDetection(options)),
  });
}
