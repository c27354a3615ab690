import type { Mutation, Way } from "./effect.ts";
import type { Node } from "../parse/tree.ts";

/** Namespaces and classes of the language, and the tools. */
export const pureGlobals: ReadonlySet<string> = new Set([
  "Math",
  "JSON",
  "console",
  "tools",
  "Object",
  "Array",
  "String",
  "Number",
  "Promise",
  "Date",
  "Map",
]);

const anywhere: ReadonlySet<string> = new Set([
  "pop",
  "shift",
  "unshift",
  "splice",
  "sort",
  "reverse",
  "fill",
  "copyWithin",
  "clear",
  "next",
  "exec",
  "test",
  "toArray",
]);
const keyed: ReadonlySet<string> = new Set(["set", "delete"]);

/** What a method of the language changes of its receiver; undefined for one that changes nothing. */
export function mutationOf(callee: Node, args: readonly Node[]): Mutation | undefined {
  if (callee.computed === true) return callee.property.type === "Literal" && typeof callee.property.value === "number" ? undefined : {};
  const name = callee.property.name as string;
  if (keyed.has(name)) {
    const [key] = args;
    if (key?.type === "Literal" && typeof key.value === "string")
      return { key: key.value, builtIn: true, ...(name === "delete" ? { removes: true } : {}) };
  }
  return methodMutation(name);
}

/** The same from the name alone. */
export function methodMutation(name: string): Mutation | undefined {
  if (name === "push") return { grows: true, builtIn: true };
  return name === "add" ||
    keyed.has(name) ||
    anywhere.has(name) ||
    /^set(?:UTC)?(?:FullYear|Month|Date|Hours|Minutes|Seconds|Milliseconds|Time)$/.test(name)
    ? { builtIn: true }
    : undefined;
}

/** Methods that move `lastIndex` of the pattern they are given. */
export const takesPattern: ReadonlySet<string> = new Set(["replace", "replaceAll", "match", "matchAll", "search", "split"]);

/** What a method that changes its receiver puts into it, of its arguments. */
export function storedBy(name: string, args: readonly (readonly Way[])[]): readonly Way[] {
  if (name === "set") return [...(args[0] ?? []), ...(args[1] ?? [])];
  return ["push", "unshift", "splice", "add", "fill", ""].includes(name) ? args.flat() : [];
}

/** Methods that answer a member of their receiver. */
export const answersMember: ReadonlySet<string> = new Set(["find", "findLast", "at", "pop", "shift", "get"]);

/** Methods that answer their receiver. */
export const answersReceiver: ReadonlySet<string> = new Set(["sort", "reverse", "fill", "copyWithin", "set", "add"]);

/** Built-in functions that go over what they are given. */
export const goesOver: ReadonlySet<string> = new Set([
  "from",
  "fromEntries",
  "groupBy",
  "all",
  "allSettled",
  "race",
  "any",
  "Set",
  "Map",
  "AggregateError",
]);

/** Built-in functions that call what they are given. */
export const callsBack: ReadonlySet<string> = new Set([
  "map",
  "filter",
  "forEach",
  "find",
  "findIndex",
  "findLast",
  "findLastIndex",
  "some",
  "every",
  "flatMap",
  "reduce",
  "reduceRight",
  "sort",
  "toSorted",
  "from",
  "groupBy",
  "then",
  "catch",
  "finally",
  "replace",
  "replaceAll",
  "parse",
  "stringify",
  "Promise",
  "$call",
  "$sorted",
  "$revive",
  "$replaced",
  "$replaceWith",
]);
