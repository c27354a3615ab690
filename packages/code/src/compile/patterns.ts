import type { Node } from "../parse/tree.ts";
import type { Binding } from "../scope/scope.ts";
import type { Emitter } from "./emitter.ts";
import { initName, storeName } from "./names.ts";
import { Op } from "./ops.ts";
import { closeRegion, openRegion, raiseContext } from "./regions.ts";

/** Takes a value from the stack apart, into new names (`init`) or into what exists. */
export function compilePattern(e: Emitter, pattern: Node, init: boolean): void {
  switch (pattern.type) {
    case "Identifier":
      if (init) initName(e, pattern.binding as Binding);
      else storeName(e, pattern);
      return;
    case "MemberExpression":
      e.shared.parts.expression(e, pattern.object);
      if (pattern.computed === true) {
        e.emit(Op.Swap);
        e.shared.parts.expression(e, pattern.property);
        e.emit(Op.Swap);
        e.place(pattern);
        e.emit(Op.SetElement);
      } else {
        e.emit(Op.Swap);
        e.place(pattern);
        e.emit(Op.Set, e.constant(pattern.property.name));
      }
      e.emit(Op.Pop);
      return;
    case "AssignmentPattern":
      compileDefault(e, pattern.right, pattern.left.type === "Identifier" ? pattern.left.name : undefined);
      compilePattern(e, pattern.left, init);
      return;
    case "ObjectPattern":
      compileObjectPattern(e, pattern, init);
      return;
    case "ArrayPattern":
      compileArrayPattern(e, pattern, init);
      return;
    default:
      throw new TypeError(`Unknown pattern ${pattern.type}`);
  }
}

/** Replaces `undefined` on the stack by a default. */
export function compileDefault(e: Emitter, value: Node, name?: string): void {
  const region = openRegion(e);
  const given = e.target();
  raiseContext(e);
  e.jump(Op.JumpNotUndefined, given);
  e.emit(Op.Pop);
  e.shared.parts.expression(e, value, name);
  e.mark(given);
  closeRegion(e, region, [value], "default");
}

function compileObjectPattern(e: Emitter, pattern: Node, init: boolean): void {
  e.place(pattern);
  e.emit(Op.CheckObject);
  const hasRest = (pattern.properties as Node[]).some((property) => property.type === "RestElement");
  const keys: (() => void)[] = [];
  for (const property of pattern.properties as Node[]) {
    if (property.type === "RestElement") {
      e.emit(Op.Dup);
      for (const key of keys) key();
      e.emit(Op.RestObject, keys.length);
      compilePattern(e, property.argument, init);
      continue;
    }
    e.emit(Op.Dup);
    if (property.computed === true) {
      e.shared.parts.expression(e, property.key);
      e.emit(Op.ToKey);
      if (hasRest) {
        const slot = e.slot();
        e.emit(Op.Dup);
        e.emit(Op.SetLocal, slot);
        keys.push(() => e.emit(Op.Local, slot));
      }
      e.place(property);
      e.emit(Op.GetElement);
    } else {
      const key = e.constant(keyName(property.key));
      keys.push(() => e.emit(Op.Const, key));
      e.place(property);
      e.emit(Op.Get, key);
    }
    compilePattern(e, property.value, init);
  }
  e.emit(Op.Pop);
}

function compileArrayPattern(e: Emitter, pattern: Node, init: boolean): void {
  const slot = e.slot();
  e.place(pattern);
  e.emit(Op.Iterate);
  e.emit(Op.SetLocal, slot);
  for (const element of pattern.elements as (Node | null)[]) {
    if (element?.type === "RestElement") {
      e.emit(Op.RestIterator, slot);
      compilePattern(e, element.argument, init);
      continue;
    }
    e.emit(Op.NextOrUndefined, slot);
    if (element === null) e.emit(Op.Pop);
    else compilePattern(e, element, init);
  }
}

/** The name of a key that is not computed: `a`, `"a"`, `1`. */
export function keyName(key: Node): string {
  return key.type === "Identifier" ? key.name : String(key.value);
}
