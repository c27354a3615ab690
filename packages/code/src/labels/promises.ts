import type { Node } from "../parse/tree.ts";
import { isPure } from "./nodes.ts";

/** Whether a call may answer a promise. */
export function mayMakePromise(node: Node): boolean {
  if (node.type === "NewExpression") return isFree(node.callee, "Promise");
  if (node.type !== "CallExpression") return false;
  const callee = node.callee as Node;
  if (callee.type === "Identifier") return callee.binding !== undefined;
  if (callee.type !== "MemberExpression") return true;
  if (isPure(callee)) return isFree(callee.object, "tools") || isFree(callee.object, "Promise");
  return callee.computed === true || !plainMethods.has(callee.property.name as string);
}

function isFree(node: Node, name: string): boolean {
  return node.type === "Identifier" && node.binding === undefined && node.name === name;
}

/** Methods that lists, texts, maps, numbers and dates have: a program that gives one of its own such a name rarely waits for it. */
const plainMethods: ReadonlySet<string> = new Set(
  [Array, String, Map, Set, Number, Date, RegExp, Object].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype)),
);
