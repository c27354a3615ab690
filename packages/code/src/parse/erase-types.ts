import { fieldsOf, isLeaf, isNode, type Node } from "./tree.ts";

const wrappers = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
  "ParenthesizedExpression",
]);
const declarations = new Set(["TSInterfaceDeclaration", "TSTypeAliasDeclaration", "TSDeclareFunction"]);

/** Changes a tree in place so that nothing of types is left; enums and parameter properties, which run, stay. */
export function eraseTypes(root: Node): void {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (Array.isArray(node.params))
      node.params = (node.params as Node[]).filter((param) => param.type !== "Identifier" || param.name !== "this");
    // Fields that hold types are passed over by every later pass: taking them out would slow down all of them.
    for (const field of fieldsOf(node)) {
      const value = node[field] as unknown;
      if (typeof value !== "object" || value === null) continue;
      if (Array.isArray(value)) node[field] = eraseList(value, waiting);
      else if (isNode(value)) {
        const inner = unwrap(value);
        if (inner !== value) node[field] = inner;
        if (!isLeaf(inner)) waiting.push(inner);
      }
    }
  }
}

function eraseList(items: readonly unknown[], waiting: Node[]): unknown[] {
  const kept: unknown[] = [];
  for (const item of items) {
    if (!isNode(item)) {
      kept.push(item);
      continue;
    }
    if (isTypeOnly(item)) continue;
    const inner = unwrap(item);
    kept.push(inner);
    if (!isLeaf(inner)) waiting.push(inner);
  }
  return kept;
}

function unwrap(node: Node): Node {
  let inner = node;
  while (wrappers.has(inner.type)) inner = inner.expression as Node;
  if (isTypeOnly(inner)) return { type: "EmptyStatement", start: inner.start, end: inner.end };
  return inner;
}

function isTypeOnly(node: Node): boolean {
  if (declarations.has(node.type)) return true;
  if (node.declare === true) return true;
  if (node.type === "FunctionDeclaration" || node.type === "MethodDefinition" || node.type === "TSAbstractMethodDefinition") {
    const body = node.type === "FunctionDeclaration" ? (node.body as unknown) : (node.value?.body as unknown);
    if (body === undefined || body === null) return true;
  }
  if (node.type === "TSDeclareMethod" || node.type === "TSIndexSignature" || node.type === "TSAbstractPropertyDefinition") return true;
  if (node.type === "PropertyDefinition" && node.abstract === true) return true;
  if (node.type === "ImportDeclaration") return node.importKind === "type";
  if (node.type === "ExportNamedDeclaration") return node.exportKind === "type";
  return false;
}
