import { childrenOf, isFunction, type Node } from "../parse/tree.ts";
import { isParameter } from "./derive.ts";

/** What a function may answer. */
export function returnsOf(fn: Node): Node[] {
  if (fn.body.type !== "BlockStatement") return [fn.body as Node];
  const found: Node[] = [];
  const waiting: Node[] = [fn.body as Node];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === "ReturnStatement" && node.argument !== null && node.argument !== undefined) found.push(node.argument as Node);
    for (const child of childrenOf(node)) if (!isFunction(child) && child.type !== "ClassBody") waiting.push(child);
  }
  return found;
}

/** Whether a function has a `throw` that it does not catch, or one that it calls or gives to another has. Async functions answer a promise instead. */
export function throwsOut(fn: Node): boolean {
  if (fn.async === true) return false;
  const waiting: Node[] = [fn.body as Node];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === "ThrowStatement") return true;
    const caught = node.type === "TryStatement" && node.handler !== null && node.handler !== undefined;
    const isCall = node.type === "CallExpression" || node.type === "NewExpression";
    for (const child of childrenOf(node)) {
      const isRun = !isFunction(child) || (isCall && child.async !== true);
      if (isRun && child.type !== "ClassBody" && (!caught || child !== node.block)) waiting.push(child);
    }
  }
  return false;
}

/** What a function may give to others besides its answer: what it sets fields to, calls its parameters with, or gives to the class it extends. */
export function givenBy(fn: Node): Node[] {
  const members = (fn.members as Node[] | undefined) ?? [];
  const found = members.flatMap(({ value }) => (value === null || value === undefined ? [] : [value as Node]));
  const waiting: Node[] = [fn.body as Node];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === "CallExpression" && (node.callee.type === "Super" || isParameter(node.callee)))
      for (const argument of node.arguments as Node[]) found.push(argument);
    for (const child of childrenOf(node)) waiting.push(child);
  }
  return found;
}
