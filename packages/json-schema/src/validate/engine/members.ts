import { hasOwn, isObject, type JsonObject } from "../../util/json.ts";
import { type Complaint, orList, show } from "../issues.ts";
import { compilePattern } from "../../pattern/pattern.ts";
import { rememberNearest } from "./assertions.ts";
import { complain, createRun, type Evaluated, passes, type Rule, type Run } from "./rule.ts";

/** The rules for the parts of an object, together, because each key is looked at once. */
export interface MemberRules {
  readonly properties: ReadonlyMap<string, Rule>;
  readonly patterns: readonly (readonly [source: string, rule: Rule])[];
  /** Absent: anything goes. "closed": nothing else goes. */
  readonly additional?: Rule | "closed" | undefined;
  readonly required: readonly string[];
  /** The values that a property with an `enum` takes: tells which one a misnamed argument was meant for. */
  readonly choices: ReadonlyMap<string, readonly unknown[]>;
}

export function membersRule(members: MemberRules): Rule {
  const { properties, additional, required } = members;
  const patterns = members.patterns.map(([source, rule]) => [compilePattern(source), rule] as const);
  const names = [...properties.keys()];
  const rules = [...properties.values()];
  const loops = patterns.length > 0 || additional !== undefined;
  const missing = new Map(required.map((name) => [name, missingComplaint(name, members)]));
  const undescribed = required.filter((name) => !properties.has(name));
  const unknown = unknownComplaint(names);

  return (value, run, seen) => {
    if (!isObject(value)) return true;
    let ok = true;
    for (const name of undescribed) {
      if (isPresent(value, name)) continue;
      ok = complain(run, missing.get(name)!, value, name);
      if (run.issues === undefined) return false;
    }
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!;
      if (!isPresent(value, name)) {
        const complaint = missing.get(name);
        if (complaint !== undefined) ok = complain(run, complaint, value, name);
        if (!ok && run.issues === undefined) return false;
        continue;
      }
      note(seen, name);
      if (inside(rules[index]!, value[name], name, run)) continue;
      if (run.issues === undefined) return false;
      ok = false;
    }
    if (!loops) return ok;
    for (const key in value) {
      if (!isPresent(value, key)) continue;
      let matched = properties.has(key);
      for (const [pattern, rule] of patterns) {
        if (!pattern.test(key)) continue;
        matched = true;
        note(seen, key);
        ok = inside(rule, value[key], key, run) && ok;
      }
      if (!matched && additional !== undefined) {
        note(seen, key);
        if (additional === "closed") ok = complain(run, unknown, key, key);
        else ok = inside(additional, value[key], key, run) && ok;
      }
      if (!ok && run.issues === undefined) return false;
    }
    return ok;
  };
}

/** A property counts when the object has it itself, with a value: `{}` has no "constructor", and undefined is absent. */
export function isPresent(value: JsonObject, name: string): boolean {
  return value[name] !== undefined && hasOwn(value, name);
}

export function inside(rule: Rule, value: unknown, key: string | number, run: Run): boolean {
  run.path.push(key);
  const ok = rule(value, run, undefined);
  run.path.pop();
  return ok;
}

export function note(seen: Evaluated | undefined, key: string): void {
  if (seen !== undefined && seen.properties !== "all") seen.properties.add(key);
}

/** The complaint about a missing property looks at the whole object: the argument may be there under a wrong name. */
export function missingComplaint(name: string, members: Pick<MemberRules, "properties" | "choices">): Complaint {
  const choices = members.choices.get(name);
  const isMissing = ` is required${choices === undefined ? "" : ` (${orList(choices.map(show))})`}, but it is missing.`;
  const misnamed = (value: unknown): string | undefined => {
    const keys = Object.keys(value as object);
    for (let index = 0; index < keys.length && index < maxLookedAt; index++) {
      const key = keys[index]!;
      if (!members.properties.has(key) && isMeantFor(name, key, value as JsonObject, members)) return key;
    }
    return undefined;
  };
  return {
    keyword: "required",
    expected: choices === undefined ? "a value" : orList(choices.map(show)),
    choices,
    received: () => "missing",
    suggest: (value) => (misnamed(value) === undefined ? undefined : name),
    sentence: (path, value, suggestion) => {
      const sentence = path + isMissing;
      return suggestion === undefined ? sentence : `${sentence} Did you mean "${name}" where you wrote "${misnamed(value)}"?`;
    },
  };
}

/** Among so many properties a misnamed one is looked for. */
const maxLookedAt = 64;

/** An argument was meant for another name when it is spelt like it, or holds one of its values: { type: "grep" } for { action: "grep" }. */
function isMeantFor(name: string, key: string, value: JsonObject, members: Pick<MemberRules, "properties" | "choices">): boolean {
  if (rememberNearest([name])(key) !== undefined) return true;
  const rule = members.choices.has(name) ? members.properties.get(name) : undefined;
  return rule !== undefined && passes(rule, value[key], createRun(undefined));
}

/** The value of this complaint is the key itself. */
export function unknownComplaint(names: readonly string[]): Complaint {
  const near = rememberNearest(names);
  const expected = names.length === 0 ? "no parameters" : orList(names);
  const known = names.length === 0 ? "There are none." : `Use ${expected}.`;
  return {
    keyword: "additionalProperties",
    expected,
    suggest: (key) => near(key as string),
    sentence: (path, _key, suggestion) =>
      `${path} is not a parameter here. ${suggestion === undefined ? known : `Did you mean "${suggestion}"?`}`,
  };
}

const wrongName: Complaint = { keyword: "propertyNames", expected: "an allowed property name" };

export function propertyNamesRule(rule: Rule): Rule {
  return (value, run) => {
    if (!isObject(value)) return true;
    let ok = true;
    for (const key of Object.keys(value)) {
      if (value[key] === undefined || passes(rule, key, run)) continue;
      ok = complain(run, wrongName, key, key);
      if (run.issues === undefined) return false;
    }
    return ok;
  };
}

export function dependentRequiredRule(dependents: Readonly<Record<string, readonly string[]>>): Rule {
  const pairs = Object.keys(dependents).flatMap((name) =>
    dependents[name]!.map((needed) => [name, needed, dependentComplaint(name)] as const),
  );
  return (value, run) => {
    if (!isObject(value)) return true;
    let ok = true;
    for (const [name, needed, complaint] of pairs) {
      if (!isPresent(value, name) || isPresent(value, needed)) continue;
      ok = complain(run, complaint, undefined, needed);
      if (run.issues === undefined) return false;
    }
    return ok;
  };
}

function dependentComplaint(name: string): Complaint {
  return {
    keyword: "dependentRequired",
    expected: "a value",
    sentence: (path) => `${path} is required when "${name}" is given, but it is missing.`,
  };
}

export function dependentSchemasRule(dependents: ReadonlyMap<string, Rule>): Rule {
  return (value, run, seen) => {
    if (!isObject(value)) return true;
    let ok = true;
    for (const [name, rule] of dependents) {
      if (!isPresent(value, name) || rule(value, run, seen)) continue;
      if (run.issues === undefined) return false;
      ok = false;
    }
    return ok;
  };
}
