import type { Mutation } from "./effect.ts";
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
  if (name === "push") return { grows: true, builtIn: true };
  if (name === "add") return { builtIn: true };
  if (keyed.has(name)) {
    const [key] = args;
    return key?.type === "Literal" && typeof key.value === "string"
      ? { key: key.value, builtIn: true, ...(name === "delete" ? { removes: true } : {}) }
      : { builtIn: true };
  }
  return anywhere.has(name) || /^set(?:UTC)?(?:FullYear|Month|Date|Hours|Minutes|Seconds|Milliseconds|Time)$/.test(name)
    ? { builtIn: true }
    : undefined;
}
