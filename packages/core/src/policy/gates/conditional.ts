import { describeThrown } from "../../tool/result.ts";
import type { PolicyGate } from "./gate.ts";

/** `metadata.when` for this caller. A condition that is missing, throws or returns anything but `true` is not met. */
export const conditionalGate: PolicyGate = (tool, { caller }) => {
  const when: unknown = tool.metadata?.when;
  if (typeof when !== "function") {
    if (tool.metadata?.optionality !== "conditional") return undefined;
    return { rule: "when", reason: "it is conditional and has no condition", remedy: "Give it metadata.when" };
  }
  try {
    if (when(caller) === true) return undefined;
    return { rule: "when", reason: "its condition is not true for this caller" };
  } catch (error) {
    return { rule: "when", reason: `its condition failed: ${describeThrown(error)}`, remedy: "Correct metadata.when" };
  }
};
