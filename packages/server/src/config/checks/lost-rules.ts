import type { RackConfig } from "../config.ts";

/** Whether a configuration lacks a deny, an ask, or a disabled tool or action of the previous one, as a half-written file would. */
export function losesRules(before: RackConfig, after: RackConfig): boolean {
  const kept = new Set(rulesIn(after));
  return rulesIn(before).some((rule) => !kept.has(rule));
}

/** "policy tools deny exec", for each entry of each such list. */
function rulesIn({ policy, tools }: RackConfig): readonly string[] {
  return [
    ...rulesBelow(policy, "policy"),
    ...(tools?.disabled ?? []).map((name) => `tools disabled ${name}`),
    ...Object.entries(tools?.actions ?? {}).flatMap(([tool, actions]) =>
      Object.entries(actions).flatMap(([action, isEnabled]) => (isEnabled ? [] : [`tools actions ${tool} ${action}`])),
    ),
  ];
}

function rulesBelow(value: unknown, path: string): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    (name === "deny" || name === "ask") && Array.isArray(inner)
      ? inner.map((entry) => `${path} ${name} ${JSON.stringify(entry)}`)
      : rulesBelow(inner, `${path} ${name}`),
  );
}
