import type { Node } from "../parse/tree.ts";
import { isLexical } from "../scope/scope.ts";
import type { Control, Emitter, Target } from "./emitter.ts";
import { openBlock } from "./names.ts";
import { Op } from "./ops.ts";
import { compilePattern } from "./patterns.ts";
import { closeRegion, openRegion, raiseContext, type OpenRegion } from "./regions.ts";

export function compileLoop(e: Emitter, node: Node, labels: readonly string[]): void {
  const region = openRegion(e);
  if (node.type !== "ForStatement") {
    e.place(node);
    e.emit(Op.Step);
  }
  if (node.type === "ForStatement") compileFor(e, node, labels, region);
  else if (node.type === "ForOfStatement" || node.type === "ForInStatement") compileForOf(e, node, labels, region);
  else if (node.type === "WhileStatement") compileWhile(e, node, labels, region);
  else compileDoWhile(e, node, labels, region);
  const { left } = node as { left?: Node } & Node;
  const target = left === undefined ? [] : [{ ...left, type: "LoopTarget", left, of: node.right, await: node.await }];
  closeRegion(e, region, [node.test, node.update, node.body, ...target], false, { loops: 1, labels });
}

function openControl(
  e: Emitter,
  labels: readonly string[],
  region: OpenRegion,
  outerEnvironments: number,
): Control & { continueTo: Target } {
  const control = {
    kind: "loop" as const,
    labels,
    breakTo: e.target(),
    continueTo: e.target(),
    handlers: e.handlers,
    environments: outerEnvironments,
    contexts: region.depth,
    continueContexts: e.contexts,
    continueEnvironments: e.environments,
    exits: [],
  };
  e.controls.push(control);
  return control;
}

function compileWhile(e: Emitter, node: Node, labels: readonly string[], region: OpenRegion): void {
  const control = openControl(e, labels, region, e.environments);
  const start = e.target();
  const end = e.target();
  e.mark(start);
  e.mark(control.continueTo);
  e.shared.parts.expression(e, node.test);
  raiseContext(e);
  e.jump(Op.JumpFalse, end);
  e.shared.parts.statement(e, node.body);
  e.jump(Op.Loop, start);
  e.mark(end);
  e.controls.pop();
  e.mark(control.breakTo);
}

function compileDoWhile(e: Emitter, node: Node, labels: readonly string[], region: OpenRegion): void {
  const control = openControl(e, labels, region, e.environments);
  const start = e.target();
  const end = e.target();
  e.mark(start);
  e.shared.parts.statement(e, node.body);
  e.mark(control.continueTo);
  e.shared.parts.expression(e, node.test);
  raiseContext(e);
  e.jump(Op.JumpFalse, end);
  e.jump(Op.Loop, start);
  e.mark(end);
  e.controls.pop();
  e.mark(control.breakTo);
}

function compileFor(e: Emitter, node: Node, labels: readonly string[], region: OpenRegion): void {
  const outer = e.environments;
  const parent = e.scope;
  openBlock(e, node.scope, []);
  const head = node.init as Node | null;
  if (head !== null && head !== undefined) {
    if (head.type === "VariableDeclaration") e.shared.parts.statement(e, head);
    else e.shared.parts.statement(e, { type: "ExpressionStatement", start: head.start, end: head.end, expression: head });
  }
  const control = openControl(e, labels, region, outer);
  const start = e.target();
  const end = e.target();
  e.place(node);
  e.emit(Op.Step);
  const fresh = node.scope.size > 0 && head?.kind !== "const";
  if (fresh) e.emit(Op.CopyEnv);
  e.mark(start);
  if (node.test !== null && node.test !== undefined) {
    e.shared.parts.expression(e, node.test);
    raiseContext(e);
    e.jump(Op.JumpFalse, end);
  }
  e.shared.parts.statement(e, node.body);
  e.mark(control.continueTo);
  // Each round has its own variables, for the functions made in it.
  if (fresh) e.emit(Op.CopyEnv);
  if (node.update !== null && node.update !== undefined) {
    e.shared.parts.statement(e, { type: "ExpressionStatement", start: node.update.start, end: node.update.end, expression: node.update });
  }
  e.jump(Op.Loop, start);
  e.mark(end);
  e.leaveScope(node.scope);
  e.controls.pop();
  e.mark(control.breakTo);
  e.scope = parent;
}

function compileForOf(e: Emitter, node: Node, labels: readonly string[], region: OpenRegion): void {
  const outer = e.environments;
  const parent = e.scope;
  const slot = e.slot();
  const lexical = node.left.type === "VariableDeclaration" && node.left.kind !== "var";
  if (lexical) openBlock(e, node.scope, []);
  e.shared.parts.expression(e, node.right);
  if (lexical) e.leaveScope(node.scope);
  e.place(node.right);
  e.emit(node.type === "ForInStatement" ? Op.Keys : Op.Iterate);
  e.emit(Op.InitLocal, slot);
  const control = openControl(e, labels, region, outer);
  const end = e.target();
  e.mark(control.continueTo);
  e.place(node.right);
  e.jump(Op.Next, end, slot);
  if (node.await === true) e.emit(Op.Await);
  const valueSlot = e.slot();
  e.emit(Op.InitLocal, valueSlot);
  enterAgain(e, node);
  e.emit(Op.Local, valueSlot);
  if (node.left.type === "VariableDeclaration") compilePattern(e, node.left.declarations[0].id, true);
  else compilePattern(e, node.left, false);
  e.shared.parts.statement(e, node.body);
  e.leaveScope(node.scope);
  e.jump(Op.Loop, control.continueTo);
  e.mark(end);
  e.controls.pop();
  e.mark(control.breakTo);
  e.scope = parent;
}

function enterAgain(e: Emitter, node: Node): void {
  e.enterScope(node.scope);
  for (const binding of node.scope.bindings.values())
    if (isLexical(binding.kind) && !binding.captured && binding.early) e.emit(Op.Unset, binding.slot);
}
