import type { PathCheck } from "../../tool/context.ts";
import type { CallRules } from "./rules.ts";
import { compilePathRule, type PathFault } from "../paths/rules.ts";
import type { Place, PolicyTool } from "../policy.ts";
import type { PathResolver } from "../paths/resolve.ts";

/**
 * The path rules that speak of a tool, for whatever the tool opens: a search finds files that no parameter names. Undefined where
 * there are none. Every rule counts, whichever parameters it names.
 */
export function createPathCheck(tool: PolicyTool, rules: CallRules, resolve: PathResolver): PathCheck | undefined {
  const found = rules.for(tool).flatMap(({ paths }) => paths);
  if (found.length === 0) return undefined;
  const checks = found.map(({ rule, place }) => ({ place, check: compilePathRule(rule, resolve) }));
  return (spelled, real, shown = spelled) => {
    for (const { place, check } of checks) {
      const fault = check([spelled], [real], shown);
      if (fault !== undefined) return pathSentence(tool, place, fault);
    }
    return undefined;
  };
}

/** "The call of `read` is refused at tools.paths[0] by `.env`: the path ".env" leads to a denied place." */
export function pathSentence(tool: PolicyTool, { label, source }: Place, { entry, reason }: PathFault): string {
  const by = entry === undefined ? "" : ` by \`${entry}\``;
  return `The call of \`${tool.name}\` is refused at ${label}${by}${source === undefined ? "" : ` (${source})`}: ${reason}.`;
}
