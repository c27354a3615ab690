import { isObject } from "@toolrack/json-schema/internal";
import type { ToolRule } from "../rule.ts";

export const deprecatedWithoutSuccessor: ToolRule = {
  id: "deprecated-without-successor",
  severity: "warning",
  finds: "Deprecated tools that do not say what to use instead.",
  check({ metadata }, report) {
    const { deprecated } = metadata;
    if (!isObject(deprecated) || (typeof deprecated["successor"] === "string" && deprecated["successor"] !== "")) return;
    report("/metadata/deprecated", "The tool is deprecated and names no successor.", 'Add successor: "<the tool to use instead>".');
  },
};
