import type { Node } from "../parse/tree.ts";
import { compileAssignment, compileUpdate } from "./assignments.ts";
import { compileCall, compileChain, compileMember, compileNew } from "./calls.ts";
import type { Emitter } from "./emitter.ts";
import { initName, loadName } from "./names.ts";
import { Op } from "./ops.ts";
import { keyName } from "./patterns.ts";
import { closeRegion, openRegion, raiseContext } from "./regions.ts";
import { binaryOps } from "./operators.ts";

/** Leaves the value of an expression on the stack. `name` is what an anonymous function in this place is called. */
export function compileExpression(e: Emitter, node: Node, name?: string): void {
  switch (node.type) {
    case "Literal":
      return compileLiteral(e, node);
    case "Identifier":
      return loadName(e, node);
    case "ThisExpression":
    // Only where it is assigned to: super.x = 1 sets the property of this.
    case "Super":
      e.place(node);
      return e.emit(Op.This);
    case "TemplateLiteral":
      return compileTemplate(e, node);
    case "ArrayExpression":
      return compileArray(e, node.elements);
    case "ObjectExpression":
      return compileObject(e, node);
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return compileClosure(e, node, name);
    case "ClassExpression":
      return e.shared.parts.class(e, node, name ?? "");
    case "UnaryExpression":
      return compileUnary(e, node);
    case "UpdateExpression":
      return compileUpdate(e, node, true);
    case "BinaryExpression":
      compileExpression(e, node.left);
      compileExpression(e, node.right);
      e.place(node);
      return e.emit(binaryOps.get(node.operator) as number);
    case "LogicalExpression":
      return compileLogical(e, node);
    case "AssignmentExpression":
      return compileAssignment(e, node, true);
    case "ConditionalExpression":
      return compileConditional(e, node, name);
    case "SequenceExpression":
      (node.expressions as Node[]).forEach((expression, index) => {
        if (index > 0) e.emit(Op.Pop);
        compileExpression(e, expression);
      });
      return;
    case "MemberExpression":
      return compileMember(e, node);
    case "ChainExpression":
      return compileChain(e, node);
    case "CallExpression":
      return compileCall(e, node);
    case "NewExpression":
      return compileNew(e, node);
    case "AwaitExpression":
      compileExpression(e, node.argument);
      e.place(node);
      return e.emit(Op.Await);
    case "MetaProperty":
      return e.emit(Op.NewTarget);
    default:
      throw new TypeError(`Unknown expression ${node.type}`);
  }
}

function compileLiteral(e: Emitter, node: Node): void {
  if (node.regex !== undefined) {
    e.place(node);
    return e.emit(Op.RegExp, e.constant(node.regex.pattern), e.constant(node.regex.flags));
  }
  const value = node.value as string | number | boolean | null;
  if (value === null) e.emit(Op.Null);
  else if (typeof value === "boolean") e.emit(value ? Op.True : Op.False);
  else if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 1e9 && !Object.is(value, -0)) e.emit(Op.Int, value);
  else e.emit(Op.Const, e.constant(value));
}

function compileTemplate(e: Emitter, node: Node): void {
  let parts = 0;
  (node.quasis as Node[]).forEach((quasi, index) => {
    if (index > 0) {
      compileExpression(e, node.expressions[index - 1]);
      parts++;
    }
    e.emit(Op.Const, e.constant(quasi.value.cooked));
    parts++;
  });
  e.place(node);
  e.emit(Op.Template, parts);
}

export function compileArray(e: Emitter, elements: readonly (Node | null)[]): void {
  const plain = elements.findIndex((element) => element?.type === "SpreadElement");
  const direct = plain === -1 ? elements : elements.slice(0, plain);
  for (const element of direct) {
    if (element === null) e.emit(Op.Undefined);
    else compileExpression(e, element);
  }
  e.emit(Op.NewArray, direct.length);
  for (const element of plain === -1 ? [] : elements.slice(plain)) {
    if (element === null) e.emit(Op.Undefined);
    else compileExpression(e, element.type === "SpreadElement" ? element.argument : element);
    if (element !== null) e.place(element);
    e.emit(element?.type === "SpreadElement" ? Op.SpreadArray : Op.Append);
  }
}

