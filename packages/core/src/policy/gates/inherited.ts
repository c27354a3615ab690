import { normalizeToolName } from "../../tool/name.ts";
import { registeredNameOf, registrationOf } from "../../tool/registered.ts";
import { compilePattern, isGlob } from "../../util/glob.ts";
import type { PolicyTool } from "../policy.ts";
import type { PolicyGate } from "./gate.ts";

/**
 * The step `inherited`: a session that another one spawned has no tool that its parent did not have, whatever its own agent, model, profile
 * or sandbox permit. It comes before all lists, so that none of them can add a tool, and a list that is empty leaves none.
 */
export const inheritedGate: PolicyGate = (tool, { caller: { inherited } }) => {
  if (inherited === undefined || inheritedEntry(tool, inherited) !== undefined) return undefined;
  return {
    rule: "inherited",
    step: "inherited",
    label: "inherited",
    reason: "it is not among the tools that this session inherited from whoever began it",
    remedy: `A child has no more tools than its parent: let the parent use "${tool.name}", and leave it in \`tools\` when it spawns the child`,
  };
};

/** The entry by which a tool is inherited: what `inheritTools` writes for it, or a glob that matches that. Names of groups and plugins match nothing. */
export function inheritedEntry(tool: PolicyTool, inherited: readonly string[]): string | undefined {
  const name = inheritedAs(tool);
  // Whoever can change a list may have done so since the last call.
  return Object.isFrozen(inherited) ? finderOf(inherited)(name) : inherited.find((entry) => compilePattern(entry)(name));
}

/** "calc"; for a renamed tool "mcp:post/calc", which is the name of no tool: its source's name for it may be that of another one here. */
function inheritedAs(tool: { readonly name: string }): string {
  const known = registrationOf(tool);
  return known === undefined || known.name === tool.name ? tool.name : `${known.source ?? ""}/${known.name}`;
}

const finders = new WeakMap<readonly string[], (name: string) => string | undefined>();

function finderOf(inherited: readonly string[]): (name: string) => string | undefined {
  let finder = finders.get(inherited);
  if (finder === undefined) {
    const names = new Set(inherited);
    const globs = inherited.filter(isGlob).map((text) => ({ text, matches: compilePattern(text) }));
    finder = (name) => (names.has(name) ? name : globs.find(({ matches }) => matches(name))?.text);
    finders.set(inherited, finder);
  }
  return finder;
}

export interface InheritedTools {
  /** For `caller.inherited` of the child. */
  readonly inherited: readonly string[];
  /** The entries of `asked` that match none of the parent's tools. */
  readonly missing: readonly string[];
}

/**
 * What a child inherits: the tools that its parent has in view, or those of them that it is asked to have. A renamed tool is listed by its
 * source and registered name.
 * inheritTools([read, write, web_fetch], ["web_*", "exec"]) → { inherited: ["web_fetch"], missing: ["exec"] }
 * @param asked names and globs, compared as policies compare names; the registered name of a tool counts where none is shown under it
 */
export function inheritTools(view: readonly { readonly name: string }[], asked?: readonly string[]): InheritedTools {
  const names = view.map(inheritedAs);
  if (asked === undefined) return { inherited: Object.freeze(names), missing: [] };
  const shown = view.map(({ name }) => normalizeToolName(name));
  const registered = view.map((tool) => normalizeToolName(registeredNameOf(tool)));
  const kept = new Set<number>();
  const missing = asked.filter((entry) => {
    const matches = compilePattern(normalizeToolName(entry));
    const among = shown.some(matches) ? shown : registered;
    const found = among.flatMap((name, position) => (matches(name) ? [position] : []));
    for (const position of found) kept.add(position);
    return found.length === 0;
  });
  return { inherited: Object.freeze(names.filter((_, position) => kept.has(position))), missing };
}
