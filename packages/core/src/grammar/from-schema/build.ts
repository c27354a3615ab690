import { isImpossible, isObject } from "@toolrack/json-schema/internal";
import { type JsonSchema, validatorFor } from "@toolrack/json-schema";
import { arrayNode } from "./arrays.ts";
import { casesOf, furtherPatterns } from "./cases.ts";
import { space } from "../tree/json-text.ts";
import type { ExtraKeys } from "./keys.ts";
import type { Location } from "../loss.ts";
import type { PartBuilder } from "./part-builder.ts";
import { anyNumber, numberNode } from "./numbers.ts";
import { objectNode } from "./objects.ts";
import { anyString, stringNode } from "./strings.ts";
import type { Node, Tree } from "../tree/tree.ts";
import { enumNode } from "./values.ts";

const allTypes = ["object", "array", "string", "number", "boolean", "null"] as const;

/** Builds the parts of one normal schema into a tree. Definitions become rules, so that a schema may contain itself. */
export class Build implements PartBuilder {
  readonly tree: Tree;
  readonly extraKeys: ExtraKeys;
  private readonly definitions: Readonly<Record<string, JsonSchema>>;
  private readonly prefix: string;
  /** Definitions that are being built and have not written a character yet: a reference to one of these would be left-recursive. */
  private opening = new Set<string>();

  /** `prefix` keeps the definitions of several schemas in one tree apart. */
  constructor(tree: Tree, root: JsonSchema, extraKeys: ExtraKeys, prefix: string) {
    this.tree = tree;
    this.extraKeys = extraKeys;
    this.definitions = isObject(root["$defs"]) ? (root["$defs"] as Record<string, JsonSchema>) : {};
    this.prefix = prefix;
  }

  value(schema: JsonSchema, location: Location): Node {
    const outer = this.opening;
    this.opening = new Set();
    const node = this.union(schema, location);
    this.opening = outer;
    return node;
  }

  private union(schema: JsonSchema, location: Location): Node {
    const { tree } = this;
    const lost = location.lossCount;
    const cases = casesOf(schema, (reference) => this.find(reference), location);
    // Of other branches, several may hold together, or fail after they have looked at a part.
    const isSettled = location.lossCount === lost && !["anyOf", "if", "not", "allOf"].some((keyword) => Object.hasOwn(schema, keyword));
    return tree.choice(...cases.map((one) => this.plain(isSettled ? closeEvaluated(one) : one, location)));
  }

  private plain(schema: JsonSchema, location: Location): Node {
    const { tree } = this;
    if (typeof schema["$ref"] === "string") return this.definition(schema["$ref"], location);
    if (Array.isArray(schema["enum"])) return enumNode(tree, this.allowed(schema["enum"], schema));
    const { type } = schema;
    const types = type === undefined ? allTypes : Array.isArray(type) ? (type as string[]) : [type as string];
    if (type === undefined && !Object.keys(schema).some((keyword) => judging.has(keyword))) return anyValue(tree);
    for (const keyword of unjudged)
      if (Object.hasOwn(schema, keyword)) location.lose(keyword, `${keyword} cannot be said in a grammar here`);
    return tree.choice(...types.map((one) => this.ofType(one, schema, location)));
  }

  private ofType(type: string, schema: JsonSchema, location: Location): Node {
    const { tree } = this;
    switch (type) {
      case "object":
        return objectNode(this, schema, location);
      case "array":
        return arrayNode(this, schema, location);
      case "string":
        return stringNode(tree, schema, location);
      case "number":
      case "integer":
        return numberNode(tree, schema, type, location);
      case "boolean":
        return enumNode(tree, this.allowed([true, false], schema));
      case "null":
        return enumNode(tree, this.allowed([null], schema));
      default:
        return tree.nothing;
    }
  }

  /** Of fixed values, those that the rest of the schema accepts too. */
  private allowed(values: readonly unknown[], schema: JsonSchema): readonly unknown[] {
    const beside = Object.keys(schema).filter((keyword) => keyword !== "enum" && judging.has(keyword));
    if (beside.length === 0 || (beside.length === 1 && beside[0] === "type"))
      return values.filter((value) => isOfType(value, schema["type"]));
    const further = Array.isArray(schema[furtherPatterns]) ? (schema[furtherPatterns] as string[]) : [];
    const rest = Object.fromEntries(beside.filter((keyword) => keyword !== furtherPatterns).map((keyword) => [keyword, schema[keyword]]));
    const validator = validatorFor({ ...rest, allOf: [{}, ...further.map((pattern) => ({ pattern }))], $defs: this.definitions });
    return values.filter((value) => validator.check(value));
  }

