import type { Decision, RegisteredName } from "./policy.ts";

/** "`exec` is hidden by `group:runtime` in agents.support.tools.deny (policy.yaml:12)." Every surface prints a decision this way. */
export function toSentence(decision: Decision): string {
  const { name, allowed, rule, label, entry, reason, registered } = decision;
  const what = entry === undefined ? label : `\`${entry}\` in ${label}`;
  if (!allowed) {
    if (rule === "not-in-allow") return `\`${name}\` is hidden: no entry in ${label} matches ${itOr(registered)}${inBrackets(decision)}.`;
    if (rule === "deny" && reason === undefined) return `\`${name}\` is hidden by ${what}${inBrackets(decision)}${matching(decision)}.`;
    return `\`${name}\` is hidden because ${reason}${inBrackets(decision)}.`;
  }
  const by = rule === "allow" ? ` by ${what}${inBrackets(decision)}${matching(decision)}` : "";
  const { ask } = decision;
  if (!ask) return `\`${name}\` is allowed${by || ": no rule restricts it"}.`;
  return `\`${name}\` is allowed${by}; each call needs a person's approval because of \`${ask.entry}\` in ${ask.label}${inBrackets(ask)}${matching(ask)}.`;
}

/** Which name of a renamed tool an entry matches, to end a sentence with; empty for all other tools. */
export function matching({ matched }: Pick<Decision, "matched">): string {
  return matched === undefined ? "" : `, which matches its name \`${matched}\``;
}

/** What no entry matches. */
export function itOr(registered: RegisteredName | undefined): string {
  if (registered === undefined) return "it";
  if (registered.isConfirmed) return `it or \`${registered.name}\`, the name that its source registered`;
  return `\`${registered.name}\`, the name that its source registered; the other one does not count until an admin confirms the overlay that gave it`;
}

/** The file and line of an entry, to end a sentence with: " (policy.yaml:12)"; empty if they are not known. */
export function inBrackets({ source }: { readonly source?: string }): string {
  return source === undefined ? "" : ` (${source})`;
}
