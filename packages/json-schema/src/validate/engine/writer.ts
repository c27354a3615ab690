import { SchemaError } from "../../errors.ts";
import { hasOwn, isObject, type JsonObject } from "../../util/json.ts";
import { formats } from "../../format/formats.ts";
import { type Complaint, type Fault, prepareComplaint } from "../issues.ts";
import type { TypeName } from "../../schema/keywords.ts";
import { compilePattern } from "../../pattern/pattern.ts";
import {
  constComplaint,
  constRule,
  enumComplaint,
  enumRule,
  formatComplaint,
  isMultiple,
  numberComplaint,
  patternComplaint,
  propertyCount,
  sizeComplaint,
  textLength,
  typeComplaint,
} from "./assertions.ts";
import { anyOfRule, excluded, oneOfRule } from "./combine.ts";
import { type MemberRules, missingComplaint, unknownComplaint } from "./members.ts";
import type { Located, Resource, Resources } from "./resources.ts";
import { maxIssues, maxSteps, type Rule, type Run } from "./rule.ts";
import { choicesOf, mapRules } from "./rules.ts";

/** Thrown where code cannot stand in for the rules. */
export class Unwritable extends Error {}

/** Where the statements being written stand: a function that decides, or one that collects faults at a place. */
interface Spot {
  /** The variable that holds the value. */
  readonly v: string;
  /** What leads to it from the function's own path, as JavaScript: `"tags",i3`. Undefined in a function that only decides. */
  readonly place: string | undefined;
}

/** Keywords that need a rule's bookkeeping, or are too rare to be worth code. */
const leftToRules =
  "patternProperties propertyNames dependentRequired dependentSchemas dependencies contains uniqueItems unevaluatedItems unevaluatedProperties".split(
    " ",
  );

/** The keywords that `#object` covers. */
const memberKeywords = ["properties", "required", "additionalProperties", "minProperties", "maxProperties"];

/** References into one another's parts can make the text far larger than the schema; beyond this the rules do as well. */
const maxWritten = 50_000;

/**
 * Writes schemas as JavaScript: `check` functions that stop at the first fault, `explain` functions that collect them all.
 * Constants reach the text only through JSON.stringify or as numbers, everything else through the list of externals.
 */
export class Writer {
  readonly functions: string[] = [];
  readonly externals: unknown[] = [];
  /** The steps of the parts left to rules, counted over one whole validation. */
  readonly budget: { steps: number } = { steps: 0 };
  readonly #named = { check: new Map<object, string>(), explain: new Map<object, string>() };
  readonly #resources: Resources;
  readonly #ruleFor: (located: Located) => Rule;
  readonly #formats: boolean;
  #variables = 0;
  #written = 0;

  constructor(resources: Resources, ruleFor: (located: Located) => Rule, withFormats: boolean) {
    this.#resources = resources;
    this.#ruleFor = ruleFor;
    this.#formats = withFormats;
  }

  /** The name of a function `(v) => boolean` that decides on a schema. */
  check(located: Located): string {
    return this.#function("check", located, (body) => `(v) { if (++steps > ${maxSteps}) tooLong();\n${body}return true; }`);
  }

  /** The name of a function `(v, p, e) => void` that adds every fault of the value at path `p` to the list `e`. */
  explain(located: Located): string {
    return this.#function("explain", located, (body) => `(v, p, e) { if (++steps > ${maxSteps}) tooLong();\n${body}}`);
  }

