import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import type { ScanRule } from "./rule.ts";

/** Gives a scan rule its type, and checks it: throws CONFIG_INVALID and names the field that is wrong or missing. */
export function defineScanRule<Rule extends ScanRule>(rule: Rule): Rule {
  assertScanRule(rule);
  return Object.freeze(rule);
}

export function assertScanRule(rule: ScanRule): void {
  const fault = findFault(rule);
  const id = isObject(rule) && typeof rule["id"] === "string" ? `Scan rule ${JSON.stringify(rule["id"].slice(0, 64))}` : "A scan rule";
  if (fault !== undefined) throw new ToolError("CONFIG_INVALID", `${id}: ${fault}`);
}

function findFault(rule: unknown): string | undefined {
  if (!isObject(rule)) return "it must be an object with id, finds, fix and one of checkSentence, checkText and checkTool.";
  if (typeof rule["id"] !== "string" || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(rule["id"]))
    return '"id" must be words of lower-case letters and digits with "-" between them, such as "internal-hosts".';
  for (const field of ["finds", "fix"])
    if (typeof rule[field] !== "string" || rule[field].trim() === "") return `"${field}" must be a sentence.`;
  const checks = ["checkSentence", "checkText", "checkTool"].filter((field) => typeof rule[field] === "function");
  return checks.length === 1 ? undefined : 'exactly one of "checkSentence", "checkText" and "checkTool" must be a function.';
}
