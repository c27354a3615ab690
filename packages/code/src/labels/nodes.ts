import { isFunction, type Node } from "../parse/tree.ts";
import { anyMember, inherited } from "./effect.ts";
import { pureGlobals } from "./mutators.ts";

/** A node that is looked at, and where it stands. */
export interface Part {
  readonly node: Node;
  /** In a function that runs after the branch is over. */
  readonly isLate: boolean;
  /** In a function with a `this` of its own. */
  readonly hasThis: boolean;
}

/** What stands in the branch itself, and in no function there. */
export const inBranch: Omit<Part, "node"> = { isLate: false, hasThis: false };

/** Expressions that are a part of what they are made from, or hold it. */
export const leadsFurther: ReadonlySet<string> = new Set([
  "MemberExpression",
  "CallExpression",
  "NewExpression",
  "AwaitExpression",
  "SpreadElement",
  "ArrayExpression",
  "ObjectExpression",
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
]);

/** An async function, or one that is given to `then`. */
export function isRunLater(parent: Node, child: Node): boolean {
  if (!isFunction(child)) return false;
  if (child.async === true) return true;
  const callee = parent.type === "CallExpression" ? (parent.callee as Node) : undefined;
  return callee?.type === "MemberExpression" && callee !== child && promiseMethods.has(callee.property.name as string);
}

/** Methods that call what they are given when a promise has ended. */
export const promiseMethods: ReadonlySet<string> = new Set(["then", "catch", "finally"]);

/** The step from an object to its member. */
export function methodOf(member: Node): string {
  const key = keyOf(member);
  if (key === undefined) return anyMember;
  return member.object.type === "Super" ? inherited + key : key;
}

/** Where arguments are spread from a list. */
export function spreadOf(given: readonly Node[]): { spread?: number } {
  const spread = given.findIndex(({ type }) => type === "SpreadElement");
  return spread === -1 ? {} : { spread };
}

/** A key that is known from the text. */
export function keyOf(member: Node): string | undefined {
  if (member.computed !== true) return member.property.name as string;
  return member.property.type === "Literal" ? String(member.property.value) : undefined;
}

/** What a pattern assigns that is no name. */
export function membersIn(pattern: Node): Node[] {
  if (pattern.type === "MemberExpression") return [pattern];
  if (pattern.type === "ObjectPattern")
    return (pattern.properties as Node[]).flatMap((property) => membersIn(property.value ?? property.argument));
  if (pattern.type === "ArrayPattern")
    return (pattern.elements as (Node | null)[]).flatMap((element) => (element === null ? [] : membersIn(element)));
  if (pattern.type === "AssignmentPattern") return membersIn(pattern.left);
  return pattern.type === "RestElement" ? membersIn(pattern.argument) : [];
}

/** Functions of the language that write nothing, and tools: `Math.max`, `tools.send`. */
export function isPure(callee: Node): boolean {
  if (callee.type === "Identifier") return callee.binding === undefined;
  if (callee.type !== "MemberExpression") return false;
  const { object } = callee as { object: Node } & Node;
  return object.type === "Identifier" && object.binding === undefined && pureGlobals.has(object.name);
}

/** Answers what it is given, or a part of it. */
export function isIdentity(callee: Node): boolean {
  return callee.type === "MemberExpression" ? ["Object", "Array", "Promise", "Map", "JSON"].includes(callee.object.name) : true;
}

/** `a?.b` → `a.b`. */
export function withoutChain(node: Node): Node {
  return node.type === "ChainExpression" ? (node.expression as Node) : node;
}
