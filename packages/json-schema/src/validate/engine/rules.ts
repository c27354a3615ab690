import { SchemaError } from "../../errors.ts";
import { hasOwn, isObject, type JsonObject } from "../../util/json.ts";
import type { TypeName } from "../../schema/keywords.ts";
import {
  constRule,
  enumRule,
  formatRule,
  numberKeywords,
  numberRule,
  patternRule,
  type SizeKeyword,
  sizeRule,
  typeRule,
  uniqueItemsRule,
} from "./assertions.ts";
import { allOfRule, anyOfRule, ifRule, notRule, oneOfRule } from "./combine.ts";
import { containsRule, itemsRule } from "./items.ts";
import { dependentRequiredRule, dependentSchemasRule, membersRule, propertyNamesRule } from "./members.ts";
import type { Located, Resource, Resources } from "./resources.ts";
import { createEvaluated, maxSteps, mergeEvaluated, type Rule } from "./rule.ts";
import { alwaysRule, neverRule, unevaluatedItemsRule, unevaluatedPropertiesRule } from "./unevaluated.ts";

/** Makes the rule of a schema and of everything it reaches. Each schema object is made ready once, so cycles end. */
export function createRules(resources: Resources, options: { readonly formats: boolean }): (located: Located) => Rule {
  const ready = new Map<object, Rule>();

  function ruleFor({ schema, resource }: Located): Rule {
    if (schema === true) return alwaysRule;
    if (schema === false) return neverRule;
    if (!isObject(schema))
      throw new SchemaError("SCHEMA_INVALID", "A reference leads to something that is not a schema. Correct the reference.");
    const known = ready.get(schema);
    if (known !== undefined) return known;
    // A schema that contains itself meets this stand-in while its own rule is still being made.
    ready.set(schema, (value, run, seen) => rule(value, run, seen));
    const rule = schemaRule(schema, resources.resourceOf(schema, resource));
    ready.set(schema, rule);
    return rule;
  }

  function schemaRule(schema: JsonObject, resource: Resource): Rule {
    const inner = (part: unknown): Rule => ruleFor({ schema: part, resource });
    const old = resource.dialect.draft === "draft-07";
    if (old && typeof schema["$ref"] === "string") return entering(resource, undefined, [referenceRule(schema["$ref"], resource)], []);

    const type = resource.dialect.validation && hasOwn(schema, "type") ? typeRule(schema["type"] as TypeName) : undefined;
    const rules: Rule[] = [];
    const add = (keyword: string, make: (argument: never) => Rule | undefined): void => {
      const rule = hasOwn(schema, keyword) ? make(schema[keyword] as never) : undefined;
      if (rule !== undefined) rules.push(rule);
    };

    const addSizes = (...names: readonly SizeKeyword[]): void => {
      if (resource.dialect.validation) for (const name of names) add(name, (limit: number) => sizeRule(name, limit));
    };

    if (resource.dialect.validation) {
      add("enum", enumRule);
      add("const", constRule);
      for (const keyword of numberKeywords) add(keyword, (limit: number) => numberRule(keyword, limit));
      addSizes("minLength", "maxLength");
      add("pattern", patternRule);
    }
    if (options.formats) add("format", formatRule);
    if (!old) {
      add("$ref", (reference: string) => referenceRule(reference, resource));
      add("$dynamicRef", (reference: string) => dynamicReferenceRule(reference, resource));
    }
    add("allOf", (parts: readonly unknown[]) => allOfRule(parts.map(inner)));
    const members = memberRule(schema, resource, inner);
    if (members !== undefined) rules.push(members);
    addSizes("minProperties", "maxProperties");
    add("propertyNames", (part: unknown) => propertyNamesRule(inner(part)));
    if (!old && resource.dialect.validation) add("dependentRequired", dependentRequiredRule);
    if (!old) add("dependentSchemas", (parts: JsonObject) => dependentSchemasRule(mapRules(parts, inner)));
    add("dependencies", (parts: JsonObject) => dependenciesRule(parts, inner));
    addSizes("minItems", "maxItems");
    if (resource.dialect.validation) add("uniqueItems", (unique: boolean) => (unique ? uniqueItemsRule : undefined));
    const items = arrayRule(schema, old, inner);
    if (items !== undefined) rules.push(items);
    add("contains", (part: unknown) => {
      const least = old ? 1 : Number(schema["minContains"] ?? 1);
      const most = old ? Number.POSITIVE_INFINITY : Number(schema["maxContains"] ?? Number.POSITIVE_INFINITY);
      return containsRule(inner(part), { least, most, marks: !old });
    });
    add("anyOf", (parts: readonly unknown[]) => anyOfRule(parts.map(inner)));
    add("oneOf", (parts: readonly unknown[]) => oneOfRule(parts.map(inner)));
    add("not", (part: unknown) => notRule(inner(part)));
    add("if", (part: unknown) => {
      const then = hasOwn(schema, "then") ? inner(schema["then"]) : undefined;
      const otherwise = hasOwn(schema, "else") ? inner(schema["else"]) : undefined;
      return ifRule(inner(part), then, otherwise);
    });

    const last: Rule[] = [];
    if (!old && hasOwn(schema, "unevaluatedItems")) last.push(unevaluatedItemsRule(inner(schema["unevaluatedItems"])));
    if (!old && hasOwn(schema, "unevaluatedProperties")) last.push(unevaluatedPropertiesRule(inner(schema["unevaluatedProperties"])));
    return entering(resource, type, rules, last);
  }

  function memberRule(schema: JsonObject, resource: Resource, inner: (part: unknown) => Rule): Rule | undefined {
    const properties = (schema["properties"] ?? {}) as JsonObject;
    const patterns = (schema["patternProperties"] ?? {}) as JsonObject;
    const additional = schema["additionalProperties"];
    const required = resource.dialect.validation ? [...new Set((schema["required"] ?? []) as readonly string[])] : [];
    if (Object.keys(properties).length + Object.keys(patterns).length + required.length === 0 && additional === undefined) return undefined;
    return membersRule({
      properties: mapRules(properties, inner),
      patterns: Object.keys(patterns).map((source) => [source, inner(patterns[source])] as const),
      additional: additional === undefined ? undefined : additional === false ? "closed" : inner(additional),
      required,
      choices: choicesOf(properties),
    });
  }

  function arrayRule(schema: JsonObject, old: boolean, inner: (part: unknown) => Rule): Rule | undefined {
    const items = schema["items"];
    if (Array.isArray(items)) {
      return itemsRule(items.map(inner), schema["additionalItems"] === undefined ? undefined : inner(schema["additionalItems"]));
    }
    const prefix = old ? [] : ((schema["prefixItems"] ?? []) as readonly unknown[]);
    if (items === undefined && prefix.length === 0) return undefined;
    return itemsRule(prefix.map(inner), items === undefined ? undefined : inner(items));
  }

  function dependenciesRule(parts: JsonObject, inner: (part: unknown) => Rule): Rule {
    const names = Object.entries(parts).filter((entry): entry is [string, string[]] => Array.isArray(entry[1]));
    const schemas = Object.fromEntries(Object.entries(parts).filter(([, part]) => !Array.isArray(part)));
    return allOfRule([dependentRequiredRule(Object.fromEntries(names)), dependentSchemasRule(mapRules(schemas, inner))]);
  }

  function referenceRule(reference: string, from: Resource): Rule {
    return ruleFor(resources.resolve(reference, from));
  }

  function dynamicReferenceRule(reference: string, from: Resource): Rule {
    const target = resources.resolve(reference, from);
    const anchor = reference.slice(reference.indexOf("#") + 1);
    const fixed = ruleFor(target);
    if (target.resource.dynamicAnchors.get(anchor) !== target.schema) return fixed;
    return (value, run, seen) => {
      const outermost = run.scope.find((resource) => resource.dynamicAnchors.has(anchor));
      const rule = outermost === undefined ? fixed : ruleFor({ schema: outermost.dynamicAnchors.get(anchor), resource: outermost });
      return rule(value, run, seen);
    };
  }

  return ruleFor;
}

