import type { Node } from "../parse/tree.ts";
import type { Binding } from "../scope/scope.ts";
import { compileAssignment, compileUpdate } from "./assignments.ts";
import type { Emitter } from "./emitter.ts";
import { compileBreak, compileReturn, compileTry } from "./exits.ts";
import { compileLoop } from "./loops.ts";
import { initName, openBlock } from "./names.ts";
import { Op } from "./ops.ts";
import { compilePattern } from "./patterns.ts";
import { closeRegion, loopTypes, openRegion, raiseContext } from "./regions.ts";

export function compileStatement(e: Emitter, node: Node): void {
  if (loopTypes.has(node.type)) return compileLoop(e, node, []);
  switch (node.type) {
    case "EmptyStatement":
    case "FunctionDeclaration":
      return;
    case "ExpressionStatement":
      step(e, node);
      return compileDiscarded(e, node.expression);
    case "VariableDeclaration":
      step(e, node);
      return compileDeclaration(e, node);
    case "ClassDeclaration":
      step(e, node);
      e.shared.parts.class(e, node, node.id.name);
      return initName(e, node.id.binding as Binding);
    case "TSEnumDeclaration":
      e.emit(Op.Step);
      return compileEnum(e, node);
    case "BlockStatement":
      openBlock(e, node.scope, node.body);
      for (const statement of node.body as Node[]) compileStatement(e, statement);
      return e.leaveScope(node.scope);
    case "IfStatement":
      return compileIf(e, node);
    case "SwitchStatement":
      return compileSwitch(e, node, []);
    case "LabeledStatement":
      return compileLabeled(e, node);
    case "BreakStatement":
    case "ContinueStatement":
      e.emit(Op.Step);
      return compileBreak(e, node);
    case "ReturnStatement":
      step(e, node);
      if (node.argument === null || node.argument === undefined) e.emit(Op.Undefined);
      else e.shared.parts.expression(e, node.argument);
      e.place(node);
      return compileReturn(e);
    case "ThrowStatement":
      step(e, node);
      e.shared.parts.expression(e, node.argument);
      e.place(node);
      return e.emit(Op.Throw);
    case "TryStatement":
      return compileTry(e, node);
    case "DebuggerStatement":
      return;
    default:
      throw new TypeError(`Unknown statement ${node.type}`);
  }
}

/** A statement begins here: it counts, and a limit that is reached names it. */
function step(e: Emitter, node: Node): void {
  e.place(node);
  e.emit(Op.Step);
}

/** An expression whose value nobody wants. */
export function compileDiscarded(e: Emitter, node: Node): void {
  if (node.type === "AssignmentExpression") compileAssignment(e, node, false);
  else if (node.type === "UpdateExpression") compileUpdate(e, node, false);
  else {
    e.shared.parts.expression(e, node);
    e.emit(Op.Pop);
  }
}

export function compileDeclaration(e: Emitter, node: Node): void {
  for (const declarator of node.declarations as Node[]) {
    const { id, init } = declarator as { id: Node; init: Node | null } & Node;
    if (init === null || init === undefined) {
      if (node.kind === "var") continue;
      e.emit(Op.Undefined);
    } else e.shared.parts.expression(e, init, id.type === "Identifier" ? id.name : undefined);
    compilePattern(e, id, true);
  }
}

function compileIf(e: Emitter, node: Node): void {
  const region = openRegion(e);
  const otherwise = e.target();
  const end = e.target();
  step(e, node);
  e.shared.parts.expression(e, node.test);
  raiseContext(e);
  e.jump(Op.JumpFalse, otherwise);
  compileStatement(e, node.consequent);
  if (node.alternate !== null && node.alternate !== undefined) {
    e.jump(Op.Jump, end);
    e.mark(otherwise);
    compileStatement(e, node.alternate);
  } else e.mark(otherwise);
  e.mark(end);
  closeRegion(e, region, [node.consequent, node.alternate], false);
}

