import type { JsonSchema } from "@toolrack/json-schema";
import { hasOwn, isObject, type JsonObject } from "@toolrack/json-schema/internal";
import type { ToolDefinition } from "../../tool/tool.ts";
import type { Wrapper } from "../wrapper.ts";
import { type NamePlan, toCamelCase, toNamePlan, toWords } from "./_name-plan.ts";

/**
 * Maps the names of an input to those that its schema declares: camelCase and snake_case for each other at any depth, and the
 * tool's own aliases at the top level. An exact name wins over its other spellings, which are then removed.
 */
export const paramNames: Wrapper = {
  name: "param-names",
  appliesTo: (tool) => planFor(tool) !== undefined || tool.metadata?.aliases !== undefined,
  prepare: (input, call) => renameKeys(input, planFor(call.tool) ?? emptyPlan, aliasesOf(call.tool), 0),
};

/** The declared name that a key of an input means, at the top level: its own, or that of which it is another spelling or an alias. */
export function declaredName(key: string, tool: ToolDefinition): string {
  const plan = planFor(tool) ?? emptyPlan;
  return plan.declared.has(key) ? key : (canonicalName(key, plan, aliasesOf(tool)) ?? key);
}

const plans = new WeakMap<JsonSchema, { readonly plan: NamePlan | undefined }>();

function planFor(tool: ToolDefinition): NamePlan | undefined {
  const { inputSchema } = tool;
  let known = plans.get(inputSchema);
  if (known === undefined) plans.set(inputSchema, (known = { plan: toNamePlan(inputSchema) }));
  return known.plan;
}

const emptyPlan: NamePlan = { declared: new Map(), plain: new Set(), byWords: new Map(), items: undefined };

/** Each alias in its own spelling, in snake case and in camel case. */
type Aliases = ReadonlyMap<string, string>;

const aliasMaps = new WeakMap<object, Aliases>();

function aliasesOf(tool: ToolDefinition): Aliases | undefined {
  const aliases = tool.metadata?.aliases;
  if (aliases === undefined) return undefined;
  let map = aliasMaps.get(aliases);
  if (map === undefined) {
    const spelled = (spell: (alias: string) => string): [string, string][] =>
      Object.entries(aliases).map(([alias, name]) => [spell(alias), name]);
    map = new Map([...spelled(toWords), ...spelled(toCamelCase), ...Object.entries(aliases)]);
    aliasMaps.set(aliases, map);
  }
  return map;
}

/** Deeper values are left to the schema. */
const maxDepth = 200;

function rename(value: unknown, plan: NamePlan, depth: number): unknown {
  if (depth > maxDepth) return value;
  if (Array.isArray(value)) return plan.items === undefined ? value : renameItems(value, plan.items, depth);
  return isObject(value) ? renameKeys(value, plan, undefined, depth) : value;
}

function renameItems(list: readonly unknown[], plan: NamePlan, depth: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = rename(list[index], plan, depth + 1);
    if (item !== list[index]) (copy ??= [...list])[index] = item;
  }
  return copy ?? list;
}

function renameKeys(input: JsonObject, plan: NamePlan, aliases: Aliases | undefined, depth: number): JsonObject {
  if (isPlain(input, plan)) return input;
  const keys = Object.keys(input);
  let copy: JsonObject | undefined;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const name = plan.declared.has(key) ? key : (canonicalName(key, plan, aliases) ?? key);
    const below = plan.declared.get(name);
    const value = below === undefined ? input[key] : rename(input[key], below, depth + 1);
    if (copy === undefined) {
      if (name === key && value === input[key]) continue;
      copy = {};
      for (const earlier of keys.slice(0, index)) put(copy, earlier, input[earlier]);
    }
    if (name === key || !(hasOwn(input, name) || hasOwn(copy, name))) put(copy, name, value);
  }
  return copy ?? input;
}

function isPlain(input: JsonObject, plan: NamePlan): boolean {
  for (const key in input) if (!plan.plain.has(key)) return false;
  return true;
}

/** The declared name of an undeclared key. Only camelCase and snake_case are mapped; other differences make two names. */
function canonicalName(key: string, plan: NamePlan, aliases: Aliases | undefined): string | undefined {
  if (key.length > maxNameLength) return undefined;
  const alias = aliases?.get(key);
  if (alias !== undefined) return alias;
  const declared = plan.byWords.get(toWords(key));
  return declared !== undefined && declared.includes("_") !== key.includes("_") ? declared : undefined;
}

const maxNameLength = 256;

/** Assigning to `__proto__` would set the prototype. */
function put(target: JsonObject, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else target[key] = value;
}
