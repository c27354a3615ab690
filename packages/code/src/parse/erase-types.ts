import { fieldsOfType } from "./fields.ts";
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

/** Types of nodes that are never erased; of the usual ones, those that declare something may be. */
const neverErased = new Set(fieldsOfType.keys());
for (const type of ["FunctionDeclaration", "MethodDefinition", "PropertyDefinition", "ClassDeclaration", "VariableDeclaration"])
  neverErased.delete(type);

/** Changes a tree in place so that nothing of types is left; enums and parameter properties, which run, stay. */
export function eraseTypes(root: Node): void {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (Array.isArray(node.params) && node.params.some(isThis)) node.params = node.params.filter((param) => !isThis(param));
    // Fields that hold types are passed over by every later pass: taking them out would slow down all of them.
    for (const field of fieldsOf(node)) {
      const value = node[field] as unknown;
      if (typeof value !== "object" || value === null) continue;
      if (Array.isArray(value)) {
        const items = value.some(isErased) ? (node[field] = eraseList(value)) : value;
        for (const item of items) if (isNode(item) && !isLeaf(item)) waiting.push(item);
      } else if (isNode(value)) {
        const inner = isErased(value) ? unwrap(value) : value;
        if (inner !== value) node[field] = inner;
        if (!isLeaf(inner)) waiting.push(inner);
      }
    }
  }
}

function isThis(param: Node): boolean {
  return param.type === "Identifier" && param.name === "this";
}

/** Whether a node is replaced by what it holds, or is nothing but types. */
function isErased(node: unknown): boolean {
  return isNode(node) && !neverErased.has(node.type) && (wrappers.has(node.type) || isTypeOnly(node));
}

function eraseList(items: readonly unknown[]): unknown[] {
  return items.flatMap((item) => (!isErased(item) ? [item] : isTypeOnly(item as Node) ? [] : [unwrap(item as Node)]));
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
