import type { Node } from "../parse/tree.ts";
import type { Emitter } from "./emitter.ts";
import { loadName, storeName } from "./names.ts";
import { binaryOps } from "./operators.ts";
import { Op } from "./ops.ts";
import { compilePattern } from "./patterns.ts";
import { closeRegion, openRegion, raiseContext } from "./regions.ts";

/** `keep`: the value of the expression is wanted. */
export function compileAssignment(e: Emitter, node: Node, keep: boolean): void {
  const operator = node.operator as string;
  if (operator === "=") compilePlain(e, node, keep);
  else if (operator === "&&=" || operator === "||=" || operator === "??=") {
    compileLogical(e, node, operator);
    if (!keep) e.emit(Op.Pop);
  } else compileCompound(e, node, binaryOps.get(operator.slice(0, -1)) as number, keep);
}

function compilePlain(e: Emitter, node: Node, keep: boolean): void {
  const { left, right } = node as { left: Node; right: Node } & Node;
  if (left.type === "MemberExpression") {
    e.shared.parts.expression(e, left.object);
    if (left.computed === true) e.shared.parts.expression(e, left.property);
    e.shared.parts.expression(e, right);
    setMember(e, left);
    if (!keep) e.emit(Op.Pop);
    return;
  }
  e.shared.parts.expression(e, right, left.type === "Identifier" ? left.name : undefined);
  if (keep) e.emit(Op.Dup);
  if (left.type === "Identifier") storeName(e, left);
  else compilePattern(e, left, false);
}

function compileCompound(e: Emitter, node: Node, op: number, keep: boolean): void {
  const { left, right } = node as { left: Node; right: Node } & Node;
  loadForUpdate(e, left);
  e.shared.parts.expression(e, right);
  e.place(node);
  e.emit(op);
  if (left.type === "Identifier") {
    if (keep) e.emit(Op.Dup);
    storeName(e, left);
  } else {
    setMember(e, left);
    if (!keep) e.emit(Op.Pop);
  }
}

function compileLogical(e: Emitter, node: Node, operator: string): void {
  const { left, right } = node as { left: Node; right: Node } & Node;
  const region = openRegion(e);
  const known = e.target();
  const end = e.target();
  loadForUpdate(e, left);
  raiseContext(e);
  e.jump(operator === "&&=" ? Op.JumpFalseKeep : operator === "||=" ? Op.JumpTrueKeep : Op.JumpNotNullishKeep, known);
  e.emit(Op.Pop);
  e.shared.parts.expression(e, right, left.type === "Identifier" ? left.name : undefined);
  if (left.type === "Identifier") {
    e.emit(Op.Dup);
    storeName(e, left);
    e.mark(known);
  } else {
    setMember(e, left);
    e.jump(Op.Jump, end);
    e.mark(known);
    if (left.computed === true) {
      e.emit(Op.Rot3);
      e.emit(Op.Pop);
    } else e.emit(Op.Swap);
    e.emit(Op.Pop);
  }
  e.mark(end);
  closeRegion(e, region, [node], "default");
}

export function compileUpdate(e: Emitter, node: Node, keep: boolean): void {
  const argument = node.argument as Node;
  const op = node.operator === "++" ? Op.Increment : Op.Decrement;
  loadForUpdate(e, argument);
  e.place(argument);
  if (argument.type === "Identifier") {
    if (keep && node.prefix !== true) {
      e.emit(Op.ToNumeric);
      e.emit(Op.Dup);
    }
    e.emit(op);
    if (keep && node.prefix === true) e.emit(Op.Dup);
    storeName(e, argument);
    return;
  }
  if (!keep || node.prefix === true) {
    e.emit(op);
    setMember(e, argument);
    if (!keep) e.emit(Op.Pop);
    return;
  }
  e.emit(Op.ToNumeric);
  e.emit(Op.Dup);
  e.emit(argument.computed === true ? Op.Rot4 : Op.Rot3);
  e.emit(op);
  setMember(e, argument);
  e.emit(Op.Pop);
}

/** Leaves what an assignment needs below the present value: nothing for a name, else the object and the key. */
function loadForUpdate(e: Emitter, left: Node): void {
  if (left.type === "Identifier") return loadName(e, left);
  e.shared.parts.expression(e, left.object);
  if (left.computed === true) {
    e.shared.parts.expression(e, left.property);
    e.emit(Op.ToKey);
    e.emit(Op.Dup2);
    e.place(left.object);
    e.emit(Op.GetElement);
  } else {
    e.emit(Op.Dup);
    e.place(left.object);
    e.emit(Op.Get, e.constant(left.property.name));
  }
}

function setMember(e: Emitter, left: Node): void {
  e.place(left.object);
  if (left.computed === true) e.emit(Op.SetElement);
  else e.emit(Op.Set, e.constant(left.property.name));
}
