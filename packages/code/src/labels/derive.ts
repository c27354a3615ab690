import { childrenOf, isFunction, type Node } from "../parse/tree.ts";
import { namesOf } from "../scope/hoist.ts";
import type { Binding } from "../scope/scope.ts";

/** Where the value of a name may come from: an expression, or something that can be reached from it. */
export interface Origin {
  readonly node: Node;
  readonly deep: boolean;
}

/** For each name of a program, all that it is set to. */
export function originsOf(root: Node): ReadonlyMap<Binding, readonly Origin[]> {
  const origins = new Map<Binding, Origin[]>();
  const add = (pattern: Node | null, node: Node | null | undefined, deep: boolean): void => {
    if (pattern === null || node === null || node === undefined) return;
    const isDeep = deep || pattern.type !== "Identifier";
    for (const name of namesOf(pattern)) {
      const binding = name.binding as Binding | undefined;
      if (binding === undefined) continue;
      const known = origins.get(binding);
      if (known === undefined) origins.set(binding, [{ node, deep: isDeep }]);
      else known.push({ node, deep: isDeep });
    }
  };
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    switch (node.type) {
      case "VariableDeclarator":
        add(node.id, node.init, false);
        break;
      case "AssignmentExpression":
        if (node.left.type !== "MemberExpression") add(node.left, node.right, false);
        break;
      case "AssignmentPattern":
        add(node.left, node.right, false);
        break;
      case "ForOfStatement":
      case "ForInStatement":
        add(node.left.type === "VariableDeclaration" ? node.left.declarations[0].id : node.left, node.right, true);
        break;
      case "CallExpression":
      case "NewExpression":
        addArguments(node, add);
        break;
    }
    for (const child of childrenOf(node)) waiting.push(child);
    for (const made of [node.fieldsFunction, node.staticsFunction] as (Node | undefined)[]) if (made !== undefined) waiting.push(made);
  }
  return origins;
}

/** Parameters come from the arguments of calls that are known, or from what a built-in function goes over. */
function addArguments(node: Node, add: (pattern: Node, value: Node, deep: boolean) => void): void {
  const args = node.arguments as Node[];
  const callee = functionOf(node.callee);
  if (callee !== undefined) {
    (callee.params as Node[]).forEach((param, index) => {
      if (param.type === "RestElement") for (const rest of args.slice(index)) add(param.argument, rest, true);
      else if (args[index] !== undefined) add(param.type === "TSParameterProperty" ? param.parameter : param, args[index] as Node, false);
    });
  }
  for (const argument of args) {
    if (!isFunction(argument)) continue;
    const sources = [
      ...(node.callee.type === "MemberExpression" ? [node.callee.object as Node] : []),
      ...args.filter((other) => other !== argument),
    ];
    for (const param of argument.params as Node[])
      for (const source of sources) add(param.type === "RestElement" ? param.argument : param, source, true);
  }
}

/** The function that a callee surely is. */
export function functionOf(callee: Node): Node | undefined {
  if (isFunction(callee)) return callee;
  const binding = callee.type === "Identifier" ? (callee.binding as Binding | undefined) : undefined;
  return binding?.init !== undefined && !binding.assigned && isFunction(binding.init) ? binding.init : undefined;
}
