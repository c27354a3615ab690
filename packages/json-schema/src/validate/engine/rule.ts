import { type Complaint, Fault } from "../issues.ts";
import type { Resource } from "./resources.ts";

/**
 * One keyword, or a few that belong together, made ready to run.
 * Contract: answers whether the value passes; where `run.issues` is there, every fault is added to it before answering false.
 */
export type Rule = (value: unknown, run: Run, seen: Evaluated | undefined) => boolean;

/** What one validation carries along. */
export interface Run {
  /** Absent when only the verdict is wanted: rules then stop at the first fault. */
  readonly issues: Fault[] | undefined;
  readonly path: (string | number)[];
  /** The resources entered so far, outermost first; kept only for schemas with a `$dynamicRef`. */
  readonly scope: Resource[];
  /** Schemas visited: bounds the time that a hostile combination of unions may take. */
  steps: number;
}

export const maxSteps = 5_000_000;

/** More faults than this help nobody, and a long list of wrong items would cost more than the items themselves. */
export const maxIssues = 100;

export function createRun(issues: Fault[] | undefined): Run {
  return { issues, path: [], scope: [], steps: 0 };
}

/** Adds a fault at the current place (or at `key` below it), if anyone collects them, and answers false. */
export function complain(run: Run, complaint: Complaint, value: unknown, key?: string | number): false {
  if (run.issues !== undefined && run.issues.length < maxIssues) {
    run.issues.push(new Fault(run.path.slice(), key === undefined ? [] : [key], complaint, value));
  }
  return false;
}

/** Which properties and items of a value some rule has looked at: what `unevaluated…` asks for. */
export interface Evaluated {
  properties: Set<string> | "all";
  items: Set<number> | "all";
}

export function createEvaluated(): Evaluated {
  return { properties: new Set(), items: new Set() };
}

export function mergeEvaluated(into: Evaluated, from: Evaluated): void {
  if (from.properties === "all") into.properties = "all";
  else if (into.properties !== "all") for (const key of from.properties) into.properties.add(key);
  if (from.items === "all") into.items = "all";
  else if (into.items !== "all") for (const index of from.items) into.items.add(index);
}

/** Runs a rule for its verdict alone, whatever the run collects. */
export function passes(rule: Rule, value: unknown, run: Run, seen?: Evaluated): boolean {
  if (run.issues === undefined) return rule(value, run, seen);
  const quiet: Run = { issues: undefined, path: run.path, scope: run.scope, steps: run.steps };
  const verdict = rule(value, quiet, seen);
  run.steps = quiet.steps;
  return verdict;
}
