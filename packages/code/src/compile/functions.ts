import { before } from "../parse/source.ts";
import type { Node } from "../parse/tree.ts";
import type { FunctionInfo } from "../scope/scope.ts";
import { givenBy, returnsOf, throwsOut } from "../labels/functions.ts";
import { emitParameterFields } from "./calls.ts";
import type { Way } from "../labels/effect.ts";
import type { FunctionCode } from "./code.ts";
import { Emitter } from "./emitter.ts";
import { hoistFunctions, initName, openBlock } from "./names.ts";
import { Op } from "./ops.ts";
import { compileDefault, compilePattern, keyName } from "./patterns.ts";

/** Compiles a function into the table of its program, and answers its index. */
export function compileFunction(outer: Emitter, node: Node, name: string, role: FunctionCode["role"]): number {
  const info = node.info as FunctionInfo;
  const e = new Emitter(outer.shared, info);
  return writeFunction(e, node, name, role);
}

export function writeFunction(e: Emitter, node: Node, name: string, role: FunctionCode["role"]): number {
  const index = e.shared.functions.length;
  e.shared.functions.push(undefined as unknown as FunctionCode);
  const { info } = e;
  const params = node.params as Node[];
  openBlock(e, info.scope, []);
  const plain = params.every((param, at) => param.type === "Identifier" && !param.binding.captured && param.binding.slot === at);
  if (role === "constructor") {
    e.emit(Op.InitFields);
    e.emit(Op.Pop);
  }
  e.parameterFields = params.flatMap((param) => (param.type === "TSParameterProperty" ? [parameterName(param)] : []));
  if (!plain) params.forEach((param, at) => compileParameter(e, param, at));
  if (role === "constructor") emitParameterFields(e);
  if (node.members !== undefined) compileMembers(e, node.members);
  if (node.body.type === "BlockStatement") {
    hoistFunctions(e, info.scope, node.body.body);
    for (const statement of node.body.body as Node[]) e.shared.parts.statement(e, statement);
    e.emit(Op.Undefined);
  } else {
    e.emit(Op.Step);
    e.shared.parts.expression(e, node.body);
  }
  e.place(node);
  e.emit(Op.Return);
  const waysTo = (nodes: Node[]): readonly Way[] => (e.shared.tracked ? (e.shared.effects?.waysTo(nodes, e.here, "outside") ?? []) : []);
  const firstDefault = params.findIndex((param) => param.type === "AssignmentPattern" || param.type === "RestElement");
  e.shared.functions[index] = {
    index,
    name,
    length: firstDefault === -1 ? params.length : firstDefault,
    code: new Int32Array(e.code),
    places: new Int32Array(e.places),
    locals: info.locals,
    plainParams: plain ? params.length : 0,
    async: node.async === true,
    arrow: node.type === "ArrowFunctionExpression",
    ownEnvironment: info.scope.size > 0,
    role,
    throws: e.shared.tracked && throwsOut(node),
    effects: e.shared.tracked
      ? (e.shared.effects?.effectsOf([...params, node.body, ...((node.members as Node[] | undefined) ?? [])], e.here, "outside") ?? [])
      : [],
    returns: waysTo(returnsOf(node)),
    gives: waysTo(givenBy(node)),
    start: node.start - before.length,
    end: node.end - before.length,
  };
  return index;
}

function parameterName(param: Node): string {
  const inner = param.parameter as Node;
  return inner.type === "AssignmentPattern" ? inner.left.name : inner.name;
}

function compileParameter(e: Emitter, param: Node, at: number): void {
  if (param.type === "TSParameterProperty") return compileParameter(e, param.parameter, at);
  if (param.type === "RestElement") {
    e.emit(Op.RestArguments, at);
    return compilePattern(e, param.argument, true);
  }
  e.emit(Op.Argument, at);
  if (param.type === "AssignmentPattern") {
    compileDefault(e, param.right, param.left.type === "Identifier" ? param.left.name : undefined);
    compilePattern(e, param.left, true);
  } else compilePattern(e, param, true);
}

