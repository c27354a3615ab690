import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import { checkFields, type FieldsOf, flag, method, text } from "../util/check-fields.ts";
import type { LintRule, ListRule, Severity, ToolRule } from "./rule.ts";

const fields: FieldsOf<ToolRule & ListRule> = {
  id: text,
  severity: text,
  finds: text,
  explainsRefusal: flag,
  check: method,
  checkList: method,
};
const severities: readonly unknown[] = ["error", "warning", "info"] satisfies Severity[];

/** Gives a lint rule its type, and checks it: throws CONFIG_INVALID and names the field that is wrong or missing. */
export function defineLintRule<Rule extends LintRule>(rule: Rule): Rule {
  assertLintRule(rule);
  return Object.freeze(rule);
}

export function assertLintRule(rule: LintRule): void {
  const fault = findFault(rule);
  const id = isObject(rule) && typeof rule["id"] === "string" ? `Lint rule ${JSON.stringify(rule["id"].slice(0, 64))}` : "A lint rule";
  if (fault !== undefined) throw new ToolError("CONFIG_INVALID", `${id}: ${fault}`);
  checkFields(rule, fields, { subject: id, word: "field", isOpen: true });
}

function findFault(rule: unknown): string | undefined {
  if (!isObject(rule)) return "it must be an object with id, severity, finds and check (or checkList).";
  const { id, severity, finds, check, checkList } = rule;
  if (typeof id !== "string" || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))
    return '"id" must be words of lower-case letters and digits with "-" between them, such as "missing-owner".';
  if (!severities.includes(severity)) return `"severity" must be one of ${severities.join(", ")}.`;
  if (typeof finds !== "string" || finds.trim() === "") return '"finds" must be a sentence that says what the rule finds.';
  if ((typeof check === "function") === (typeof checkList === "function"))
    return 'either "check" (one tool) or "checkList" (all tools of a list) must be a function.';
  return undefined;
}
