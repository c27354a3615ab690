import type { Diagnostic } from "../diagnostic.ts";
import { before, lineOf, lineStartsOf, placeOf } from "../parse/source.ts";
import { childrenOf, type Node } from "../parse/tree.ts";
import type { Resolved } from "../scope/scope.ts";
import { refusedMembers, refusedNames, refusedObjectMembers } from "./refusals.ts";

const maximumFindings = 20;
const maximumDepth = 2_000;

/** Finds what the language leaves out, before anything runs. */
export function checkProgram(text: string, root: Node, resolved: Resolved): Diagnostic[] {
  const found: { node: Node; message: string }[] = [];
  const refuse = (node: Node, what: string, way: string, plural = true): void => {
    found.push({ node, message: `"${what}" ${plural ? "are" : "is"} not supported. ${way}` });
  };
  const decorated = text.includes("@");
  const waiting: Node[] = [root];
  const depths: number[] = [0];
  for (let node = waiting.pop(); node !== undefined && found.length < maximumFindings; node = waiting.pop()) {
    const depth = depths.pop() as number;
    if (depth > maximumDepth) {
      refuse(node, "Nesting this deep", "Use variables for inner parts.", false);
      break;
    }
    if (decorated && Array.isArray(node.decorators) && node.decorators.length > 0)
      refuse(node, "decorators", "Call the function around the value.");
    if (node.type === "Identifier") continue;
    checkNode(node, refuse);
    for (const child of childrenOf(node)) {
      waiting.push(child);
      depths.push(depth + 1);
    }
  }
  for (const node of resolved.free) {
    if (found.length >= maximumFindings) break;
    const refusal = refusedNames.get(node.name);
    if (refusal !== undefined) found.push({ node, message: `"${node.name}" is not supported (${refusal.what}). ${refusal.way}` });
  }
  const lineStarts = found.length === 0 ? [] : lineStartsOf(text);
  const diagnostics = found
    .toSorted((a, b) => a.node.start - b.node.start)
    .slice(0, maximumFindings)
    .map(({ node, message }): Diagnostic => {
      const place = placeOf(text, node.start - before.length, lineStarts);
      return { kind: "unsupported", message: `Line ${place.line}: ${message}\n${lineOf(text, place.line)}`, ...place };
    });
  return diagnostics.filter((one, at) => diagnostics.findIndex(({ message }) => message === one.message) === at);
}

type Refuse = (node: Node, what: string, way: string, plural?: boolean) => void;

function checkNode(node: Node, refuse: Refuse): void {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
      if (node.generator === true) refuse(node, "generators", "Build an array and return it.");
      return;
    case "Property":
      if (node.kind === "get" || node.kind === "set") refuse(node, "getters and setters", "Use a method.");
      if (node.computed !== true && keyOf(node) === "__proto__" && node.shorthand !== true)
        refuse(node, "__proto__", "Use a plain key.", false);
      if (node.method === true) checkSuper(node.value, refuse);
      return;
    case "VariableDeclarator":
      if (node.id.type === "Identifier" && node.id.name === "this") refuse(node, "a variable named this", "Choose another name.", false);
      return;
    case "MethodDefinition":
      if (node.kind === "get" || node.kind === "set") refuse(node, "getters and setters", "Use a method.");
      return;
    case "AccessorProperty":
      return refuse(node, "accessor fields", "Use a plain field.");
    case "PrivateIdentifier":
    case "PrivateName":
      return refuse(node, "classes with #private fields", `Write "${node.name}" instead of "#${node.name}".`);
    case "TaggedTemplateExpression":
      return refuse(node, "tagged templates", "Call the function with the text.");
    case "ImportExpression":
    case "ImportDeclaration":
    case "TSImportEqualsDeclaration":
      return refuse(node, "imports", "Only `tools` are available; see tools.search.");
    case "ExportNamedDeclaration":
    case "ExportDefaultDeclaration":
    case "ExportAllDeclaration":
    case "TSExportAssignment":
      return refuse(node, "exports", "Return the value.");
    case "MetaProperty":
      return node.meta.name === "import"
        ? refuse(node, "import.meta", "Only `tools` are available.", false)
        : refuse(node, "new.target", "Use instanceof.", false);
    case "TSModuleDeclaration":
      return refuse(node, "namespaces", "Use an object.");
    case "WithStatement":
      return refuse(node, "with", "Name the object each time.", false);
    case "YieldExpression":
      return refuse(node, "generators", "Build an array and return it.");
    case "Literal":
      if (node.bigint !== undefined) refuse(node, "BigInt", "Use numbers; they are exact up to 2 ** 53.", false);
      if (node.regex !== undefined && /[dv]/.test(node.regex.flags))
        refuse(node, "the flags d and v of regular expressions", "Use g, i, m, s, u or y.");
      return;
    case "NewExpression":
      return checkNew(node, refuse);
    case "MemberExpression":
      return checkMember(node, refuse);
    case "JSXElement":
    case "JSXFragment":
      return refuse(node, "JSX", "Return plain data.", false);
  }
}

function checkNew(node: Node, refuse: Refuse): void {
  const { callee } = node as { callee: Node } & Node;
  if (callee.type !== "Identifier" || callee.binding !== undefined) return;
  if (["String", "Number", "Boolean"].includes(callee.name)) refuse(node, `new ${callee.name}`, `Write ${callee.name}(value).`, false);
  if (callee.name === "Object") refuse(node, "new Object", "Write {}.", false);
}

function checkMember(node: Node, refuse: Refuse): void {
  const name =
    node.computed === true
      ? node.property.type === "Literal"
        ? String(node.property.value)
        : undefined
      : (node.property.name as string | undefined);
  if (name === undefined) return;
  if (node.computed !== true) {
    const refusal = refusedMembers.get(name);
    if (refusal !== undefined) return refuse(node.property, refusal.what, refusal.way, false);
  }
  const { object } = node as { object: Node } & Node;
  if (object.type !== "Identifier" || object.binding !== undefined || object.name !== "Object" || !refusedObjectMembers.has(name)) return;
  const way =
    name === "create"
      ? "Write {} or new Map()."
      : name === "getOwnPropertyNames"
        ? "Use Object.keys."
        : name === "seal" || name === "preventExtensions"
          ? "Use Object.freeze."
          : "Use plain properties.";
  refuse(node, `Object.${name}`, way, false);
}

/** `super` needs a class. */
function checkSuper(node: Node, refuse: Refuse): void {
  const waiting: Node[] = [node.body as Node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.type === "Super") refuse(next, "super outside of classes", "Name the other object.", false);
    for (const child of childrenOf(next)) {
      if (
        child.type !== "ClassDeclaration" &&
        child.type !== "ClassExpression" &&
        child.type !== "FunctionExpression" &&
        child.type !== "FunctionDeclaration"
      )
        waiting.push(child);
    }
  }
}

function keyOf(node: Node): string {
  return node.key.type === "Identifier" ? node.key.name : String(node.key.value);
}
