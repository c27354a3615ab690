import type * as acorn from "acorn";

/** What a function was seen to read of one of its parameters. */
export interface HandlerReads {
  /** Each by the place that it was read from: { at: ["filters"], name: "maxPrice" }; an item of a list is at "[]". */
  readonly reads: readonly { readonly at: readonly string[]; readonly name: string }[];
}

type Parse = typeof acorn.parse;
type Node = acorn.AnyNode;
/** A name of the source → the place of the input that it stands for; undefined where it is something else. */
type Scope = Map<string, readonly string[] | undefined>;

/**
 * Reads the source of a function, without running it. What it hands to other functions is not followed, so this may be less than it
 * really reads, and is never more. Undefined where there is no source to read.
 */
export function handlerReads(run: (...given: never[]) => unknown, inputAt: number, parse: Parse): HandlerReads | undefined {
  const found = parseFunction(Function.prototype.toString.call(run), parse);
  if (found === undefined) return undefined;
  try {
    const walk = createWalk(assignedIn(found));
    const input = found.params[inputAt];
    if (input !== undefined) walk.parameter(input);
    walk.body(found);
    return { reads: walk.reads() };
  } catch (error) {
    // Nested more deeply than the stack allows.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

type FunctionNode = acorn.FunctionDeclaration | acorn.FunctionExpression | acorn.ArrowFunctionExpression;

/** "(input) => …", "function (input) {…}", and in an object "handler(input) {…}". */
function parseFunction(source: string, parse: Parse): FunctionNode | undefined {
  for (const text of [`(${source})`, `({${source}})`]) {
    try {
      const [statement] = parse(text, { ecmaVersion: "latest" }).body;
      if (statement?.type !== "ExpressionStatement") continue;
      const { expression } = statement;
      if (isFunction(expression)) return expression;
      const member = expression.type === "ObjectExpression" ? expression.properties[0] : undefined;
      if (member?.type === "Property" && isFunction(member.value)) return member.value;
    } catch {
      // Another form, or "[native code]".
    }
  }
  return undefined;
}

interface Walk {
  /** The parameter that is the input. */
  parameter(pattern: acorn.Pattern): void;
  body(node: FunctionNode): void;
  reads(): HandlerReads["reads"];
}

function createWalk(assigned: ReadonlySet<string>): Walk {
  const found = new Map<string, HandlerReads["reads"][number]>();
  /** What the function writes itself, it may read. */
  const written = new Set<string>();
  const keyOf = (at: readonly string[], name: string): string => JSON.stringify([...at, name]);
  const read = (at: readonly string[], name: string): void => void found.set(keyOf(at, name), { at, name });
  const outermost: Scope = new Map();

  /** Gives the names of a pattern their places; names that are assigned to later may stand for anything. */
  function bind(pattern: acorn.Pattern, place: readonly string[] | undefined, scope: Scope): void {
    if (pattern.type === "Identifier") scope.set(pattern.name, assigned.has(pattern.name) ? undefined : place);
    else if (pattern.type === "AssignmentPattern") bind(pattern.left, place, scope);
    else if (pattern.type === "RestElement") bind(pattern.argument, undefined, scope);
    else if (pattern.type === "ArrayPattern")
      pattern.elements.forEach((element) => element !== null && bind(element, place && [...place, "[]"], scope));
    else if (pattern.type === "ObjectPattern")
      for (const member of pattern.properties) {
        // The rest of an object has the names that were not taken out.
        if (member.type === "RestElement") bind(member.argument, place, scope);
        else {
          const name = member.computed ? undefined : nameOf(member.key);
          if (place !== undefined && name !== undefined) read(place, name);
          bind(member.value, place === undefined || name === undefined ? undefined : [...place, name], scope);
        }
      }
  }

  /** The place of the input that an expression stands for. */
  function placeOf(node: Node, scope: Scope): readonly string[] | undefined {
    if (node.type === "Identifier") return scope.get(node.name);
    if (node.type === "ChainExpression" || node.type === "ParenthesizedExpression") return placeOf(node.expression, scope);
    if (node.type === "LogicalExpression" && node.operator !== "&&") return placeOf(node.left, scope);
    if (node.type !== "MemberExpression") return undefined;
    const place = placeOf(node.object, scope);
    const name = memberName(node);
    return place === undefined || name === undefined ? undefined : [...place, name];
  }

  function visit(node: Node, scope: Scope): void {
    if (isFunction(node)) return visitFunction(node, new Map(scope));
    if (opensScope(node)) return visitBlock(node, new Map(scope));
    if (node.type === "MemberExpression") noteMember(node, scope);
    else if (node.type === "AssignmentExpression" && node.left.type === "MemberExpression") noteWrite(node.left, scope);
    else if (node.type === "UnaryExpression" && node.operator === "delete" && node.argument.type === "MemberExpression")
      noteWrite(node.argument, scope);
    else if (node.type === "VariableDeclarator" && node.init) bind(node.id, placeOf(node.init, scope), scope);
    childrenOf(node).forEach((child) => visit(child, scope));
  }

  function noteMember(node: acorn.MemberExpression, scope: Scope): void {
    const place = placeOf(node.object, scope);
    const name = memberName(node);
    if (place !== undefined && name !== undefined && name !== "[]") read(place, name);
  }

  function noteWrite(node: acorn.MemberExpression, scope: Scope): void {
    const place = placeOf(node.object, scope);
    const name = memberName(node);
    if (place !== undefined && name !== undefined) written.add(keyOf(place, name));
  }

  function visitFunction(node: FunctionNode, scope: Scope): void {
    for (const parameter of node.params) bind(parameter, undefined, scope);
    body(node, scope);
  }

  function body(node: FunctionNode, scope: Scope): void {
    // Defaults of parameters may read earlier ones.
    node.params.forEach((parameter) => visit(parameter, scope));
    visit(node.body, scope);
  }

  function visitBlock(node: Node, scope: Scope): void {
    // A name that is declared below hides the one around from the first line on.
    for (const name of declaredIn(node)) scope.set(name, undefined);
    if (node.type === "ForOfStatement" && node.left.type === "VariableDeclaration") {
      const place = placeOf(node.right, scope);
      bind(node.left.declarations[0]!.id, place && [...place, "[]"], scope);
    }
    childrenOf(node).forEach((child) => visit(child, scope));
  }

  return {
    parameter: (pattern) => bind(pattern, [], outermost),
    body: (node) => body(node, outermost),
    reads: () => [...found].filter(([key]) => !written.has(key)).map(([, one]) => one),
  };
}

/** "path" of `input.path` and `input["path"]`; "[]" of `items[0]`; undefined for other computed names. */
function memberName({ property, computed }: acorn.MemberExpression): string | undefined {
  if (!computed) return property.type === "Identifier" ? property.name : undefined;
  if (property.type !== "Literal") return undefined;
  return typeof property.value === "number" ? "[]" : nameOf(property);
}

function nameOf(key: Node): string | undefined {
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" && typeof key.value === "string" ? key.value : undefined;
}

function isFunction(node: Node): node is FunctionNode {
  return /^(FunctionExpression|FunctionDeclaration|ArrowFunctionExpression)$/.test(node.type);
}

function opensScope({ type }: Node): boolean {
  return /^(BlockStatement|StaticBlock|For(In|Of)?Statement|CatchClause|SwitchStatement|Class(Declaration|Expression))$/.test(type);
}

/** The names that a block, a loop or a catch declares for what is inside. */
function declaredIn(block: Node): readonly string[] {
  const names: string[] = [];
  if (block.type === "CatchClause" && block.param) names.push(...namesIn(block.param));
  for (const child of block.type === "SwitchStatement" ? block.cases.flatMap(childrenOf) : childrenOf(block)) {
    if (child.type === "VariableDeclaration") names.push(...child.declarations.flatMap(({ id }) => namesIn(id)));
    else if ((child.type === "FunctionDeclaration" || child.type === "ClassDeclaration") && child.id) names.push(child.id.name);
  }
  return names;
}

function namesIn(pattern: Node): readonly string[] {
  if (pattern.type === "Identifier") return [pattern.name];
  if (pattern.type === "Property") return namesIn(pattern.value);
  if (pattern.type === "AssignmentPattern") return namesIn(pattern.left);
  return childrenOf(pattern).flatMap(namesIn);
}

/** Names that get another value somewhere, and `var`s, which are declared for the whole function wherever they stand. */
function assignedIn(root: Node): ReadonlySet<string> {
  const names = new Set<string>();
  const look = (node: Node): void => {
    if (node.type === "AssignmentExpression" && node.left.type !== "MemberExpression")
      namesIn(node.left).forEach((name) => names.add(name));
    if (node.type === "UpdateExpression" && node.argument.type === "Identifier") names.add(node.argument.name);
    if ((node.type === "ForInStatement" || node.type === "ForOfStatement") && node.left.type !== "VariableDeclaration")
      namesIn(node.left).forEach((name) => names.add(name));
    if (node.type === "VariableDeclaration" && node.kind === "var")
      node.declarations.flatMap(({ id }) => namesIn(id)).forEach((name) => names.add(name));
    childrenOf(node).forEach(look);
  };
  look(root);
  return names;
}

/** The nodes below a node, except names that stand for themselves: keys, labels and properties. */
function childrenOf(node: Node): readonly Node[] {
  return Object.entries(node).flatMap(([field, value]: [string, unknown]) => {
    const isPlainName = (field === "key" || field === "property") && !(node as { readonly computed?: boolean }).computed;
    if (isPlainName || field === "label") return [];
    return (Array.isArray(value) ? value : [value]).filter(isNode);
  });
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as { readonly type?: unknown }).type === "string";
}
