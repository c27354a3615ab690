import type { PolicyGate } from "./gate.ts";
import { isEnforceable } from "../paths/rules.ts";

/** Hides a tool whose every call is refused because a path rule for it cannot be enforced. */
export const unenforceableGate: PolicyGate = (tool, { rules }) => {
  if (rules?.hasPaths !== true) return undefined;
  for (const { paths } of rules.for(tool)) {
    const found = paths.find(({ rule }) => !isEnforceable(rule, tool));
    if (found === undefined) continue;
    const { label, source } = found.location;
    return {
      rule: "path-rule",
      label,
      ...(source !== undefined && { source }),
      reason: `the path rule at ${label} cannot be enforced for a tool that runs programs`,
      remedy: "Name other tools in the rule (`tool: group:fs`), or name the parameters that it is about (`parameters`)",
    };
  }
  return undefined;
};
