import { before } from "../parse/source.ts";
import type { Node } from "../parse/tree.ts";
import type { FunctionInfo, Scope } from "../scope/scope.ts";
import type { Effects, Standpoint } from "../labels/effects.ts";
import type { FunctionCode, Region } from "./code.ts";
import { Op } from "./ops.ts";

/** Where a jump goes: known when it is marked, patched into the jumps before. */
export interface Target {
  at: number;
  readonly waiting: number[];
}

/** What a `break`, `continue` or `return` passes on its way out. */
export interface Control {
  readonly kind: "loop" | "block" | "finally";
  readonly labels: readonly string[];
  readonly breakTo: Target;
  readonly continueTo?: Target;
  readonly handlers: number;
  readonly environments: number;
  readonly contexts: number;
  /** Contexts inside of a loop's body, where `continue` goes. */
  readonly continueContexts: number;
  readonly continueEnvironments: number;
  /** Of a `finally`: the ways out that lead through it. */
  readonly exits: Exit[];
  readonly completion?: { readonly kind: number; readonly value: number };
  /** Of a `try` with a `catch`. */
  readonly catches?: boolean;
}

export type Exit = { readonly kind: "return" } | { readonly kind: "break" | "continue"; readonly control: Control };

/** What all functions of a program share while it is compiled. */
export interface Shared {
  readonly tracked: boolean;
  readonly functions: FunctionCode[];
  readonly pool: (string | number)[];
  readonly poolIndex: Map<string | number, number>;
  readonly regions: Region[];
  readonly parts: Parts;
  /** What a part of the tree may write and be; only where labels are tracked. */
  readonly effects?: Effects;
}

/** The parts of the compiler, which use each other. */
export interface Parts {
  expression(e: Emitter, node: Node, name?: string): void;
  statement(e: Emitter, node: Node): void;
  /** Answers the index of the compiled function. */
  function(e: Emitter, node: Node, name: string, role: FunctionCode["role"]): number;
  class(e: Emitter, node: Node, name: string): void;
}

/** Writes the code of one function. */
export class Emitter {
  readonly code: number[] = [];
  readonly places: number[] = [];
  readonly controls: Control[] = [];
  /** Exception handlers, environments and label contexts that are open here. */
  handlers = 0;
  environments = 0;
  contexts = 0;
  /** Contexts at which each enclosing `try` with a catch began. */
  readonly tries: number[] = [];
  readonly shared: Shared;
  readonly info: FunctionInfo;
  scope: Scope;
  /** Parameters of a constructor that are fields as well. */
  parameterFields: readonly string[] = [];

  constructor(shared: Shared, info: FunctionInfo) {
    this.shared = shared;
    this.info = info;
    this.scope = info.scope;
  }

  emit(op: number, first?: number, second?: number, third?: number): void {
    const { code } = this;
    code.push(op);
    if (first === undefined) return;
    code.push(first);
    if (second === undefined) return;
    code.push(second);
    if (third !== undefined) code.push(third);
  }

  /** Notes the source of the instruction that follows, for messages. */
  place(node: Node): void {
    this.places.push(this.code.length, node.start - before.length, node.end - before.length);
  }

  constant(value: string | number): number {
    const key = Object.is(value, -0) ? "\0-0" : value;
    let index = this.shared.poolIndex.get(key);
    if (index === undefined) {
      index = this.shared.pool.length;
      this.shared.pool.push(value);
      this.shared.poolIndex.set(key, index);
    }
    return index;
  }

  target(): Target {
    return { at: -1, waiting: [] };
  }

  jump(op: number, target: Target, first?: number): void {
    this.emit(op, first);
    this.code.push(target.at);
    if (target.at === -1) target.waiting.push(this.code.length - 1);
  }

  mark(target: Target): void {
    target.at = this.code.length;
    for (const at of target.waiting) this.code[at] = target.at;
    target.waiting.length = 0;
  }

  /** A slot of the frame that no name refers to. */
  slot(): number {
    return this.info.locals++;
  }

  /** Gives every name of a scope its place, and opens its environment. */
  enterScope(scope: Scope): void {
    this.scope = scope;
    for (const binding of scope.bindings.values()) {
      if (binding.slot !== -1) continue;
      binding.slot = binding.captured ? scope.size++ : this.info.locals++;
    }
    if (scope.size > 0) {
      this.emit(Op.Enter, scope.size);
      this.environments++;
    }
  }

  leaveScope(scope: Scope): void {
    if (scope.size > 0) {
      this.emit(Op.Leave, 1);
      this.environments--;
    }
    this.scope = scope.parent ?? scope;
  }

  /** Brings handlers, environments and contexts back to what they were outside. */
  unwind(handlers: number, environments: number, contexts: number): void {
    const cut = this.shared.tracked ? contexts : 0;
    if (handlers === this.handlers && environments === this.environments && (!this.shared.tracked || contexts === this.contexts)) return;
    this.emit(Op.Unwind, handlers, this.environments - environments, cut);
  }

  /** Where this point of the code is, for what is asked of the tree. */
  get here(): Standpoint {
    return { from: this.info, scope: this.scope, hops: (scope) => this.hops(scope) };
  }

  /** Number of environments between here and a scope. */
  hops(to: Scope): number {
    let hops = 0;
    for (let at: Scope | undefined = this.scope; at !== undefined && at !== to; at = at.parent) if (at.size > 0) hops++;
    return hops;
  }
}
