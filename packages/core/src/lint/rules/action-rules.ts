import type { ToolRule } from "../rule.ts";

export const actionRules: ToolRule = {
  id: "action-rules",
  severity: "warning",
  finds: "Tools with several actions that do not say which parameters each action needs.",
  check({ input, parameters }, report) {
    const action = parameters.find((located) => located.property === "action");
    const actions = Array.isArray(action?.schema["enum"]) ? action.schema["enum"] : [];
    if (input === undefined || actions.length < 2 || conditional.some((keyword) => Object.hasOwn(input, keyword))) return;
    const required = new Set<unknown>(Array.isArray(input["required"]) ? input["required"] : []);
    const free = parameters.map((located) => located.property).filter((name) => name !== "action" && !required.has(name));
    if (free.length === 0) return;
    const message = `The tool has ${actions.length} actions, and nothing says which of them needs ${free.slice(0, 3).join(", ")}${free.length > 3 ? " …" : ""}.`;
    report(
      action!.path,
      message,
      'Add to allOf, per action: { if: { properties: { action: { const: "find" } }, required: ["action"] }, then: { required: ["name"] } }.',
    );
  },
};

const conditional = ["allOf", "anyOf", "oneOf", "if", "dependentSchemas", "dependentRequired"] as const;