function compileLabeled(e: Emitter, node: Node): void {
  const labels: string[] = [];
  let body = node;
  while (body.type === "LabeledStatement") {
    labels.push(body.label.name);
    body = body.body as Node;
  }
  if (loopTypes.has(body.type)) return compileLoop(e, body, labels);
  if (body.type === "SwitchStatement") return compileSwitch(e, body, labels);
  const region = openRegion(e);
  const end = e.target();
  e.controls.push({
    kind: "block",
    labels: [...labels, "\0block"],
    breakTo: end,
    handlers: e.handlers,
    environments: e.environments,
    contexts: region.depth,
    continueContexts: region.depth,
    continueEnvironments: e.environments,
    exits: [],
  });
  compileStatement(e, body);
  e.controls.pop();
  e.mark(end);
  closeRegion(e, region, [body], false, { labels });
}

function compileSwitch(e: Emitter, node: Node, labels: readonly string[]): void {
  const region = openRegion(e);
  const slot = e.slot();
  const end = e.target();
  step(e, node);
  e.shared.parts.expression(e, node.discriminant);
  raiseContext(e);
  e.emit(Op.SetLocal, slot);
  e.controls.push({
    kind: "block",
    labels,
    breakTo: end,
    handlers: e.handlers,
    environments: e.environments,
    contexts: region.depth,
    continueContexts: region.depth,
    continueEnvironments: e.environments,
    exits: [],
  });
  const cases = node.cases as Node[];
  openBlock(
    e,
    node.scope,
    cases.flatMap((clause) => clause.consequent as Node[]),
  );
  const targets = cases.map(() => e.target());
  cases.forEach((clause, index) => {
    if (clause.test === null) return;
    e.emit(Op.Local, slot);
    e.shared.parts.expression(e, clause.test);
    e.emit(Op.Same);
    raiseContext(e);
    e.jump(Op.JumpTrue, targets[index] as (typeof targets)[number]);
  });
  const byDefault = cases.findIndex((clause) => clause.test === null);
  const leave = e.target();
  e.jump(Op.Jump, byDefault === -1 ? leave : (targets[byDefault] as (typeof targets)[number]));
  cases.forEach((clause, index) => {
    e.mark(targets[index] as (typeof targets)[number]);
    for (const statement of clause.consequent as Node[]) compileStatement(e, statement);
  });
  e.mark(leave);
  e.leaveScope(node.scope);
  e.controls.pop();
  e.mark(end);
  closeRegion(e, region, cases, false, { switches: 1, labels });
}

/** An enum is an object with the way back from numbers to names. */
function compileEnum(e: Emitter, node: Node): void {
  const binding = node.id.binding as Binding;
  const slot = e.slot();
  e.emit(Op.NewObject);
  e.emit(Op.Dup);
  e.emit(Op.SetLocal, slot);
  initName(e, binding);
  const members = (node.members ?? node.body?.members ?? []) as Node[];
  const known = new Set<string>();
  let previous: string | undefined;
  for (const member of members) {
    const name = (member.id.name ?? String(member.id.value)) as string;
    const { initializer } = member as { initializer?: Node } & Node;
    e.emit(Op.Local, slot);
    if (initializer !== undefined && initializer !== null) e.shared.parts.expression(e, withMembers(initializer, node.id, known));
    else if (previous === undefined) e.emit(Op.Int, 0);
    else {
      e.emit(Op.Local, slot);
      e.emit(Op.Get, e.constant(previous));
      e.emit(Op.Increment);
    }
    e.emit(Op.Define, e.constant(name));
    e.emit(Op.Pop);
    if (!isText(initializer)) {
      e.emit(Op.Local, slot);
      e.emit(Op.Local, slot);
      e.emit(Op.Get, e.constant(name));
      e.emit(Op.ToKey);
      e.emit(Op.Const, e.constant(name));
      e.emit(Op.DefineElement);
      e.emit(Op.Pop);
    }
    known.add(name);
    previous = name;
  }
}

function isText(node: Node | null | undefined): boolean {
  return (node?.type === "Literal" && typeof node.value === "string") || node?.type === "TemplateLiteral";
}

/** Earlier members of an enum are known by their names alone. */
function withMembers(node: Node, id: Node, known: ReadonlySet<string>): Node {
  if (node.type === "Identifier" && node.binding === undefined && known.has(node.name)) {
    return { type: "MemberExpression", start: node.start, end: node.end, object: id, property: node, computed: false };
  }
  if (node.type === "BinaryExpression") {
    return { ...node, left: withMembers(node.left, id, known), right: withMembers(node.right, id, known) };
  }
  return node.type === "UnaryExpression" ? { ...node, argument: withMembers(node.argument, id, known) } : node;
}
