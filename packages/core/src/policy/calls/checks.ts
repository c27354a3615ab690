import type { CallRules } from "./rules.ts";
import type { PolicyTool } from "../policy.ts";

/** Something that each call of a tool is checked against. */
export interface CallCheck {
  /** "tools.conditions[0]" */
  readonly label: string;
  readonly source?: string;
  /** "only where `argv[0] == \"git\"`" */
  readonly text: string;
}

/** The rules over arguments that apply to a tool, before any call is made. */
export function checksOf(tool: PolicyTool, rules: CallRules): CallCheck[] {
  return rules.for(tool).flatMap(({ paths, conditions }) => [
    ...paths.map(({ rule, location }) => {
      const allow = rule.allow && `only paths that match ${quote(rule.allow)}`;
      const deny = rule.deny && `no path that matches ${quote(rule.deny)}`;
      return toCheck(location, [allow, deny].filter((part) => part !== undefined).join(", and "));
    }),
    ...conditions.map(({ effect, text, location }) => toCheck(location, effectWords[effect](text))),
  ]);
}

const effectWords = {
  allow: (text: string) => `only where \`${text}\``,
  deny: (text: string) => `never where \`${text}\``,
  ask: (text: string) => `with a person's approval where \`${text}\``,
} as const;

function toCheck({ label, source }: { readonly label: string; readonly source?: string }, text: string): CallCheck {
  return source === undefined ? { label, text } : { label, source, text };
}

function quote(patterns: readonly string[]): string {
  return patterns.map((pattern) => `\`${pattern}\``).join(" or ");
}
