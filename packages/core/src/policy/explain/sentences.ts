import type { CallCheck } from "../calls/checks.ts";
import type { Decision } from "../policy.ts";
import { inBrackets, toSentence } from "../sentence.ts";
import type { TraceLine } from "./trace.ts";

/** The verdict, its remedy, the other obstacles with theirs, what else decides, and what each call is held against. */
export function toSentences(decision: Decision, trace: readonly TraceLine[], checks: readonly CallCheck[]): string[] {
  const obstacles = trace.filter((step) => step.outcome === "hides");
  const [first, ...others] = obstacles;
  return [
    toSentence(decision),
    ...(first?.remedy === undefined ? [] : [`${first.remedy}.`]),
    ...others.map((step) => `It is also hidden ${obstacle(step)}${step.remedy === undefined ? "" : `. ${step.remedy}`}.`),
    ...trace.filter((step) => addsTo(decision, step)).map(passage),
    ...checks.map((check) => `Each call is checked at ${check.label}: ${check.text}${inBrackets(check)}.`),
  ];
}

function obstacle(step: TraceLine): string {
  if (step.rule === "deny" && step.reason === undefined) return `at ${step.label} by \`${step.entry}\`${inBrackets(step)}`;
  if (step.rule === "not-in-allow") return `at ${step.label}: the list does not name it${inBrackets(step)}`;
  return `because ${step.reason}${inBrackets(step)}`;
}

/** Whether a step says something that decides, and that the verdict has not said. */
function addsTo({ allowed, label, ask }: Decision, step: TraceLine): boolean {
  if (step.outcome === "sets-aside") return true;
  if (!allowed || step.outcome === "hides" || step.rule === "none") return false;
  return step.label !== (step.outcome === "asks" ? ask?.label : label);
}

function passage(step: TraceLine): string {
  const by = step.entry === undefined ? "" : ` by \`${step.entry}\``;
  switch (step.outcome) {
    case "asks":
      return `At ${step.label} a person is asked about each call${by}${inBrackets(step)}.`;
    case "sets-aside":
      return `At ${step.label} the list is set aside, because it names only plugin tools${inBrackets(step)}.`;
    default:
      return `At ${step.label} it is allowed${by}${inBrackets(step)}.`;
  }
}
