import type { Node } from "../parse/tree.ts";
import { isLexical, type Binding, type Scope } from "../scope/scope.ts";
import type { Emitter } from "./emitter.ts";
import { Op } from "./ops.ts";

/** Puts the value of a name on the stack. */
export function loadName(e: Emitter, node: Node): void {
  const binding = node.binding as Binding | undefined;
  if (binding === undefined) loadFree(e, node);
  else if (binding.captured) {
    e.place(node);
    e.emit(Op.Env, e.hops(binding.scope), binding.slot, e.constant(binding.name));
  } else if (binding.early && isLexical(binding.kind)) {
    e.place(node);
    e.emit(Op.LocalChecked, binding.slot, e.constant(binding.name));
  } else e.emit(Op.Local, binding.slot);
}

function loadFree(e: Emitter, node: Node): void {
  if (node.name === "undefined") e.emit(Op.Undefined);
  else {
    e.place(node);
    e.emit(Op.Global, e.constant(node.name));
  }
}

/** Takes a value from the stack and assigns it. */
export function storeName(e: Emitter, node: Node): void {
  const binding = node.binding as Binding | undefined;
  e.place(node);
  if (binding === undefined) e.emit(Op.Missing, e.constant(node.name));
  else if (binding.kind === "const" || binding.kind === "self") e.emit(Op.AssignConst, e.constant(binding.name));
  else if (binding.captured) e.emit(Op.SetEnv, e.hops(binding.scope), binding.slot, e.constant(binding.name));
  else if (binding.early && isLexical(binding.kind)) e.emit(Op.SetLocalChecked, binding.slot, e.constant(binding.name));
  else e.emit(Op.SetLocal, binding.slot);
}

/** Takes a value from the stack as the first value of a name. */
export function initName(e: Emitter, binding: Binding): void {
  if (binding.captured) e.emit(Op.InitEnv, e.hops(binding.scope), binding.slot);
  else e.emit(isLexical(binding.kind) ? Op.InitLocal : Op.SetLocal, binding.slot);
}

/** Opens a block: names without a value yet, then its functions, which have theirs at once. */
export function openBlock(e: Emitter, scope: Scope, statements: readonly Node[]): void {
  e.enterScope(scope);
  for (const binding of scope.bindings.values()) {
    if (isLexical(binding.kind)) {
      if (!binding.captured && binding.early) e.emit(Op.Unset, binding.slot);
    } else if (binding.captured && binding.kind === "var") {
      e.emit(Op.Undefined);
      initName(e, binding);
    }
  }
  hoistFunctions(e, scope, statements);
}

export function hoistFunctions(e: Emitter, scope: Scope, statements: readonly Node[]): void {
  for (const statement of statements) {
    if (statement.type !== "FunctionDeclaration") continue;
    const binding = scope.bindings.get(statement.id.name);
    if (binding === undefined) continue;
    e.emit(Op.Closure, e.shared.parts.function(e, statement, statement.id.name, "function"));
    initName(e, binding);
  }
}
