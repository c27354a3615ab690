import { discriminatorFaults } from "./discriminator.ts";
import { type Complaint, Fault, orList, pointerOf, show } from "../issues.ts";
import { complain, createEvaluated, type Evaluated, maxIssues, mergeEvaluated, passes, type Rule, type Run } from "./rule.ts";

export function allOfRule(rules: readonly Rule[]): Rule {
  return (value, run, seen) => {
    let ok = true;
    for (const rule of rules) {
      if (rule(value, run, seen)) continue;
      if (run.issues === undefined) return false;
      ok = false;
    }
    return ok;
  };
}

export function anyOfRule(rules: readonly Rule[]): Rule {
  return (value, run, seen) => {
    let matched = false;
    for (const rule of rules) {
      if (!tryBranch(rule, value, run, seen)) continue;
      matched = true;
      if (seen === undefined) break; // every passing branch counts for `unevaluated…`
    }
    if (!matched) explainClosest(rules, value, run, "anyOf");
    return matched;
  };
}

const tooManyKinds: Complaint = { keyword: "oneOf", expected: "of exactly one of the allowed kinds" };

export function oneOfRule(rules: readonly Rule[]): Rule {
  return (value, run, seen) => {
    let matched = 0;
    for (const rule of rules) {
      if (tryBranch(rule, value, run, seen)) matched++;
      if (matched > 1) return complain(run, tooManyKinds, value);
    }
    if (matched === 0) explainClosest(rules, value, run, "oneOf");
    return matched === 1;
  };
}

export const excluded: Complaint = {
  keyword: "not",
  expected: "a value that is not excluded",
  sentence: (name, value) => `${name} must not be ${show(value)}: its schema excludes this.`,
};

export function notRule(rule: Rule): Rule {
  return (value, run) => !passes(rule, value, run) || complain(run, excluded, value);
}

export function ifRule(condition: Rule, then: Rule | undefined, otherwise: Rule | undefined): Rule {
  return (value, run, seen) => {
    const branch = tryBranch(condition, value, run, seen) ? then : otherwise;
    return branch === undefined || branch(value, run, seen);
  };
}

/** A branch that fails leaves no trace: neither faults nor marks. */
function tryBranch(rule: Rule, value: unknown, run: Run, seen: Evaluated | undefined): boolean {
  if (seen === undefined) return passes(rule, value, run);
  const branch = createEvaluated();
  if (!passes(rule, value, run, branch)) return false;
  mergeEvaluated(seen, branch);
  return true;
}

function explainClosest(rules: readonly Rule[], value: unknown, run: Run, keyword: string): void {
  if (run.issues === undefined || run.issues.length >= maxIssues) return;
  const closest = closestBranch(rules, value, run, keyword);
  run.issues.push(...closest.slice(0, maxIssues - run.issues.length));
}

/**
 * Of several alternatives that all failed, the faults of the one that was most likely meant: a branch whose constants fit
 * (an `action`), then the one with the fewest faults. Alternatives that differ only in type or constant become one fault, and so do the constants of
 * all branches if the value has none of them.
 */
function closestBranch(rules: readonly Rule[], value: unknown, run: Run, keyword: string): Fault[] {
  const branches = rules.slice(0, 50).map((rule) => {
    const attempt: Run = { issues: [], path: run.path, scope: run.scope, steps: run.steps };
    rule(value, attempt, undefined);
    run.steps = attempt.steps;
    return attempt.issues!;
  });
  const here = pointerOf(run.path);
  const isChoice = ({ complaint }: Fault): boolean => complaint.keyword === "const" || complaint.keyword === "enum";
  const isWrongKind = (fault: Fault): boolean => fault.path === here && (fault.complaint.keyword === "type" || isChoice(fault));
  if (branches.every((issues) => issues.length === 1 && isWrongKind(issues[0]!))) {
    const expected = orList([...new Set(branches.map((issues) => issues[0]!.complaint.expected))]);
    const types = [...new Set(branches.flatMap((issues) => issues[0]!.complaint.types ?? []))];
    return [new Fault(run.path.slice(), [], { keyword, expected, types }, value)];
  }
  const tagged = discriminatorFaults(branches, value, run.path);
  if (tagged !== undefined) return [...tagged];
  const ranked = branches
    .map((issues) => ({ issues, wrong: issues.filter((issue) => isChoice(issue) || isWrongKind(issue)).length }))
    .sort((a, b) => a.wrong - b.wrong || a.issues.length - b.issues.length);
  return ranked[0]!.issues;
}
