import { describe, it } from "vitest";
import type { EngineCheck } from "../src/testing/contract/collect.ts";

/** Registers the checks of the contract, in their groups. */
export function runChecks(checks: readonly EngineCheck[]): void {
  const groups = new Map<string, EngineCheck[]>();
  for (const check of checks) groups.set(check.group, [...(groups.get(check.group) ?? []), check]);
  for (const [group, own] of groups)
    describe(group, () => {
      for (const { name, run, timeoutMs } of own) it(name, run, timeoutMs);
    });
}
