import { isObject } from "../../util/json.ts";
import type { Complaint } from "../issues.ts";
import { inside } from "./members.ts";
import { complain, type Rule } from "./rule.ts";

export function unevaluatedPropertiesRule(rule: Rule): Rule {
  return (value, run, seen) => {
    if (!isObject(value) || seen === undefined || seen.properties === "all") return true;
    let ok = true;
    for (const key of Object.keys(value)) {
      if (value[key] === undefined || seen.properties.has(key) || inside(rule, value[key], key, run)) continue;
      if (run.issues === undefined) return false;
      ok = false;
    }
    seen.properties = "all";
    return ok;
  };
}

export function unevaluatedItemsRule(rule: Rule): Rule {
  return (value, run, seen) => {
    if (!Array.isArray(value) || seen === undefined || seen.items === "all") return true;
    let ok = true;
    for (const [index, item] of value.entries()) {
      if (seen.items.has(index) || inside(rule, item, index, run)) continue;
      if (run.issues === undefined) return false;
      ok = false;
    }
    seen.items = "all";
    return ok;
  };
}

export const alwaysRule: Rule = () => true;

const unwanted: Complaint = { keyword: "false schema", expected: "absent" };

export const neverRule: Rule = (value, run) => complain(run, unwanted, value);