/** The fields of a class, as the body of the function that sets them. */
function compileMembers(e: Emitter, members: readonly Node[]): void {
  let computed = 0;
  for (const member of members) {
    if (member.type === "StaticBlock") {
      e.shared.parts.statement(e, { ...member, type: "BlockStatement" });
      continue;
    }
    e.emit(Op.This);
    if (member.computed === true) e.emit(Op.GetFieldKey, computed++);
    else e.emit(Op.Const, e.constant(keyName(member.key)));
    if (member.value === null || member.value === undefined) e.emit(Op.Undefined);
    else e.shared.parts.expression(e, member.value, member.computed === true ? "" : keyName(member.key));
    e.place(member);
    e.emit(Op.DefineElement);
    e.emit(Op.Pop);
  }
}

export function compileClass(e: Emitter, node: Node, name: string): void {
  const className = (node.id?.name ?? name) as string;
  e.enterScope(node.scope);
  const hasParent = node.superClass !== null && node.superClass !== undefined;
  if (hasParent) e.shared.parts.expression(e, node.superClass);
  const members = node.body.body as Node[];
  const written = members.find((member) => member.type === "MethodDefinition" && member.kind === "constructor");
  const role = hasParent ? "derived" : "constructor";
  const index = written === undefined ? defaultConstructor(e, node, className, role) : compileFunction(e, written.value, className, role);
  e.place(node.superClass ?? node);
  e.emit(Op.Class, index, hasParent ? 1 : 0);
  for (const member of members) {
    if (member === written || member.type === "StaticBlock" || member.type === "EmptyStatement") continue;
    if (member.type === "PropertyDefinition") {
      if (member.computed === true) {
        e.shared.parts.expression(e, member.key);
        e.emit(Op.ToKey);
        e.emit(Op.FieldKey, member.static === true ? 1 : 0);
      }
      continue;
    }
    if (member.computed === true) {
      e.shared.parts.expression(e, member.key);
      e.emit(Op.ToKey);
    } else e.emit(Op.Const, e.constant(keyName(member.key)));
    e.emit(Op.Closure, compileFunction(e, member.value, member.computed === true ? "" : keyName(member.key), "method"));
    if (member.computed === true) e.emit(Op.NameFunction);
    e.place(member);
    e.emit(Op.Method, member.static === true ? 1 : 0);
  }
  if (node.fieldsFunction !== undefined) {
    e.emit(Op.Closure, compileFunction(e, node.fieldsFunction, className, "fields"));
    e.emit(Op.Fields);
  }
  if (node.id !== null && node.id !== undefined) {
    e.emit(Op.Dup);
    initName(e, node.scope.bindings.get(node.id.name));
  }
  if (node.staticsFunction !== undefined) {
    e.emit(Op.Dup);
    e.emit(Op.Closure, compileFunction(e, node.staticsFunction, className, "fields"));
    e.emit(Op.Home, 1);
    e.emit(Op.CallMethod, 0);
    e.emit(Op.Pop);
  }
  e.leaveScope(node.scope);
}

function defaultConstructor(outer: Emitter, node: Node, name: string, role: "constructor" | "derived"): number {
  const scope = { kind: "function" as const, parent: outer.scope, owner: outer.info, bindings: new Map(), size: 0 };
  const info = { node, parent: outer.info, scope, inner: [], locals: 0 };
  const e = new Emitter(outer.shared, info);
  const index = e.shared.functions.length;
  e.shared.functions.push(undefined as unknown as FunctionCode);
  if (role === "derived") {
    e.emit(Op.RestArguments, 0);
    e.place(node);
    e.emit(Op.SuperCallSpread);
    e.emit(Op.SetThis);
  }
  e.emit(Op.InitFields);
  e.emit(Op.Pop);
  e.emit(Op.Undefined);
  e.emit(Op.Return);
  e.shared.functions[index] = {
    index,
    name,
    length: 0,
    code: new Int32Array(e.code),
    places: new Int32Array(e.places),
    locals: 0,
    plainParams: 0,
    async: false,
    arrow: false,
    ownEnvironment: false,
    role,
    throws: false,
    effects: [],
    returns: [],
    gives: [],
    start: node.start - before.length,
    end: node.end - before.length,
  };
  return index;
}
