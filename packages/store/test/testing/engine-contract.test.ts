import { describe, expect, it, type TestContext } from "vitest";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import * as collect from "../../src/testing/contract/collect.ts";
import { engineContract } from "../../src/testing/engine-contract.ts";
import { runChecks } from "../_contract.ts";

describe("the checks of the engine contract", () => {
  it("each say how long they may take: one that hangs fails, and does not stop the run", () => {
    const checks = engineContract(createMemoryEngine);
    expect(checks.length).toBeGreaterThan(100);
    for (const { timeoutMs } of checks) expect(timeoutMs).toBeGreaterThanOrEqual(60_000);
  });

  it("keep a limit of their own, their group and their name, and clean up after themselves", async () => {
    const done: string[] = [];
    const checks = collect.collectChecks(
      () =>
        collect.describe("the audit", () => {
          collect.it("is quick", async () => void done.push("ran"), 5);
          collect.it("takes as long as most", () => Promise.reject(new Error("no")));
        }),
      async () => void done.push("cleaned"),
    );
    expect(checks).toMatchObject([
      { group: "the audit", name: "is quick", timeoutMs: 5 },
      { group: "the audit", name: "takes as long as most", timeoutMs: 60_000 },
    ]);
    await checks[0]!.run();
    await expect(checks[1]!.run()).rejects.toThrow("no");
    expect(done).toEqual(["ran", "cleaned", "cleaned"]);
  });

  const timeoutOf = (context: TestContext): number => context.task.timeout;
  const run = async (...[context]: unknown[]): Promise<void> => expect(timeoutOf(context as TestContext)).toBe(54_321);
  runChecks([{ group: "the tests of the store", name: "run each check with its own limit", run, timeoutMs: 54_321 }]);
});
