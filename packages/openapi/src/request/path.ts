import { ToolInputError } from "@toolrack/core";
import { hasControl } from "../document/characters.ts";
import type { OperationPlan, ParameterPlan } from "../operation.ts";
import { contentText } from "./encode.ts";
import { pathText } from "./styles.ts";
import { textsIn, valuesIn } from "./texts-in.ts";

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
  const text =
    content === undefined ? pathText(parameter, value) : pathText({ ...parameter, style: "simple" }, contentText(content, value));
  if (text === "" || valuesIn(value).every((one) => one === "")) return refuse("must not be empty");
  for (const one of textsIn(value)) {
    const fault = faultOf(one);
    if (fault !== undefined) return refuse(fault);
  }
  return text;
}

const maxRounds = 10;

/**
 * Why a value cannot be a part of a path: it is, or is decoded by some server to, a step to another path ("..", "%2e%2e", "a/../b", "..;x", which servers of
 * Java read as ".."), or it has control characters, at which some servers end the path.
 */
function faultOf(value: string): string | undefined {
  let text = value;
  for (let round = 0; round < maxRounds; round++) {
    if (hasControl(text)) return "must not contain control characters";
    if (text.split(/[/\\]/).some((one) => /^\.{1,2}\s*(?:;|$)/.test(one))) return 'must not contain "." or ".." as a segment';
    const next = text.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
    if (next === text) return undefined;
    text = next;
  }
  return `must not be percent-encoded more than ${maxRounds} times`;
}
