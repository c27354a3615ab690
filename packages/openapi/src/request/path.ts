import { ToolInputError } from "@toolrack/core";
import type { OperationPlan, ParameterPlan } from "../operation.ts";
import { toText } from "./encode.ts";
import { pathText } from "./styles.ts";

/** A template with its values. Refuses values that would lead to another path than the operation's. */
export function fillTemplate(parts: OperationPlan["path"], plan: OperationPlan, valueOf: (parameter: ParameterPlan) => unknown): string {
  return parts.map((part) => (typeof part === "string" ? part : segment(plan.parameters[part]!, plan, valueOf))).join("");
}

function segment(parameter: ParameterPlan, { operation }: OperationPlan, valueOf: (parameter: ParameterPlan) => unknown): string {
  const value = valueOf(parameter);
  const shown = parameter.property ?? parameter.name;
  const refuse = (fact: string): never => {
    throw new ToolInputError(`"${shown}" ${fact}: it is a part of the path of ${operation}.`);
  };
  if (value === undefined || value === null) return refuse("is missing");
  const content = parameter.contentType;
  const text = content === undefined ? pathText(parameter, value) : pathText({ ...parameter, style: "simple" }, JSON.stringify(value));
  const values = valuesIn(value);
  if (text === "" || values.every((one) => one === "")) return refuse("must not be empty");
  for (const one of values) if (leadsAway(one)) return refuse('must not contain "." or ".." as a segment');
  return text;
}

function valuesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [toText(value)];
  return Object.values(value)
    .filter((inner) => inner !== undefined && inner !== null)
    .flatMap(valuesIn);
}

/** Whether a value is, or is decoded by some server to, a step to another path: "..", "%2e%2e", "a/../b". */
function leadsAway(value: string): boolean {
  let text = value;
  for (let round = 0; round < 3; round++) {
    if (text.split(/[/\\]/).some((one) => one === "." || one === "..")) return true;
    const next = text.replaceAll(/%(2e|2f|5c|25)/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16)));
    if (next === text) return false;
    text = next;
  }
  return text.split(/[/\\]/).some((one) => one === "." || one === "..");
}