export function choicesOf(properties: JsonObject): Map<string, readonly unknown[]> {
  return new Map(
    Object.entries(properties).flatMap(([name, part]) => {
      if (!isObject(part)) return [];
      if (Array.isArray(part["enum"])) return [[name, part["enum"]]];
      return hasOwn(part, "const") ? [[name, [part["const"]]]] : [];
    }),
  );
}

export function mapRules(parts: JsonObject, inner: (part: unknown) => Rule): Map<string, Rule> {
  return new Map(Object.keys(parts).map((name) => [name, inner(parts[name])]));
}

/** One schema: its type first (the wrong type makes every other fault noise), then its rules, then what asks for the leftovers. */
function entering(resource: Resource, type: Rule | undefined, rules: readonly Rule[], last: readonly Rule[]): Rule {
  if (rules.length === 0 && last.length === 0) return type ?? alwaysRule;
  return (value, run, seen) => {
    if (++run.steps > maxSteps)
      throw new SchemaError("SCHEMA_INVALID", "The schema takes too long to check: its alternatives multiply. Simplify it.");
    if (type !== undefined && !type(value, run, undefined)) return false;
    run.scope.push(resource);
    const marks = last.length > 0 ? createEvaluated() : seen;
    let ok = true;
    for (let index = 0; index < rules.length; index++) {
      if (rules[index]!(value, run, marks)) continue;
      ok = false;
      if (run.issues === undefined) break;
    }
    if (ok) for (const rule of last) ok = rule(value, run, marks) && ok;
    run.scope.pop();
    if (ok && marks !== undefined && seen !== undefined && marks !== seen) mergeEvaluated(seen, marks);
    return ok;
  };
}
