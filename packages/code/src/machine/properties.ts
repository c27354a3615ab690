import { findInClass, findStatic } from "./classes.ts";
import { errorName, isError, lastName } from "./convert.ts";
import type { Machine } from "./machine.ts";
import {
  ArrayValue,
  DateValue,
  FunctionValue,
  IteratorValue,
  MapValue,
  NativeValue,
  ObjectValue,
  PromiseValue,
  RegExpValue,
  ResolverValue,
  ToolsValue,
  ToolValue,
  type Value,
} from "./values.ts";

const indexPattern = /^(?:0|[1-9]\d{0,9})$/;

/** "12" → 12; anything that is not the index of an array → -1. */
export function toIndex(key: string): number {
  const first = key.charCodeAt(0);
  return first >= 48 && first <= 57 && indexPattern.test(key) && Number(key) < 4294967295 ? Number(key) : -1;
}

/** Reads a property. What it tells is added to `touched`; the labels of the reference and the key are the caller's. */
export function getProperty(m: Machine, base: Value, key: string): Value {
  if (base instanceof ObjectValue) {
    const value = base.slots.get(key);
    if (value !== undefined || base.slots.has(key)) {
      if (m.tracked) m.touched |= (base.labels?.get(key) ?? 0) | base.all;
      return value;
    }
    if (m.tracked) m.touched |= base.shape | base.all;
    return missingProperty(m, base, key);
  }
  if (typeof base === "string") {
    if (key === "length") return base.length;
    const index = toIndex(key);
    return index === -1 ? method(m, "String", key) : base[index];
  }
  if (base instanceof ArrayValue) {
    if (key === "length") {
      m.touched |= base.shape;
      return base.items.length;
    }
    const index = toIndex(key);
    if (index !== -1) return getItem(m, base, index);
    if (base.extra?.slots.has(key) === true) {
      m.touched |= base.all;
      return getProperty(m, base.extra, key);
    }
    if (base.extra !== undefined) m.touched |= base.extra.shape | base.extra.all;
    const found = findInClass(base.cls, key) ?? method(m, "Array", key);
    if (found === undefined) m.touched |= base.shape | base.all;
    return found;
  }
  if (typeof base === "number") return method(m, "Number", key);
  if (typeof base === "boolean") return method(m, "Boolean", key);
  if (base === undefined || base === null) return nothing(m, base, key);
  return getSpecial(m, base, key);
}

export function getItem(m: Machine, array: ArrayValue, index: number): Value {
  if (m.tracked) m.touched |= index < array.items.length ? (array.labels?.[index] ?? 0) | array.all : array.shape | array.all;
  return array.items[index];
}

function missingProperty(m: Machine, base: ObjectValue, key: string): Value {
  if (base.cls !== undefined) {
    const found = findInClass(base.cls, key);
    if (found !== undefined) return found;
    if (isError(base)) {
      if (key === "name") return errorName(base);
      if (key === "message") return "";
      if (key === "toString") return method(m, "Error", key);
    }
    if (key === "constructor") refuse(m, key);
  }
  if (key === "__proto__") refuse(m, key);
  if (base.origin !== undefined) m.missed.set(m.touched | m.context, { tool: base.origin, key });
  return undefined;
}

function getSpecial(m: Machine, base: Exclude<Value, undefined | null | boolean | number | string>, key: string): Value {
  if (base instanceof FunctionValue) {
    const found = findStatic(base, key);
    // It tells, too, that the classes before the one that has it have none of this name.
    if (m.tracked)
      for (let at: Value = base; at instanceof FunctionValue && at !== found?.owner; at = at.cls?.parent) m.touched |= at.shape | at.all;
    if (found !== undefined) {
      if (m.tracked) m.touched |= (found.owner.labels?.get(key) ?? 0) | found.owner.all;
      return found.value;
    }
    if (key === "name") return base.name;
    if (key === "length") return base.code.length;
    if (key === "prototype" || key === "constructor" || key === "__proto__") refuse(m, key);
    return method(m, "Function", key);
  }
  if (base instanceof NativeValue) {
    const found = m.natives.statics.get(base.name);
    if (found?.has(key) === true) return found.get(key);
    if (base.isFunction) {
      if (key === "name") return lastName(base.name);
      if (key === "length") return m.natives.functions.get(base.name)?.length ?? 0;
    }
    if (key === "prototype" || key === "constructor" || key === "__proto__") refuse(m, key);
    return base.isFunction ? method(m, "Function", key) : undefined;
  }
  if (base instanceof ToolsValue) return m.toolNames.includes(key) || m.freeTools.includes(key) ? new ToolValue(key) : undefined;
  if (base instanceof ToolValue || base instanceof ResolverValue) {
    if (key === "name") return base instanceof ToolValue ? base.name : "";
    if (key === "prototype" || key === "constructor" || key === "__proto__") refuse(m, key);
    return method(m, "Function", key);
  }
  if (base instanceof MapValue) {
    if (key === "size") {
      m.touched |= base.shape | base.all;
      return base.index.size;
    }
    return findInClass(base.cls, key) ?? method(m, base.isSet ? "Set" : "Map", key);
  }
  if (base instanceof RegExpValue) return getOfRegExp(m, base, key);
  if (base instanceof DateValue) return findInClass(base.cls, key) ?? method(m, "Date", key);
  if (base instanceof PromiseValue) {
    // Anything else would be undefined without a word, where an await was forgotten.
    return method(m, "Promise", key) ?? m.fail("TypeError", `A promise has no "${key}". Await it first: (await value).${key}.`);
  }
  return base instanceof IteratorValue ? method(m, "Iterator", key) : undefined;
}

const flagNames: Readonly<Record<string, string>> = {
  global: "g",
  ignoreCase: "i",
  multiline: "m",
  dotAll: "s",
  unicode: "u",
  sticky: "y",
};

function getOfRegExp(m: Machine, base: RegExpValue, key: string): Value {
  if (key === "source") return base.source;
  if (key === "flags") return base.flags;
  if (key === "lastIndex") {
    m.touched |= base.label;
    return base.lastIndex;
  }
  const flag = Object.hasOwn(flagNames, key) ? (flagNames[key] as string) : undefined;
  return flag === undefined ? (findInClass(base.cls, key) ?? method(m, "RegExp", key)) : base.flags.includes(flag);
}

function method(m: Machine, kind: string, key: string): Value {
  const found = m.natives.methods.get(kind)?.get(key);
  if (found === undefined && (key === "constructor" || key === "__proto__" || key === "prototype")) refuse(m, key);
  return found;
}

/** What `value.key()` calls, besides what `value.key` is: methods that every object has. */
export function getMethod(m: Machine, base: Value, key: string): Value {
  return getProperty(m, base, key) ?? (base === undefined || base === null ? undefined : m.natives.methods.get("Object")?.get(key));
}

export function refuse(m: Machine, key: string): never {
  const way =
    key === "constructor"
      ? "Use error.name, Array.isArray(value) or instanceof to tell what a value is."
      : key === "prototype"
        ? "Write a class with methods."
        : "Use Object.keys, or a Map for keys of any kind.";
  return m.fail("TypeError", `"${key}" is not available. ${way}`);
}

function nothing(m: Machine, base: undefined | null, key: string): never {
  return m.fail("TypeError", `cannot read "${key}" of ${base === null ? "null" : "undefined"}`);
}
