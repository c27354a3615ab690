import type { CallCheck } from "../calls/checks.ts";
import type { Decision } from "../policy.ts";
import type { TraceLine } from "./trace.ts";

/** "`exec` is hidden at agents.support.tools.deny by `group:runtime` (policy.yaml:12)." Every surface prints a decision this way. */
export function toSentence(decision: Decision): string {
  const { name, allowed, rule, label, entry, reason } = decision;
  const by = entry === undefined ? "" : ` by \`${entry}\``;
  if (!allowed) {
    if (rule === "not-in-allow") return `\`${name}\` is hidden at ${label}: the list does not name it${line(decision)}.`;
    if (rule === "deny" && reason === undefined) return `\`${name}\` is hidden at ${label}${by}${line(decision)}.`;
    return `\`${name}\` is hidden, because ${reason}${line(decision)}.`;
  }
  const verdict =
    rule === "allow" ? `\`${name}\` is allowed at ${label}${by}${line(decision)}` : `\`${name}\` is allowed: no rule restricts it`;
  const { ask } = decision;
  return ask ? `${verdict}; each call waits for a person, as ${ask.label} asks by \`${ask.entry}\`${line(ask)}.` : `${verdict}.`;
}

/** The verdict, its remedy, the other obstacles with theirs, what else decides, and what each call is held against. */
export function toSentences(decision: Decision, trace: readonly TraceLine[], checks: readonly CallCheck[]): string[] {
  const obstacles = trace.filter((step) => step.outcome === "hides");
  const [first, ...others] = obstacles;
  return [
    toSentence(decision),
    ...(first?.remedy === undefined ? [] : [`${first.remedy}.`]),
    ...others.map((step) => `It is also hidden ${obstacle(step)}${step.remedy === undefined ? "" : `. ${step.remedy}`}.`),
    ...trace.filter((step) => addsTo(decision, step)).map(passage),
    ...checks.map((check) => `Each call is checked at ${check.label}: ${check.text}${line(check)}.`),
  ];
}

function obstacle(step: TraceLine): string {
  if (step.rule === "deny" && step.reason === undefined) return `at ${step.label} by \`${step.entry}\`${line(step)}`;
  if (step.rule === "not-in-allow") return `at ${step.label}: the list does not name it${line(step)}`;
  return `because ${step.reason}${line(step)}`;
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
      return `At ${step.label} a person is asked about each call${by}${line(step)}.`;
    case "sets-aside":
      return `At ${step.label} the list is set aside, because it names only plugin tools${line(step)}.`;
    default:
      return `At ${step.label} it is allowed${by}${line(step)}.`;
  }
}

function line({ source }: { readonly source?: string }): string {
  return source === undefined ? "" : ` (${source})`;
}
