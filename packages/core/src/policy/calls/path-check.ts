import type { PathCheck } from "../../tool/context.ts";
import type { CallRules } from "./rules.ts";
import { compilePathRule, type PathFault } from "../paths/rules.ts";
import type { PolicyLocation, PolicyTool } from "../policy.ts";
import type { PathResolver } from "../paths/resolve.ts";

/**
 * The path rules for a tool, for whatever files the tool opens: a search finds files that no parameter names. Undefined if there are
 * none. Every rule applies, whichever parameters it names.
 */
export function createPathCheck(tool: PolicyTool, rules: CallRules, resolve: PathResolver): PathCheck | undefined {
  const found = rules.for(tool).flatMap(({ paths }) => paths);
  if (found.length === 0) return undefined;
  const checks = found.map(({ rule, location }) => ({ location, check: compilePathRule(rule, resolve) }));
  return (spelled, real, shown = spelled) => {
    for (const { location, check } of checks) {
      const fault = check([spelled], [real], shown);
      if (fault !== undefined) return pathSentence(tool, location, fault);
    }
    return undefined;
  };
}

/** "The call of `read` is refused by `.env` in tools.paths[0]: the path ".env" leads to a denied location." */
export function pathSentence(tool: PolicyTool, { label, source }: PolicyLocation, { entry, reason }: PathFault): string {
  const what = entry === undefined ? label : `\`${entry}\` in ${label}`;
  return `The call of \`${tool.name}\` is refused by ${what}${source === undefined ? "" : ` (${source})`}: ${reason}.`;
}
