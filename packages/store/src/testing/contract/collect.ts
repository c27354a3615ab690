import type { ContractCheck } from "@toolrack/core/testing";

/** One thing that every engine must do. `run` rejects where an engine does not. Checks run one after another. */
export interface EngineCheck extends ContractCheck {
  /** What it is about: "search", "the audit" … */
  readonly group: string;
  /** How long it may take. */
  readonly timeoutMs: number;
}

let groups: string[] = [];
let checks: EngineCheck[] = [];

/** The checks that `body` describes. `cleanUp` runs after each of them. */
export function collectChecks(body: () => void, cleanUp: () => Promise<void>): readonly EngineCheck[] {
  groups = [];
  checks = [];
  body();
  return checks.map((check) => ({ ...check, run: () => check.run().finally(cleanUp) }));
}

export function describe(name: string, body: () => void): void {
  groups.push(name);
  body();
  groups.pop();
}

export function it(name: string, run: () => Promise<void>, timeoutMs = 60_000): void {
  checks.push({ group: groups.join(" "), name, run, timeoutMs });
}
