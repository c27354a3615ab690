import type { Decision } from "./policy.ts";

/** "`exec` is hidden at agents.support.tools.deny by `group:runtime` (policy.yaml:12)." Every surface prints a decision this way. */
export function toSentence(decision: Decision): string {
  const { name, allowed, rule, label, entry, reason } = decision;
  const by = entry === undefined ? "" : ` by \`${entry}\``;
  if (!allowed) {
    if (rule === "not-in-allow") return `\`${name}\` is hidden at ${label}: the list does not name it${inBrackets(decision)}.`;
    if (rule === "deny" && reason === undefined) return `\`${name}\` is hidden at ${label}${by}${inBrackets(decision)}.`;
    return `\`${name}\` is hidden, because ${reason}${inBrackets(decision)}.`;
  }
  const verdict =
    rule === "allow" ? `\`${name}\` is allowed at ${label}${by}${inBrackets(decision)}` : `\`${name}\` is allowed: no rule restricts it`;
  const { ask } = decision;
  return ask ? `${verdict}; each call waits for a person, as ${ask.label} asks by \`${ask.entry}\`${inBrackets(ask)}.` : `${verdict}.`;
}

/** The file and line of an entry, as it follows a sentence: " (policy.yaml:12)"; empty where they are not known. */
export function inBrackets({ source }: { readonly source?: string }): string {
  return source === undefined ? "" : ` (${source})`;
}
