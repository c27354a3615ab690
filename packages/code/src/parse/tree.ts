import { fieldsOfType } from "./fields.ts";

/** A node of the syntax tree, in the form of ESTree. Positions are offsets into the text that was parsed. */
export interface Node {
  type: string;
  start: number;
  end: number;
  // The fields of a node depend on its type, and hundreds of types would say no more than ESTree's own page.
  // oxlint-disable-next-line typescript/no-explicit-any
  [field: string]: any;
}

/** The nodes directly below a node, in the order of the source. Types and what earlier passes noted are left out. */
export function childrenOf(node: Node): readonly Node[] {
  if (isLeaf(node)) return none;
  const children: Node[] = [];
  for (const field of fieldsOf(node)) {
    const value = node[field] as unknown;
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) children.push(item);
    } else if (isNode(value)) children.push(value);
  }
  return children;
}

const none: readonly Node[] = [];

/** The fields that may hold nodes. Types and what earlier passes noted are left out. */
export function fieldsOf(node: Node): readonly string[] {
  return fieldsOfType.get(node.type) ?? Object.keys(node).filter((field) => !skipped.has(field));
}

/** Whether nothing but types and decorators can stand below a node: most nodes are such, and looking through their fields takes time. */
export function isLeaf({ type }: Node): boolean {
  return type === "Identifier" || type === "Literal" || type === "TemplateElement";
}

export function isNode(value: unknown): value is Node {
  return (
    typeof value === "object" && value !== null && typeof (value as Node).type === "string" && typeof (value as Node).start === "number"
  );
}

export function isFunction(node: Node): boolean {
  return node.type === "FunctionDeclaration" || node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression";
}

const skipped = new Set([
  "typeAnnotation",
  "returnType",
  "typeParameters",
  "typeArguments",
  "superTypeParameters",
  "superTypeArguments",
  "implements",
  "loc",
  "range",
  "regex",
  "binding",
  "scope",
  "info",
  "at",
  "selfScope",
  "fieldsFunction",
  "staticsFunction",
]);
