import { findInClass } from "../machine/classes.ts";
import { toInteger, toText, touchArray } from "../machine/convert.ts";
import { copyIn, NotPlain } from "../machine/copy-in.ts";
import { sortedKeys } from "../machine/keys.ts";
import type { Machine } from "../machine/machine.ts";
import { ArrayValue, DateValue, isCallable, isObject, ObjectValue, type GuestObject, type Value } from "../machine/values.ts";
import { placeInJson } from "./json-place.ts";
import { inPrelude, native, type Library } from "./define.ts";

const maximumDepth = 500;

export const jsonLibrary: Library = {
  functions: [
    inPrelude("JSON.parse", 2, "JSON_parse"),
    inPrelude("JSON.stringify", 3, "JSON_stringify"),
    native("$parse", 1, (m, _self, [value]) => parse(m, toText(m, value))),
    native("$stringify", 3, (m, _self, [value, keys, space]) => stringify(m, value, keys, indent(m, space))),
  ],
};

function parse(m: Machine, text: string): Value {
  m.charge(text.length >> 4);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    const at = placeInJson(text);
    const found = String.fromCodePoint(text.codePointAt(at) ?? 0);
    m.charge(at >> 2);
    m.fail(
      "SyntaxError",
      `The text is not JSON: ${at >= text.length ? "the text ends too early" : `unexpected ${JSON.stringify(found)} at position ${at}`}.`,
    );
  }
  try {
    return copyIn(m, data, undefined, m.tracked ? m.touched : 0).value;
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    return m.fail("RangeError", `JSON nested more than ${maximumDepth} levels deep cannot be parsed.`);
  }
}

function indent(m: Machine, space: Value): string {
  if (typeof space === "number") return " ".repeat(Math.max(0, Math.min(10, toInteger(m, space))));
  return typeof space === "string" ? space.slice(0, 10) : "";
}

/** The text of a value, or undefined for what has none. Everything that is written is read: all labels join. */
export function stringify(m: Machine, value: Value, keys: Value, space: string): string | undefined {
  if (keys instanceof ArrayValue) touchArray(m, keys);
  const allowed =
    keys instanceof ArrayValue
      ? new Set(keys.items.filter((key) => typeof key === "string" || typeof key === "number").map(String))
      : undefined;
  const path: GuestObject[] = [];
  const parts: string[] = [];
  return write(value, "") ? parts.join("") : undefined;

  function put(part: string): void {
    m.allocate(2 * part.length);
    m.charge(part.length >> 6);
    parts.push(part);
  }

  /** A character may take six. */
  function quoted(value: string): string {
    if (value.length > 1_024) {
      m.charge(value.length >> 6);
      m.allocate(2 * value.length);
    }
    return JSON.stringify(value);
  }

  function write(from: Value, margin: string): boolean {
    m.charge(1);
    if (typeof from === "string") put(quoted(from));
    else if (typeof from === "number") put(Number.isFinite(from) ? String(from) : "null");
    else if (typeof from === "boolean" || from === null) put(String(from));
    else if (from === undefined || isCallable(from)) return false;
    else if (from instanceof DateValue) {
      m.touched |= from.label;
      put(Number.isNaN(from.time) ? "null" : `"${new Date(from.time).toISOString()}"`);
    } else writeObject(from, margin);
    return true;
  }

  function writeObject(from: GuestObject, margin: string): void {
    if (path.includes(from)) m.fail("TypeError", "An object that contains itself cannot be written as JSON. Write the needed fields.");
    if (path.length >= maximumDepth) m.fail("RangeError", `Nesting of more than ${maximumDepth} levels cannot be written as JSON.`);
    path.push(from);
    m.touched |= from.shape | from.all;
    const inner = margin + space;
    const separator = space === "" ? "," : `,\n${inner}`;
    const [open, close] = from instanceof ArrayValue ? ["[", "]"] : ["{", "}"];
    put(open as string);
    let count = 0;
    const next = (): void => put(count++ > 0 ? separator : space === "" ? "" : `\n${inner}`);
    if (from instanceof ArrayValue) {
      from.items.forEach((item, index) => {
        m.touched |= from.labels?.[index] ?? 0;
        next();
        if (!write(item, inner)) put("null");
      });
    } else if (from instanceof ObjectValue) {
      const hook = from.slots.get("toJSON") ?? findInClass(from.cls, "toJSON");
      if (isCallable(hook)) m.fail("TypeError", "An object with its own toJSON is not converted by itself. Call it: value.toJSON().");
      m.charge((allowed?.size ?? 0) >> 2);
      for (const key of allowed === undefined
        ? sortedKeys(from)
        : [...allowed].filter((name) => from.slots.has(name) && from.hidden?.has(name) !== true)) {
        const item = from.slots.get(key);
        m.touched |= from.labels?.get(key) ?? 0;
        if (item === undefined || (isObject(item) && isCallable(item))) continue;
        next();
        put(`${quoted(key)}:${space === "" ? "" : " "}`);
        write(item, inner);
      }
    }
    put(count > 0 && space !== "" ? `\n${margin}${close}` : (close as string));
    path.pop();
  }
}
