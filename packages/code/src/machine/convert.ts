import type { Machine } from "./machine.ts";
import { findInClass } from "./classes.ts";
import {
  ArrayValue,
  DateValue,
  FunctionValue,
  isCallable,
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

export type Primitive = undefined | null | boolean | number | string;

/** Coercing never runs functions of the program: an own `toString` or `valueOf` is an error that says to call it. */
export function toPrimitive(m: Machine, value: Value, hint: "string" | "number" | "default"): Primitive {
  if (typeof value !== "object" || value === null) return value as Primitive;
  if (value instanceof ArrayValue) return joinItems(m, value, ",");
  if (value instanceof DateValue) {
    m.touched |= value.label;
    return hint === "number" ? value.time : dateText(value.time);
  }
  if (value instanceof ObjectValue) {
    refuseHook(m, value, "toString");
    refuseHook(m, value, "valueOf");
    return isError(value) ? errorText(m, value) : "[object Object]";
  }
  if (value instanceof FunctionValue)
    return value.unit.builtin ? `function ${value.name}() { [native code] }` : value.unit.text.slice(value.code.start, value.code.end);
  if (value instanceof NativeValue)
    return value.isFunction ? `function ${lastName(value.name)}() { [native code] }` : `[object ${value.name}]`;
  if (value instanceof ToolValue || value instanceof ResolverValue) return "function () { [native code] }";
  if (value instanceof RegExpValue) return `/${value.source}/${value.flags}`;
  if (value instanceof MapValue) return value.isSet ? "[object Set]" : "[object Map]";
  if (value instanceof PromiseValue) return "[object Promise]";
  return value instanceof ToolsValue ? "[object Object]" : "[object Iterator]";
}

function refuseHook(m: Machine, value: ObjectValue, name: string): void {
  const hook = value.slots.get(name) ?? findInClass(value.cls, name);
  if (hook !== undefined && isCallable(hook) && !(hook instanceof NativeValue)) {
    m.fail("TypeError", `An object with its own ${name} is not converted by itself. Call it: value.${name}().`);
  }
}

export function toText(m: Machine, value: Value): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  return String(toPrimitive(m, value, "string"));
}

export function toNumber(m: Machine, value: Value): number {
  if (typeof value === "number") return value;
  if (typeof value === "string") m.charge(value.length >> 6);
  return Number(toPrimitive(m, value, "number"));
}

/** As ECMAScript's ToIntegerOrInfinity. */
export function toInteger(m: Machine, value: Value): number {
  const number = toNumber(m, value);
  return Number.isNaN(number) ? 0 : Math.trunc(number) + 0;
}

export function toKey(m: Machine, value: Value): string {
  const key = typeof value === "string" ? value : toText(m, value);
  m.compared(key.length);
  return key;
}

export function typeOf(value: Value): string {
  if (value === null) return "object";
  if (isCallable(value)) return "function";
  return typeof value;
}

export function joinItems(m: Machine, array: ArrayValue, separator: string, seen: ArrayValue[] = []): string {
  if (seen.includes(array)) return "";
  if (seen.length > 200) m.fail("RangeError", "Arrays nested more than 200 levels deep cannot be joined.");
  m.charge(array.items.length);
  if (m.tracked) touchArray(m, array);
  const parts: string[] = [];
  let length = 0;
  for (const item of array.items) {
    const part =
      item === undefined || item === null ? "" : item instanceof ArrayValue ? joinItems(m, item, ",", [...seen, array]) : toText(m, item);
    length += part.length + separator.length;
    m.allocate((part.length + separator.length) * 2);
    parts.push(part);
  }
  m.charge(length >> 6);
  return parts.join(separator);
}

/** Everything of an array was read. */
export function touchArray(m: Machine, array: ArrayValue): void {
  m.touched |= array.shape | array.all;
  if (array.labels !== undefined) for (const label of array.labels) m.touched |= label ?? 0;
}

export function isError(value: Value): value is ObjectValue {
  if (!(value instanceof ObjectValue)) return false;
  let cls: Value = value.cls;
  while (cls instanceof FunctionValue) cls = cls.cls?.parent;
  return cls instanceof NativeValue;
}

/** "TypeError: message". */
export function errorText(m: Machine, error: ObjectValue): string {
  if (m.tracked) m.touched |= (error.labels?.get("name") ?? 0) | (error.labels?.get("message") ?? 0) | error.all;
  if (m.tracked && (!error.slots.has("name") || !error.slots.has("message"))) m.touched |= error.shape;
  const name = error.slots.get("name") ?? errorName(error);
  const message = error.slots.get("message");
  const nameText = typeof name === "object" ? "Error" : String(name);
  const messageText = message === undefined ? "" : typeof message === "object" && message !== null ? "[object Object]" : String(message);
  if (nameText === "" || messageText === "") return nameText + messageText;
  const { length } = messageText;
  m.allocate(2 * (nameText.length + length));
  m.joined(nameText.length + length);
  return `${nameText}: ${messageText}`;
}

export function errorName(error: ObjectValue): string {
  const found = findInClass(error.cls, "name");
  if (typeof found === "string") return found;
  let cls: Value = error.cls;
  while (cls instanceof FunctionValue) cls = cls.cls?.parent;
  return cls instanceof NativeValue ? cls.name : "Error";
}

/** "Array.prototype.map" → "map". */
export function lastName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export function dateText(time: number, part: "both" | "date" | "time" = "both"): string {
  if (Number.isNaN(time)) return "Invalid Date";
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, "0");
  const year = date.getUTCFullYear();
  const yearText = `${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`;
  const day = `${days[date.getUTCDay()]} ${months[date.getUTCMonth()]} ${two(date.getUTCDate())} ${yearText}`;
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} GMT+0000 (Coordinated Universal Time)`;
  return part === "date" ? day : part === "time" ? clock : `${day} ${clock}`;
}

export function looselyEqual(m: Machine, a: Value, b: Value): boolean {
  if (typeof a === "string" && typeof b === "string" && a.length === b.length) m.compared(a.length);
  if (a === b) return true;
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? null) === (b ?? null);
  const aIsObject = typeof a === "object";
  const bIsObject = typeof b === "object";
  if (aIsObject && bIsObject) return false;
  // oxlint-disable-next-line eslint/eqeqeq
  return toPrimitive(m, a, "default") == toPrimitive(m, b, "default");
}
