import { childrenOf, isFunction, type Node } from "../parse/tree.ts";
import { namesOf } from "../scope/hoist.ts";
import type { Binding } from "../scope/scope.ts";

/** Where the value of a name may come from: an expression, or something that can be reached from it. */
export interface Origin {
  readonly node: Node;
  readonly deep: boolean;
  /** It is put into what the name holds: a write, where that can be seen. */
  readonly held?: boolean;
}

/** For each name of a program, all that it is set to. */
export function originsOf(root: Node, builtin: boolean): ReadonlyMap<Binding, readonly Origin[]> {
  const origins = new Map<Binding, Origin[]>();
  const add = (pattern: Node | null, node: Node | null | undefined, deep: boolean, held?: boolean): void => {
    if (pattern === null || node === null || node === undefined) return;
    const isDeep = deep || pattern.type !== "Identifier";
    for (const name of namesOf(pattern)) {
      const binding = name.binding as Binding | undefined;
      if (binding === undefined) continue;
      const known = origins.get(binding);
      const origin: Origin = held === true ? { node, deep: isDeep, held } : { node, deep: isDeep };
      if (known === undefined) origins.set(binding, [origin]);
      else known.push(origin);
    }
  };
  // What is put into an object can be had from it.
  const holds = (owner: Node, value: Node): void => {
    let root = owner;
    while (root.type === "MemberExpression") root = root.object as Node;
    if (root.type === "Identifier" && !builtin) add(root, value, true, true);
  };
  const caught: Node[] = [];
  const thrown: Origin[] = [];
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    switch (node.type) {
      case "VariableDeclarator":
        add(node.id, node.init, false);
        break;
      case "AssignmentExpression":
        if (node.left.type === "MemberExpression") holds(node.left, node.right);
        else add(node.left, node.right, false);
        break;
      case "AssignmentPattern":
        add(node.left, node.right, false);
        break;
      case "ForOfStatement":
      case "ForInStatement":
        add(node.left.type === "VariableDeclaration" ? node.left.declarations[0].id : node.left, node.right, true);
        break;
      case "FunctionDeclaration":
        add(node.id, node, false);
        break;
      case "ClassDeclaration":
        add(node.id, node, false);
        break;
      case "MethodDefinition":
        // Who calls it, and with what, is not followed.
        for (const param of node.value.params as Node[]) add(plainParam(param), { ...node, type: "ClassExpression" }, true, true);
        break;
      case "CatchClause":
        if (node.param !== null && node.param !== undefined) caught.push(node.param);
        break;
      case "ThrowStatement":
        if (!isNewError(node.argument)) thrown.push({ node: node.argument, deep: true });
        break;
      case "CallExpression":
      case "NewExpression":
        addArguments(node, add);
        storedByCall(node, holds);
        if (mayReject(node.callee)) for (const argument of node.arguments as Node[]) thrown.push({ node: argument, deep: true });
        break;
    }
    for (const child of childrenOf(node)) waiting.push(child);
    for (const made of [node.fieldsFunction, node.staticsFunction] as (Node | undefined)[]) if (made !== undefined) waiting.push(made);
  }
  for (const name of caught.flatMap((param) => namesOf(param))) {
    const binding = name.binding as Binding;
    const assigned = origins.get(binding);
    origins.set(binding, assigned === undefined ? thrown : [...assigned, ...thrown]);
  }
  return origins;
}

/** A call may put its arguments into its receiver, and into each other. */
function storedByCall(node: Node, holds: (owner: Node, value: Node) => void): void {
  const given = (node.arguments as Node[]).filter(({ type }) => !plainTypes.has(type));
  const owners = [node.callee as Node, ...given].filter(({ type }) => type === "MemberExpression" || type === "Identifier");
  const [value] = given;
  if (value === undefined) return;
  const all = given.length === 1 ? value : ({ ...node, type: "ArrayExpression", elements: given } as Node);
  for (const owner of owners) if (owner !== value || given.length > 1) holds(owner, all);
}

const plainTypes: ReadonlySet<string> = new Set([
  "Literal",
  "TemplateLiteral",
  "BinaryExpression",
  "UnaryExpression",
  "ArrowFunctionExpression",
  "FunctionExpression",
]);

/** `new Error(…)`: what most programs throw. */
function isNewError(node: Node): boolean {
  return node.type === "NewExpression" && node.callee.type === "Identifier" && node.callee.binding === undefined;
}

/** `Promise.reject(…)`, and what the function that `new Promise` is given calls. */
function mayReject(callee: Node): boolean {
  return callee.type === "MemberExpression" ? callee.property.name === "reject" : isParameter(callee);
}

/** A function that was given by the caller. */
export function isParameter(callee: Node): boolean {
  return callee.type === "Identifier" && (callee.binding as Binding | undefined)?.kind === "param";
}

/** Parameters come from the arguments of calls that are known, or from what a built-in function goes over. */
function addArguments(node: Node, add: (pattern: Node, value: Node, deep: boolean) => void): void {
  const args = node.arguments as Node[];
  const callee = functionOf(node.callee) ?? constructorOf(node.callee);
  if (callee !== undefined) {
    const spread = args.findIndex(({ type }) => type === "SpreadElement");
    (callee.params as Node[]).forEach((param, index) => {
      if (param.type === "RestElement" || (spread !== -1 && index >= spread))
        for (const rest of args.slice(spread === -1 ? index : Math.min(index, spread))) add(plainParam(param), rest, true);
      else if (args[index] !== undefined) add(plainParam(param), args[index] as Node, false);
    });
  }
  for (const argument of args) {
    if (!isFunction(argument)) continue;
    const sources = [
      ...(node.callee.type === "MemberExpression" ? [node.callee.object as Node] : []),
      ...args.filter((other) => other !== argument),
    ];
    for (const param of argument.params as Node[]) for (const source of sources) add(plainParam(param), source, true);
  }
}

function plainParam(param: Node): Node {
  if (param.type === "RestElement") return param.argument as Node;
  return param.type === "TSParameterProperty" ? (param.parameter as Node) : param;
}

/** The constructor of the class that a callee surely is. */
function constructorOf(callee: Node): Node | undefined {
  const binding = callee.type === "Identifier" ? (callee.binding as Binding | undefined) : undefined;
  const cls = binding === undefined || binding.assigned ? callee : binding.init;
  if (cls?.type !== "ClassExpression" && cls?.type !== "ClassDeclaration") return undefined;
  return (cls.body.body as Node[]).find(({ type, kind }) => type === "MethodDefinition" && kind === "constructor")?.value as
    | Node
    | undefined;
}

/** The function that a callee surely is. */
export function functionOf(callee: Node): Node | undefined {
  if (isFunction(callee)) return callee;
  const binding = callee.type === "Identifier" ? (callee.binding as Binding | undefined) : undefined;
  return binding?.init !== undefined && !binding.assigned && isFunction(binding.init) ? binding.init : undefined;
}
