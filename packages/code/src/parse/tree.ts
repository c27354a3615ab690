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
export function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const field of Object.keys(node)) {
    if (skipped.has(field)) continue;
    const value = node[field] as unknown;
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) children.push(item);
    } else if (isNode(value)) children.push(value);
  }
  return children;
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
