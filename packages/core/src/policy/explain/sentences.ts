import type { CallCheck } from "../calls/checks.ts";
import type { Decision } from "../policy.ts";
import { inBrackets, itOr, matching, toSentence } from "../sentence.ts";
import type { TraceLine } from "./trace.ts";

/** The decision and its remedy, the other obstacles and theirs, further steps that matter, and what each call is checked against. */
export function toSentences(decision: Decision, trace: readonly TraceLine[], checks: readonly CallCheck[]): string[] {
  const obstacles = trace.filter((step) => step.outcome === "hides");
  const [first, ...others] = obstacles;
  return [
    toSentence(decision),
    ...(first?.remedy === undefined ? [] : [`${first.remedy}.`]),
    ...others.map((step) => `It is also hidden${obstacle(step, decision)}${step.remedy === undefined ? "" : `. ${step.remedy}`}.`),
    ...trace.filter((step) => addsTo(decision, step)).map(passage),
    ...checks.map((check) => `Each call is checked against ${check.label}: ${check.text}${inBrackets(check)}.`),
  ];
}

function obstacle(step: TraceLine, { registered }: Decision): string {
  if (step.rule === "deny" && step.reason === undefined)
    return ` by \`${step.entry}\` in ${step.label}${inBrackets(step)}${matching(step)}`;
  if (step.rule === "not-in-allow") return `: no entry in ${step.label} matches ${itOr(registered)}${inBrackets(step)}`;
  return ` because ${step.reason}${inBrackets(step)}`;
}

/** Whether a step matters and is not yet part of the decision's sentence. */
function addsTo({ allowed, label, ask }: Decision, step: TraceLine): boolean {
  if (step.outcome === "sets-aside") return true;
  if (!allowed || step.outcome === "hides" || step.rule === "none") return false;
  return step.label !== (step.outcome === "asks" ? ask?.label : label);
}

function passage(step: TraceLine): string {
  if (step.step === "inherited") return "The session that spawned this one has it, too.";
  const what = step.entry === undefined ? step.label : `\`${step.entry}\` in ${step.label}`;
  switch (step.outcome) {
    case "asks":
      return `Each call also needs a person's approval because of ${what}${inBrackets(step)}${matching(step)}.`;
    case "sets-aside":
      return `${step.label} is ignored because it names only plugin tools${inBrackets(step)}.`;
    default:
      return `It is also allowed by ${what}${inBrackets(step)}${matching(step)}.`;
  }
}
