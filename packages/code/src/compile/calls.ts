import type { Node } from "../parse/tree.ts";
import type { Emitter, Target } from "./emitter.ts";
import { Op } from "./ops.ts";
import { closeRegion, joinCallee, openRegion, raiseContext } from "./regions.ts";

export function compileMember(e: Emitter, node: Node): void {
  if (node.object.type === "Super") {
    compileSuperMember(e, node);
    e.emit(Op.Swap);
    return e.emit(Op.Pop);
  }
  e.shared.parts.expression(e, node.object);
  getMember(e, node);
}

function getMember(e: Emitter, node: Node): void {
  if (node.computed === true) {
    e.shared.parts.expression(e, node.property);
    e.place(node.object);
    e.emit(Op.GetElement);
  } else {
    e.place(node.object);
    e.emit(Op.Get, e.constant(node.property.name));
  }
}

function compileSuperMember(e: Emitter, node: Node): void {
  if (node.computed === true) e.shared.parts.expression(e, node.property);
  else e.emit(Op.Const, e.constant(node.property.name));
  e.place(node);
  e.emit(Op.GetSuper);
}

export function compileCall(e: Emitter, node: Node): void {
  if (node.callee.type === "Super") return compileSuperCall(e, node);
  compileCallee(e, node.callee, undefined);
  finishCall(e, node);
}

/** Leaves `object function` for a method, `function` for anything else. */
function compileCallee(e: Emitter, callee: Node, chainEnd: Target | undefined): void {
  if (callee.type !== "MemberExpression") {
    if (chainEnd === undefined) e.shared.parts.expression(e, callee);
    else compileLink(e, callee, chainEnd);
    return joinCallee(e, callee, false);
  }
  if (callee.object.type === "Super") return compileSuperMember(e, callee);
  if (chainEnd === undefined) e.shared.parts.expression(e, callee.object);
  else {
    compileLink(e, callee.object, chainEnd);
    if (callee.optional === true) leaveIfNullish(e, chainEnd, 1);
  }
  if (callee.computed === true) {
    e.shared.parts.expression(e, callee.property);
    e.place(callee.object);
    e.emit(Op.GetMethodElement);
  } else {
    e.place(callee.object);
    e.emit(Op.GetMethod, e.constant(callee.property.name));
  }
  joinCallee(e, callee, true);
}

function finishCall(e: Emitter, node: Node): void {
  const method = node.callee.type === "MemberExpression";
  const count = compileArguments(e, node.arguments);
  e.place(node.callee);
  if (count === -1) e.emit(method ? Op.CallMethodSpread : Op.CallSpread);
  else e.emit(method ? Op.CallMethod : Op.Call, count);
}

/** The number of arguments on the stack, or -1 when they are in one array because of a spread. */
function compileArguments(e: Emitter, args: readonly Node[]): number {
  if (args.some((argument) => argument.type === "SpreadElement")) {
    e.shared.parts.expression(e, { type: "ArrayExpression", start: args[0]?.start ?? 0, end: args.at(-1)?.end ?? 0, elements: args });
    return -1;
  }
  for (const argument of args) e.shared.parts.expression(e, argument);
  return args.length;
}

export function compileNew(e: Emitter, node: Node): void {
  e.shared.parts.expression(e, node.callee);
  const count = compileArguments(e, node.arguments);
  e.place(node.callee);
  if (count === -1) e.emit(Op.NewSpread);
  else e.emit(Op.New, count);
}

function compileSuperCall(e: Emitter, node: Node): void {
  const count = compileArguments(e, node.arguments);
  e.place(node);
  if (count === -1) e.emit(Op.SuperCallSpread);
  else e.emit(Op.SuperCall, count);
  e.emit(Op.SetThis);
  e.emit(Op.InitFields);
  e.emit(Op.Pop);
  emitParameterFields(e);
  e.emit(Op.This);
}

/** `constructor(private name: string)`: the parameter is a field as well. */
export function emitParameterFields(e: Emitter): void {
  for (const name of e.parameterFields) {
    const binding = e.info.scope.bindings.get(name);
    if (binding === undefined) continue;
    e.emit(Op.This);
    if (binding.captured) e.emit(Op.Env, e.hops(binding.scope), binding.slot, e.constant(name));
    else e.emit(Op.Local, binding.slot);
    e.emit(Op.Set, e.constant(name));
    e.emit(Op.Pop);
  }
}

/** `a?.b.c()`: from each `?.` the chain may end early with undefined. */
export function compileChain(e: Emitter, node: Node, deletes = false): void {
  const region = openRegion(e);
  const end = e.target();
  if (deletes && node.expression.type === "MemberExpression") {
    const member = node.expression as Node;
    compileLink(e, member.object, end);
    if (member.optional === true) leaveIfNullish(e, end, 1);
    if (member.computed === true) e.shared.parts.expression(e, member.property);
    e.place(member);
    if (member.computed === true) e.emit(Op.DeleteElement);
    else e.emit(Op.Delete, e.constant(member.property.name));
  } else compileLink(e, node.expression, end);
  e.mark(end);
  closeRegion(e, region, [node.expression], "value");
}

function compileLink(e: Emitter, node: Node, end: Target): void {
  if (node.type === "MemberExpression" && node.object.type !== "Super") {
    compileLink(e, node.object, end);
    if (node.optional === true) leaveIfNullish(e, end, 1);
    getMember(e, node);
  } else if (node.type === "CallExpression" && node.callee.type !== "Super") {
    compileCallee(e, node.callee, end);
    if (node.optional === true) leaveIfNullish(e, end, node.callee.type === "MemberExpression" ? 2 : 1);
    finishCall(e, node);
  } else e.shared.parts.expression(e, node);
}

function leaveIfNullish(e: Emitter, end: Target, operands: number): void {
  const on = e.target();
  raiseContext(e);
  e.jump(Op.JumpNotNullishKeep, on);
  for (let popped = 0; popped < operands; popped++) e.emit(Op.Pop);
  e.emit(Op.Undefined);
  e.jump(Op.Jump, end);
  e.mark(on);
}
