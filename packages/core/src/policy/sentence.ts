import type { Decision } from "./policy.ts";

/** "`exec` is hidden by `group:runtime` in agents.support.tools.deny (policy.yaml:12)." Every surface prints a decision this way. */
export function toSentence(decision: Decision): string {
  const { name, allowed, rule, label, entry, reason } = decision;
  const what = entry === undefined ? label : `\`${entry}\` in ${label}`;
  if (!allowed) {
    if (rule === "not-in-allow") return `\`${name}\` is hidden: no entry in ${label} matches it${inBrackets(decision)}.`;
    if (rule === "deny" && reason === undefined) return `\`${name}\` is hidden by ${what}${inBrackets(decision)}.`;
    return `\`${name}\` is hidden because ${reason}${inBrackets(decision)}.`;
  }
  const by = rule === "allow" ? ` by ${what}${inBrackets(decision)}` : "";
  const { ask } = decision;
  if (!ask) return `\`${name}\` is allowed${by || ": no rule restricts it"}.`;
  return `\`${name}\` is allowed${by}; each call needs a person's approval because of \`${ask.entry}\` in ${ask.label}${inBrackets(ask)}.`;
}

/** The file and line of an entry, to end a sentence with: " (policy.yaml:12)"; empty if they are not known. */
export function inBrackets({ source }: { readonly source?: string }): string {
  return source === undefined ? "" : ` (${source})`;
}
