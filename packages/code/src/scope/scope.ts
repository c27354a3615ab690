import type { Node } from "../parse/tree.ts";

export type BindingKind = "var" | "let" | "const" | "class" | "function" | "param" | "catch" | "self" | "hidden";

/** A declared name. Whether it lives in the frame or in an environment is known once all references are. */
export interface Binding {
  readonly name: string;
  readonly kind: BindingKind;
  readonly scope: Scope;
  /** A function inside refers to it, so that it outlives the frame. */
  captured: boolean;
  /** Assigned anywhere but in its declaration. */
  assigned: boolean;
  /** Used before the end of its declaration, as the text goes: it may have no value yet. */
  early: boolean;
  /** Index in the frame, or in the environment of its scope. */
  slot: number;
  /** Where its declaration ends: an offset, from which on it is known to have a value. */
  readyAt: number;
  /** The value it is declared with, where that is one expression: a function is known by its name then. */
  init: Node | undefined;
}

export interface Scope {
  readonly kind: "function" | "block" | "switch";
  readonly parent: Scope | undefined;
  readonly owner: FunctionInfo;
  readonly bindings: Map<string, Binding>;
  /** Number of captured bindings; more than none means an environment at run time. */
  size: number;
}

export interface FunctionInfo {
  readonly node: Node;
  readonly parent: FunctionInfo | undefined;
  readonly scope: Scope;
  /** Functions directly inside. */
  readonly inner: FunctionInfo[];
  /** Slots of the frame that are in use. */
  locals: number;
}

export interface Resolved {
  readonly root: FunctionInfo;
  readonly functions: readonly FunctionInfo[];
  /** References to names that nobody declares. */
  readonly free: readonly Node[];
}

export function isLexical(kind: BindingKind): boolean {
  return kind === "let" || kind === "const" || kind === "class";
}

export function createScope(kind: Scope["kind"], parent: Scope | undefined, owner: FunctionInfo): Scope {
  return { kind, parent, owner, bindings: new Map(), size: 0 };
}

export function declare(scope: Scope, name: string, kind: BindingKind, readyAt: number, init?: Node): Binding {
  const known = scope.bindings.get(name);
  if (known !== undefined) {
    // A function declaration wins over a parameter or variable of its name.
    if (kind === "function" && known.kind !== "function") known.assigned = true;
    if (kind === "function") known.init = known.init === undefined && !known.assigned ? init : undefined;
    return known;
  }
  const binding: Binding = { name, kind, scope, captured: false, assigned: false, early: false, slot: -1, readyAt, init };
  scope.bindings.set(name, binding);
  return binding;
}