function compileObject(e: Emitter, node: Node): void {
  e.emit(Op.NewObject);
  for (const property of node.properties as Node[]) {
    if (property.type === "SpreadElement") {
      compileExpression(e, property.argument);
      e.place(property);
      e.emit(Op.SpreadObject);
    } else if (property.computed === true) {
      compileExpression(e, property.key);
      e.place(property.key);
      e.emit(Op.ToKey);
      if (property.method === true) e.emit(Op.Closure, e.shared.parts.function(e, property.value, "", "method"));
      else compileExpression(e, property.value, "");
      if (isAnonymous(property.value)) e.emit(Op.NameFunction);
      e.place(property);
      e.emit(Op.DefineElement);
    } else {
      const key = keyName(property.key);
      if (property.method === true) e.emit(Op.Closure, e.shared.parts.function(e, property.value, key, "method"));
      else compileExpression(e, property.value, key);
      e.place(property);
      e.emit(Op.Define, e.constant(key));
    }
  }
}

export function isAnonymous(node: Node): boolean {
  if (node.type === "ArrowFunctionExpression") return true;
  return (node.type === "FunctionExpression" || node.type === "ClassExpression") && (node.id === null || node.id === undefined);
}

function compileClosure(e: Emitter, node: Node, name: string | undefined): void {
  const self = node.selfScope;
  if (self !== undefined) {
    e.enterScope(self);
    const binding = self.bindings.get(node.id.name);
    e.emit(Op.Closure, e.shared.parts.function(e, node, node.id.name, "function"));
    e.emit(Op.Dup);
    initName(e, binding);
    e.leaveScope(self);
    return;
  }
  e.emit(Op.Closure, e.shared.parts.function(e, node, node.id?.name ?? name ?? "", "function"));
}

function compileUnary(e: Emitter, node: Node): void {
  const { operator, argument } = node;
  if (operator === "delete") return compileDelete(e, argument);
  if (operator === "typeof" && argument.type === "Identifier" && argument.binding === undefined && argument.name !== "undefined") {
    e.emit(Op.TypeOf, e.constant(argument.name));
    return;
  }
  if (operator === "-" && argument.type === "Literal" && typeof argument.value === "number") {
    e.emit(Op.Const, e.constant(-argument.value));
    return;
  }
  compileExpression(e, argument);
  e.place(argument);
  switch (operator) {
    case "typeof":
      return e.emit(Op.TypeOf, -1);
    case "void":
      return e.emit(Op.Void);
    case "!":
      return e.emit(Op.Not);
    case "-":
      return e.emit(Op.Negate);
    case "+":
      return e.emit(Op.Plus);
    default:
      return e.emit(Op.BitNot);
  }
}

function compileDelete(e: Emitter, argument: Node): void {
  if (argument.type === "ChainExpression") return compileChain(e, argument, true);
  if (argument.type !== "MemberExpression") {
    compileExpression(e, argument);
    e.emit(Op.Pop);
    return e.emit(Op.True);
  }
  if (argument.object.type === "Super") return e.emit(Op.Missing, e.constant("super"));
  compileExpression(e, argument.object);
  if (argument.computed === true) {
    compileExpression(e, argument.property);
    e.place(argument);
    e.emit(Op.DeleteElement);
  } else {
    e.place(argument);
    e.emit(Op.Delete, e.constant(argument.property.name));
  }
}

function compileLogical(e: Emitter, node: Node): void {
  const region = openRegion(e);
  const end = e.target();
  compileExpression(e, node.left);
  raiseContext(e);
  e.jump(node.operator === "&&" ? Op.JumpFalseKeep : node.operator === "||" ? Op.JumpTrueKeep : Op.JumpNotNullishKeep, end);
  e.emit(Op.Pop);
  compileExpression(e, node.right);
  e.mark(end);
  closeRegion(e, region, [node], "value");
}

function compileConditional(e: Emitter, node: Node, name: string | undefined): void {
  const region = openRegion(e);
  const otherwise = e.target();
  const end = e.target();
  compileExpression(e, node.test);
  raiseContext(e);
  e.jump(Op.JumpFalse, otherwise);
  compileExpression(e, node.consequent, name);
  e.jump(Op.Jump, end);
  e.mark(otherwise);
  compileExpression(e, node.alternate, name);
  e.mark(end);
  closeRegion(e, region, [node.consequent, node.alternate], "value");
}
