import type { Complaint } from "../issues.ts";
import { inside } from "./members.ts";
import { complain, type Evaluated, passes, type Rule } from "./rule.ts";

/** `prefix` for the first items in order, `rest` for those after them. */
export function itemsRule(prefix: readonly Rule[], rest: Rule | undefined): Rule {
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true;
    let ok = true;
    const end = rest === undefined ? Math.min(prefix.length, value.length) : value.length;
    for (let index = 0; index < end; index++) {
      const rule = index < prefix.length ? prefix[index]! : rest!;
      if (inside(rule, value[index], index, run)) continue;
      if (run.issues === undefined) return false;
      ok = false;
    }
    if (seen !== undefined) noteItems(seen, rest === undefined ? end : "all");
    return ok;
  };
}

function noteItems(seen: Evaluated, count: number | "all"): void {
  if (count === "all") seen.items = "all";
  else if (seen.items !== "all") for (let index = 0; index < count; index++) seen.items.add(index);
}

export interface ContainsLimits {
  readonly least: number;
  readonly most: number;
  /** Since 2020-12 the matching items count as looked at. */
  readonly marks: boolean;
}

export function containsRule(rule: Rule, { least, most, marks }: ContainsLimits): Rule {
  const tooFew = countComplaint("contains", "at least", least);
  const tooMany = countComplaint("maxContains", "at most", most);
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true;
    let count = 0;
    for (const [index, item] of value.entries()) {
      if (!passes(rule, item, run)) continue;
      count++;
      if (marks && seen !== undefined && seen.items !== "all") seen.items.add(index);
    }
    if (count < least) return complain(run, tooFew, value);
    return count <= most || complain(run, tooMany, value);
  };
}

function countComplaint(keyword: string, bound: string, count: number): Complaint {
  return { keyword, expected: `a list with ${bound} ${count} matching ${count === 1 ? "item" : "items"}` };
}