  #function(kind: "check" | "explain", { schema, resource }: Located, complete: (body: string) => string): string {
    const known = isObject(schema) ? this.#named[kind].get(schema) : undefined;
    if (known !== undefined) return known;
    const index = this.functions.push("") - 1;
    const name = `f${index}`;
    if (isObject(schema)) this.#named[kind].set(schema, name);
    const body = this.#write(schema, resource, { v: "v", place: kind === "explain" ? "" : undefined });
    this.functions[index] = `function ${name}${complete(body)}`;
    return name;
  }

  #external(value: unknown): string {
    return `x[${this.externals.push(value) - 1}]`;
  }

  #variable(): string {
    return `v${++this.#variables}`;
  }

  /** One step further into the value. */
  #at(spot: Spot, v: string, key: string): Spot {
    return { v, place: spot.place === undefined ? undefined : `${spot.place},${key}` };
  }

  /** What to do about a fault: answer false, or note it. `value` is what the complaint looks at, `key` a place below this one. */
  #fault(spot: Spot, complaint: () => Complaint, value: string = spot.v, key = ""): string {
    if (spot.place === undefined) return "return false;";
    const below = `[${`${spot.place}${key === "" ? "" : `,${key}`}`.slice(1)}]`;
    return `e.length < ${maxIssues} && e.push(new Issue(p, ${below}, ${this.#external(prepareComplaint(complaint()))}, ${value}));`;
  }

  /** Leaves a part to its rule. */
  #rule(rule: Rule, spot: Spot): string {
    const { budget } = this;
    const decide = (value: unknown, path: (string | number)[] = [], issues?: Fault[]): boolean => {
      const run: Run = { issues, path, scope: [], steps: budget.steps };
      const verdict = rule(value, run, undefined);
      budget.steps = run.steps;
      return verdict;
    };
    if (spot.place === undefined) return `if (!${this.#external(decide)}(${spot.v})) return false;\n`;
    return `${this.#external(decide)}(${spot.v}, [...p${spot.place}], e);\n`;
  }

  /** The rule of a part that code covers too: made only if a value of an unusual kind comes. */
  #spareRule(located: Located): Rule {
    let rule: Rule | undefined;
    return (value, run, seen) => (rule ??= this.#ruleFor(located))(value, run, seen);
  }

  #write(schema: unknown, parent: Resource, spot: Spot): string {
    if (schema === true) return "";
    if (!isObject(schema)) return schema === false ? this.#rule(this.#ruleFor({ schema, resource: parent }), spot) : notASchema();
    if (++this.#written > maxWritten) throw new Unwritable();
    const resource = this.#resources.resourceOf(schema, parent);
    const isOld = resource.dialect.draft === "draft-07";
    if (isOld && typeof schema["$ref"] === "string") return this.#reference(schema["$ref"], resource, spot);
    if (!resource.dialect.validation || leftToRules.some((keyword) => hasOwn(schema, keyword)) || hasInheritedName(schema)) {
      return this.#rule(this.#ruleFor({ schema, resource }), spot);
    }
    const checks = this.#checks(schema, resource, isOld, spot);
    if (!hasOwn(schema, "type")) return checks;
    const types = (typeof schema["type"] === "string" ? [schema["type"]] : schema["type"]) as readonly TypeName[];
    const test = types.map((name) => typeTexts[name](spot.v)).join(" || ");
    const fault = this.#fault(spot, () => typeComplaint(types));
    // The wrong type makes every other fault noise.
    return spot.place === undefined ? `if (!(${test})) ${fault}\n${checks}` : `if (!(${test})) ${fault}\nelse {\n${checks}}\n`;
  }

  #checks(schema: JsonObject, resource: Resource, isOld: boolean, spot: Spot): string {
    const { v } = spot;
    let text = "";
    if (hasOwn(schema, "enum")) text += this.#choice(schema["enum"] as readonly unknown[], spot);
    if (hasOwn(schema, "const")) text += this.#constant(schema["const"], spot);
    text += guarded(schema, "number", `typeof ${v} === "number"`, this.#number(schema, spot));
    text += guarded(schema, "string", `typeof ${v} === "string"`, this.#text(schema, spot));
    if (typeof schema["$ref"] === "string") text += this.#reference(schema["$ref"], resource, spot);
    for (const part of (schema["allOf"] ?? []) as readonly unknown[]) text += this.#write(part, resource, spot);
    text += guarded(schema, "object", isObjectText(v), this.#object(schema, resource, spot));
    text += guarded(schema, "array", `Array.isArray(${v})`, this.#array(schema, resource, isOld, spot));
    return text + this.#combined(schema, resource, spot);
  }

  #combined(schema: JsonObject, resource: Resource, spot: Spot): string {
    const { v } = spot;
    const decide = (part: unknown): string => `${this.check({ schema: part, resource })}(${v})`;
    const rules = (parts: readonly unknown[]): Rule[] => parts.map((part) => this.#ruleFor({ schema: part, resource }));
    let text = "";
    if (hasOwn(schema, "anyOf")) {
      const parts = schema["anyOf"] as readonly unknown[];
      const otherwise = spot.place === undefined ? "return false;\n" : this.#rule(anyOfRule(rules(parts)), spot);
      text += `if (!(${parts.map(decide).join(" || ")})) ${otherwise}`;
    }
    if (hasOwn(schema, "oneOf")) {
      const parts = schema["oneOf"] as readonly unknown[];
      const otherwise = spot.place === undefined ? "return false;\n" : this.#rule(oneOfRule(rules(parts)), spot);
      text += `if (${parts.map((part) => `(${decide(part)} ? 1 : 0)`).join(" + ")} !== 1) ${otherwise}`;
    }
    if (hasOwn(schema, "not")) text += `if (${decide(schema["not"])}) ${this.#fault(spot, () => excluded)}\n`;
    if (hasOwn(schema, "if")) {
      const then = hasOwn(schema, "then") ? this.#write(schema["then"], resource, spot) : "";
      const otherwise = hasOwn(schema, "else") ? this.#write(schema["else"], resource, spot) : "";
      text += `if (${decide(schema["if"])}) {\n${then}} else {\n${otherwise}}\n`;
    }
    return text;
  }

  #reference(reference: string, from: Resource, spot: Spot): string {
    const target = this.#resources.resolve(reference, from);
    const fault = spot.place === undefined ? "return false;" : `${this.explain(target)}(${spot.v}, [...p${spot.place}], e);`;
    return `if (!${this.check(target)}(${spot.v})) ${fault}\n`;
  }

  #choice(values: readonly unknown[], spot: Spot): string {
    if (values.some((value) => typeof value === "object" && value !== null)) return this.#rule(enumRule(values), spot);
    const test = values.length > 16 ? `!${this.#external(new Set(values))}.has(${spot.v})` : allDiffer(spot.v, values);
    return `if (${test}) ${this.#fault(spot, () => enumComplaint(values))}\n`;
  }

  #constant(value: unknown, spot: Spot): string {
    if (typeof value === "object" && value !== null) return this.#rule(constRule(value), spot);
    return `if (${allDiffer(spot.v, [value])}) ${this.#fault(spot, () => constComplaint(value))}\n`;
  }

  #number(schema: JsonObject, spot: Spot): string {
    let text = "";
    for (const [keyword, right] of [
      ["minimum", ">="],
      ["maximum", "<="],
      ["exclusiveMinimum", ">"],
      ["exclusiveMaximum", "<"],
    ] as const) {
      if (!hasOwn(schema, keyword)) continue;
      const limit = Number(schema[keyword]);
      // Said this way round because NaN is on no side of any limit.
      text += `if (!(${spot.v} ${right} ${limit})) ${this.#fault(spot, () => numberComplaint(keyword, limit))}\n`;
    }
    if (hasOwn(schema, "multipleOf")) {
      const of = Number(schema["multipleOf"]);
      text += `if (!${this.#external(isMultiple)}(${spot.v}, ${of})) ${this.#fault(spot, () => numberComplaint("multipleOf", of))}\n`;
    }
    return text;
  }

  /** A text has between half and all of its UTF-16 length in characters: counting is needed only in between. */
  #text(schema: JsonObject, spot: Spot): string {
    const { v } = spot;
    let text = "";
    if (hasOwn(schema, "minLength")) {
      const least = Number(schema["minLength"]);
      const count = least > 1 ? ` || (${v}.length < ${2 * least} && ${this.#external(textLength)}(${v}) < ${least})` : "";
      text += `if (${v}.length < ${least}${count}) ${this.#fault(spot, () => sizeComplaint("minLength", least))}\n`;
    }
    if (hasOwn(schema, "maxLength")) {
      const most = Number(schema["maxLength"]);
      const test = `${v}.length > ${most} && (${v}.length > ${2 * most} || ${this.#external(textLength)}(${v}) > ${most})`;
      text += `if (${test}) ${this.#fault(spot, () => sizeComplaint("maxLength", most))}\n`;
    }
    if (hasOwn(schema, "pattern")) {
      const source = schema["pattern"] as string;
      text += `if (!${this.#external(compilePattern(source))}.test(${v})) ${this.#fault(spot, () => patternComplaint(source))}\n`;
    }
    const format = this.#formats ? (schema["format"] as string | undefined) : undefined;
    const test = format === undefined ? undefined : formats.get(format);
    if (test !== undefined) text += `if (!${this.#external(test)}(${v})) ${this.#fault(spot, () => formatComplaint(format!))}\n`;
    return text;
  }

  #object(schema: JsonObject, resource: Resource, spot: Spot): string {
    const { v } = spot;
    const properties = (schema["properties"] ?? {}) as JsonObject;
    const names = Object.keys(properties);
    const required = new Set((schema["required"] ?? []) as readonly string[]);
    let members: Pick<MemberRules, "properties" | "choices"> | undefined;
    const complaint = (name: string): Complaint => {
      members ??= { properties: mapRules(properties, (part) => this.#ruleFor({ schema: part, resource })), choices: choicesOf(properties) };
      return missingComplaint(name, members);
    };
    const missing = (name: string): string => this.#fault(spot, () => complaint(name), v, JSON.stringify(name));
    let text = "";
    for (const name of required)
      if (!hasOwn(properties, name)) text += `if (${v}[${JSON.stringify(name)}] === undefined) ${missing(name)}\n`;
    for (const name of names) {
      const key = JSON.stringify(name);
      const part = this.#variable();
      const checks = this.#write(properties[name], resource, this.#at(spot, part, key));
      if (!required.has(name) && checks === "") continue;
      text += `const ${part} = ${v}[${key}];\n`;
      text += required.has(name)
        ? `if (${part} === undefined) ${missing(name)}\nelse {\n${checks}}\n`
        : `if (${part} !== undefined) {\n${checks}}\n`;
    }
    text += this.#additional(schema["additionalProperties"], names, resource, spot);
    for (const [keyword, wrong] of [
      ["minProperties", "<"],
      ["maxProperties", ">"],
    ] as const) {
      if (!hasOwn(schema, keyword)) continue;
      const limit = Number(schema[keyword]);
      text += `if (${this.#external(propertyCount)}(${v}) ${wrong} ${limit}) ${this.#fault(spot, () => sizeComplaint(keyword, limit))}\n`;
    }
    if (text === "") return "";
    // Reading a name off an object of some class could find something inherited; such objects are rare and go to the rule.
    // (`__proto__` is compiled to one comparison, Object.getPrototypeOf to a call that doubles the cost of the whole check.)
    const own = Object.fromEntries(
      memberKeywords.filter((keyword) => hasOwn(schema, keyword)).map((keyword) => [keyword, schema[keyword]]),
    );
    return `if (${v}.__proto__ === Object.prototype) {\n${text}} else {\n${this.#rule(this.#spareRule({ schema: own, resource }), spot)}}\n`;
  }

  #additional(additional: unknown, names: readonly string[], resource: Resource, spot: Spot): string {
    if (additional === undefined || additional === true) return "";
    const key = this.#variable();
    const part = this.#variable();
    const checks =
      additional === false
        ? this.#fault(spot, () => unknownComplaint(names), key, key)
        : this.#write(additional, resource, this.#at(spot, part, key));
    if (checks === "") return "";
    const test = names.length > 24 ? `!${this.#external(new Set(names))}.has(${key})` : allDiffer(key, names);
    return `for (const ${key} in ${spot.v}) { if (${test}) { const ${part} = ${spot.v}[${key}]; if (${part} !== undefined) {\n${checks}} } }\n`;
  }

  #array(schema: JsonObject, resource: Resource, isOld: boolean, spot: Spot): string {
    const { v } = spot;
    const items = schema["items"];
    const prefix = (Array.isArray(items) ? items : isOld ? [] : (schema["prefixItems"] ?? [])) as readonly unknown[];
    const rest = Array.isArray(items) ? schema["additionalItems"] : items;
    let text = "";
    for (const [keyword, wrong] of [
      ["minItems", "<"],
      ["maxItems", ">"],
    ] as const) {
      if (!hasOwn(schema, keyword)) continue;
      const limit = Number(schema[keyword]);
      text += `if (${v}.length ${wrong} ${limit}) ${this.#fault(spot, () => sizeComplaint(keyword, limit))}\n`;
    }
    for (const [index, part] of prefix.entries()) {
      const item = this.#variable();
      const checks = this.#write(part, resource, this.#at(spot, item, String(index)));
      if (checks !== "") text += `if (${v}.length > ${index}) { const ${item} = ${v}[${index}];\n${checks}}\n`;
    }
    if (rest === undefined || rest === true) return text;
    const index = this.#variable();
    const item = this.#variable();
    const checks = this.#write(rest, resource, this.#at(spot, item, index));
    if (checks === "") return text;
    return `${text}for (let ${index} = ${prefix.length}; ${index} < ${v}.length; ${index}++) { const ${item} = ${v}[${index}];\n${checks}}\n`;
  }
}

