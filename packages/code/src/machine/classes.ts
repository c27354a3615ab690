import { FunctionValue, NativeValue, type Value } from "./values.ts";

/** A method of a class or of one of those that it extends. */
export function findInClass(cls: Value, name: string): Value {
  let at: Value = cls;
  for (let depth = 0; at instanceof FunctionValue && depth < 1_000; depth++) {
    if (at.cls === undefined) return undefined;
    const found = at.cls.methods.get(name);
    if (found !== undefined) return found;
    at = at.cls.parent;
  }
  return undefined;
}

/** A static member: of the class itself or of one that it extends. */
export function findStatic(cls: FunctionValue, name: string): { readonly owner: FunctionValue; readonly value: Value } | undefined {
  let at: Value = cls;
  for (let depth = 0; at instanceof FunctionValue && depth < 1_000; depth++) {
    if (at.slots?.has(name) === true) return { owner: at, value: at.slots.get(name) };
    at = at.cls?.parent;
  }
  return undefined;
}

/** Whether objects of a class are instances of another. */
export function extendsClass(cls: Value, other: Value): boolean {
  let at: Value = cls;
  for (let depth = 0; at instanceof FunctionValue && depth < 1_000; depth++) {
    if (at === other) return true;
    at = at.cls?.parent;
  }
  if (at === other) return true;
  return (
    at instanceof NativeValue &&
    other instanceof NativeValue &&
    other.name === "Error" &&
    (at.name.endsWith("Error") || at.name === "Error")
  );
}
