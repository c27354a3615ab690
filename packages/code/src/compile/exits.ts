import type { Node } from "../parse/tree.ts";
import type { Control, Emitter, Exit } from "./emitter.ts";
import { openBlock } from "./names.ts";
import { Op } from "./ops.ts";
import { compilePattern } from "./patterns.ts";
import { closeRegion, findControl, openRegion } from "./regions.ts";

export function compileBreak(e: Emitter, node: Node): void {
  const breaks = node.type === "BreakStatement";
  const control = findControl(e, breaks, node.label?.name);
  if (control === undefined) throw new TypeError("There is nothing to leave here.");
  leave(e, { kind: breaks ? "break" : "continue", control });
}

/** The value to return is on the stack. */
export function compileReturn(e: Emitter): void {
  leave(e, { kind: "return" });
}

/** Goes out, through every `finally` on the way. */
function leave(e: Emitter, exit: Exit): void {
  const until = exit.kind === "return" ? -1 : e.controls.lastIndexOf(exit.control);
  for (let at = e.controls.length - 1; at > until; at--) {
    const control = e.controls[at] as Control;
    if (control.kind !== "finally" || control.completion === undefined) continue;
    let index = control.exits.findIndex((known) => sameExit(known, exit));
    if (index === -1) index = control.exits.push(exit) - 1;
    if (exit.kind === "return") e.emit(Op.SetLocal, control.completion.value);
    e.emit(Op.Int, index + 2);
    e.emit(Op.SetLocal, control.completion.kind);
    e.unwind(control.handlers, control.environments, control.contexts);
    e.jump(Op.Jump, control.breakTo);
    return;
  }
  if (exit.kind === "return") return e.emit(Op.Return);
  const { control } = exit;
  if (exit.kind === "break") {
    // The region's own join follows at the target: its context is still open there.
    e.unwind(control.handlers, control.environments, control.contexts + 1);
    e.jump(Op.Jump, control.breakTo);
  } else {
    e.unwind(control.handlers, control.continueEnvironments, control.continueContexts);
    e.jump(Op.Jump, control.continueTo as NonNullable<Control["continueTo"]>);
  }
}

function sameExit(a: Exit, b: Exit): boolean {
  return a.kind === b.kind && (a.kind === "return" || a.control === (b as { control: Control }).control);
}

export function compileTry(e: Emitter, node: Node): void {
  const region = openRegion(e);
  if (node.finalizer === null || node.finalizer === undefined) compileCatch(e, node);
  else compileFinally(e, node);
  closeRegion(e, region, [node], false);
}

function compileCatch(e: Emitter, node: Node): void {
  const caught = e.target();
  const end = e.target();
  e.jump(Op.Try, caught);
  e.handlers++;
  e.tries.push(e.contexts - 1);
  e.shared.parts.statement(e, node.block);
  e.tries.pop();
  e.handlers--;
  e.emit(Op.EndTry);
  e.jump(Op.Jump, end);
  e.mark(caught);
  const handler = node.handler as Node;
  openBlock(e, handler.scope, []);
  if (handler.param === null || handler.param === undefined) e.emit(Op.Pop);
  else compilePattern(e, handler.param, true);
  e.shared.parts.statement(e, handler.body);
  e.leaveScope(handler.scope);
  e.mark(end);
}

function compileFinally(e: Emitter, node: Node): void {
  const thrown = e.target();
  const finalizer = e.target();
  const completion = { kind: e.slot(), value: e.slot() };
  const control: Control = {
    kind: "finally",
    labels: [],
    breakTo: finalizer,
    handlers: e.handlers,
    environments: e.environments,
    contexts: e.contexts,
    continueContexts: e.contexts,
    continueEnvironments: e.environments,
    exits: [],
    completion,
  };
  e.controls.push(control);
  e.jump(Op.Try, thrown);
  e.handlers++;
  if (node.handler === null || node.handler === undefined) e.shared.parts.statement(e, node.block);
  else compileCatch(e, node);
  e.handlers--;
  e.emit(Op.EndTry);
  e.controls.pop();
  e.emit(Op.Int, 0);
  e.emit(Op.SetLocal, completion.kind);
  e.jump(Op.Jump, finalizer);
  e.mark(thrown);
  e.emit(Op.SetLocal, completion.value);
  e.emit(Op.Int, 1);
  e.emit(Op.SetLocal, completion.kind);
  e.mark(finalizer);
  e.shared.parts.statement(e, node.finalizer);
  whenCompletion(e, completion.kind, 1, () => {
    e.emit(Op.Local, completion.value);
    e.emit(Op.Throw);
  });
  control.exits.forEach((exit, index) =>
    whenCompletion(e, completion.kind, index + 2, () => {
      if (exit.kind === "return") e.emit(Op.Local, completion.value);
      leave(e, exit);
    }),
  );
}

function whenCompletion(e: Emitter, slot: number, kind: number, then: () => void): void {
  const next = e.target();
  e.emit(Op.Local, slot);
  e.emit(Op.Int, kind);
  e.emit(Op.Same);
  e.jump(Op.JumpFalse, next);
  then();
  e.mark(next);
}