/** The checks of one kind of value need no guard where the type already says that the value is of this kind. */
function guarded(schema: JsonObject, kind: "number" | "string" | "object" | "array", test: string, checks: string): string {
  if (checks === "") return "";
  const type = schema["type"];
  if (type === kind || (kind === "number" && type === "integer")) return checks;
  return `if (${test}) {\n${checks}}\n`;
}

function allDiffer(v: string, values: readonly unknown[]): string {
  return values.map((value) => `${v} !== ${JSON.stringify(value)}`).join(" && ") || "true";
}

const isObjectText = (v: string): string => `typeof ${v} === "object" && ${v} !== null && !Array.isArray(${v})`;

const typeTexts: Record<TypeName, (v: string) => string> = {
  null: (v) => `${v} === null`,
  boolean: (v) => `typeof ${v} === "boolean"`,
  object: (v) => `(${isObjectText(v)})`,
  array: (v) => `Array.isArray(${v})`,
  number: (v) => `(typeof ${v} === "number" && ${v} - ${v} === 0)`,
  string: (v) => `typeof ${v} === "string"`,
  integer: (v) => `Number.isInteger(${v})`,
};

/** `{}` answers to "constructor" and "toString": properties of such names are read by rules, which look at own ones only. */
function hasInheritedName(schema: JsonObject): boolean {
  const properties = schema["properties"];
  const required = schema["required"];
  return (isObject(properties) && Object.keys(properties).some(isInherited)) || (Array.isArray(required) && required.some(isInherited));
}

function isInherited(name: string): boolean {
  return name in Object.prototype;
}

function notASchema(): never {
  throw new SchemaError("SCHEMA_INVALID", "A reference leads to something that is not a schema. Correct the reference.");
}
