import { filled } from "../lists.ts";
import type { Machine } from "./machine.ts";
import { ArrayValue, isObject, ObjectValue, type Value } from "./values.ts";
import { sizes } from "./sizes.ts";

const maximumDepth = 500;

/** A value that cannot be given to a program. */
export class NotPlain extends Error {}

/** Labels of parts of a value, by JSON Pointer; a label holds for everything below its place. */
export type Labelling = ReadonlyMap<string, number>;

/**
 * Copies data from outside into the program's own objects: own enumerable data properties alone. No getter runs, functions and symbols are left
 * out, dates become text, and `__proto__` is dropped.
 */
export function copyIn(
  m: Machine,
  value: unknown,
  origin: string | undefined,
  base: number,
  labelling?: Labelling,
  what: string = origin === undefined ? "The parsed JSON" : "The answer",
): { value: Value; label: number } {
  const path: object[] = [];
  const result = copy(value, base | (labelling?.get("") ?? 0), "");
  return result;

  function copy(from: unknown, label: number, pointer: string): { value: Value; label: number } {
    switch (typeof from) {
      case "string":
        m.allocate(24 + 2 * from.length);
        return { value: from, label };
      case "number":
      case "boolean":
      case "undefined":
        return { value: from, label };
      case "bigint":
        throw new NotPlain(`${what} contains a BigInt, which is not JSON.`);
      case "object":
        return { value: from === null ? null : copyObject(from, label, pointer), label };
      default:
        if (pointer === "" && path.length === 0) throw new NotPlain(`${what} is a ${typeof from}, which is not plain data.`);
        return { value: undefined, label };
    }
  }

  function copyObject(from: object, label: number, pointer: string): Value {
    if (path.includes(from)) throw new NotPlain(`${what} contains itself.`);
    if (path.length >= maximumDepth) throw new NotPlain(`${what} is nested more than ${maximumDepth} levels deep.`);
    if (path.length === 0 && from instanceof Error) throw new NotPlain(`${what} is an Error. Throw it instead.`);
    if (from instanceof Date) return Number.isNaN(from.getTime()) ? null : Date.prototype.toISOString.call(from);
    path.push(from);
    try {
      return Array.isArray(from) ? copyArray(from, label, pointer) : copyPlain(from, label, pointer);
    } finally {
      path.pop();
    }
  }

  function copyArray(from: readonly unknown[], label: number, pointer: string): ArrayValue {
    const { length } = from;
    m.allocate(sizes.array + 16 * length);
    m.charge(length >> 3);
    const array = new ArrayValue([]);
    if (m.tracked) array.shape = label;
    for (let index = 0; index < length; index++) {
      const property = Object.getOwnPropertyDescriptor(from, index);
      const below = labelling === undefined ? "" : `${pointer}/${index}`;
      const item = copy(property !== undefined && "value" in property ? property.value : null, label | (labelling?.get(below) ?? 0), below);
      array.items.push(item.value === undefined ? null : item.value);
      if (m.tracked && item.label !== 0) (array.labels ??= filled<number>(index, 0))[index] = item.label;
    }
    return array;
  }

  function copyPlain(from: object, label: number, pointer: string): ObjectValue {
    const object = new ObjectValue();
    object.origin = origin;
    m.allocate(sizes.object);
    if (m.tracked) object.shape = label;
    for (const key of Object.keys(from)) {
      if (key === "__proto__") {
        if (label === 0 || !m.tracked) m.warnings.push(`A key named __proto__ was left out of ${nameOf(what, origin)}.`);
        continue;
      }
      const property = Object.getOwnPropertyDescriptor(from, key);
      if (property === undefined || !("value" in property)) continue;
      const below = labelling === undefined ? "" : `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const item = copy(property.value, label | (labelling?.get(below) ?? 0), below);
      if (item.value === undefined) continue;
      m.allocate(sizes.slot + 2 * key.length);
      object.slots.set(key, item.value);
      if (m.tracked && isObject(item.value)) m.objectKeys.add(key);
      if (m.tracked && item.label !== 0) (object.labels ??= new Map()).set(key, item.label);
    }
    return object;
  }
}

/** "The answer" of a tool → "the answer of find_order". */
function nameOf(what: string, origin: string | undefined): string {
  const name = what.charAt(0).toLowerCase() + what.slice(1);
  return what === "The answer" ? `${name} of ${origin}` : name;
}
