import type { TextTest } from "./condition.ts";

/** A node of a parsed condition, as the package documents it. */
export interface CelNode {
  readonly op: string;
  readonly args: unknown;
  readonly input: string;
  readonly range: { readonly start: number; readonly end: number };
}

/** A call of a method, and its first argument if that is a literal. */
export interface MethodCall {
  readonly nameStart: number;
  readonly pattern: unknown;
}

export function findCalls(tree: CelNode, method: string): MethodCall[] {
  const calls: MethodCall[] = [];
  visit(tree, (node) => {
    const call = asMethodCall(node);
    const argument = call?.values[0];
    if (call?.method !== method || argument === undefined) return;
    const between = node.input.slice(call.receiver.range.end, argument.range.start);
    calls.push({
      nameStart: call.receiver.range.end + between.lastIndexOf(method),
      pattern: argument.op === "value" ? argument.args : undefined,
    });
  });
  return calls;
}

/** Everything that tests a part of a text, with the names that the text is built from; names bound by macros are resolved. */
export function findTextTests(tree: CelNode, nameOf: (method: string) => string): TextTest[] {
  const tests: TextTest[] = [];
  const walk = (node: CelNode, bound: Bound): void => {
    const call = asMethodCall(node);
    if (call) {
      const method = nameOf(call.method);
      if (partialTests.has(method)) tests.push({ test: method, names: [...namesIn(call.receiver, bound)] });
      const inner = bindMacro(call, bound);
      for (const child of childrenOf(node)) walk(child, inner);
      return;
    }
    const [left, right] = childrenOf(node);
    if (node.op === "in" && right && right.op !== "list" && right.op !== "map")
      tests.push({ test: "in", names: [...namesIn(right, bound)] });
    if (comparisons.has(node.op)) tests.push({ test: node.op, names: [left!, right!].flatMap((side) => [...namesIn(side, bound)]) });
    for (const child of childrenOf(node)) walk(child, bound);
  };
  walk(tree, new Map());
  return tests;
}

const partialTests: ReadonlySet<string> = new Set([
  "startsWith",
  "endsWith",
  "contains",
  "matches",
  "indexOf",
  "lastIndexOf",
  "substring",
  "split",
]);
const comparisons: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);

/** Variable of a macro → the names that its value is built from. */
type Bound = ReadonlyMap<string, ReadonlySet<string>>;

interface Call {
  readonly method: string;
  readonly receiver: CelNode;
  readonly values: readonly CelNode[];
}

function asMethodCall({ op, args }: CelNode): Call | undefined {
  if (op !== "rcall") return undefined;
  const [method, receiver, values] = args as [string, CelNode, CelNode[]];
  return { method, receiver, values };
}

/** `list.exists(x, …)` and `cel.bind(x, value, …)` give a value another name. */
function bindMacro({ method, receiver, values }: Call, bound: Bound): Bound {
  const variable = values[0];
  if (variable?.op !== "id" || values.length < 2) return bound;
  const value = method === "bind" ? values[1]! : receiver;
  return new Map([...bound, [variable.args as string, namesIn(value, bound)]]);
}

function namesIn(tree: CelNode, bound: Bound): ReadonlySet<string> {
  const names = new Set<string>();
  visit(tree, (node) => {
    if (node.op === "id") for (const name of bound.get(node.args as string) ?? [node.args as string]) names.add(name);
    else if (node.op === "." || node.op === ".?") names.add((node.args as [CelNode, string])[1]);
    else if (node.op === "[]" || node.op === "[?]") names.add(String((node.args as [CelNode, CelNode])[1].args));
  });
  return names;
}

function visit(node: CelNode, see: (node: CelNode) => void): void {
  see(node);
  for (const child of childrenOf(node)) visit(child, see);
}

/** The nodes below a node: its operands may be nodes, lists of nodes, or lists of pairs. */
function childrenOf({ args }: CelNode): CelNode[] {
  return (Array.isArray(args) ? args : [args]).flat(3).filter(isNode);
}

function isNode(value: unknown): value is CelNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}