  private definition(reference: string, location: Location): Node {
    const name = reference.slice("#/$defs/".length);
    const target = this.find(reference);
    if (target === undefined) return anyValue(this.tree);
    if (this.opening.has(name)) {
      location.lose("$ref", "the schema is defined by nothing but itself");
      return anyValue(this.tree);
    }
    return this.tree.define(`${this.prefix}${ruleName(name)}`, () => {
      this.opening.add(name);
      const node = this.union(target, location.inside("$defs", name));
      this.opening.delete(name);
      return node;
    });
  }

  private find(reference: string): JsonSchema | undefined {
    const name = reference.slice("#/$defs/".length);
    return Object.hasOwn(this.definitions, name) ? this.definitions[name] : undefined;
  }
}

/** In a case of oneOf the branch is decided, so that what is not evaluated is what is not named. */
function closeEvaluated(schema: JsonSchema): JsonSchema {
  const { unevaluatedProperties, unevaluatedItems, ...rest } = schema;
  if (unevaluatedProperties === undefined && unevaluatedItems === undefined) return schema;
  const closed: Record<string, unknown> = { ...rest };
  if (unevaluatedProperties !== undefined && !Object.hasOwn(rest, "additionalProperties")) {
    closed["additionalProperties"] = isObject(unevaluatedProperties) && isImpossible(unevaluatedProperties) ? false : unevaluatedProperties;
  }
  if (unevaluatedItems === undefined || Object.hasOwn(rest, "items")) return closed;
  if (Object.hasOwn(rest, "contains")) return { ...closed, unevaluatedItems };
  return { ...closed, items: unevaluatedItems };
}

/** "My_Type" → "def-My-Type": what every engine takes for a name. Distinct definitions keep distinct names. */
export function ruleName(name: string): string {
  const dashed = name.replace(/[^A-Za-z0-9]/g, (character) =>
    character === "_" || character === "-" || character === "." ? "-" : `-${character.codePointAt(0)}-`,
  );
  return `def-${dashed}`;
}

/** Any JSON value at all. */
export function anyValue(tree: Tree): Node {
  return tree.define("value", () =>
    tree.choice(
      anyObject(tree),
      anyArray(tree),
      anyString(tree),
      anyNumber(tree),
      tree.text("true"),
      tree.text("false"),
      tree.text("null"),
    ),
  );
}

export function anyObject(tree: Tree): Node {
  return tree.define("object", () => {
    const ws = space(tree);
    const member = tree.sequence(anyString(tree), tree.text(":"), ws, anyValue(tree));
    return listed(tree, "{", member, "}");
  });
}

function anyArray(tree: Tree): Node {
  return tree.define("array", () => listed(tree, "[", anyValue(tree), "]"));
}

function listed(tree: Tree, open: string, item: Node, close: string): Node {
  const ws = space(tree);
  const more = tree.repeat(tree.sequence(tree.text(","), ws, item), 0, Infinity);
  return tree.choice(tree.text(open + close), tree.sequence(tree.text(open), ws, item, more, ws, tree.text(close)));
}

/** Keywords that a case may still have and that decide about values. */
const judging = new Set([
  ..."type enum not pattern format minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split(" "),
  ..."properties patternProperties additionalProperties required propertyNames minProperties maxProperties".split(" "),
  ..."items prefixItems minItems maxItems uniqueItems contains minContains maxContains unevaluatedProperties unevaluatedItems".split(" "),
  furtherPatterns,
]);

const unjudged = ["unevaluatedProperties", "unevaluatedItems"];

function isOfType(value: unknown, type: unknown): boolean {
  if (type === undefined) return true;
  const own = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const types = Array.isArray(type) ? (type as string[]) : [type as string];
  return types.includes(own) || (own === "number" && types.includes("integer") && Number.isInteger(value));
}
