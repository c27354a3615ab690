import { filled } from "../lists.ts";
import { outputLimit } from "../machine/limit.ts";
import { errorText, isError, toInteger, toText } from "../machine/convert.ts";
import { appendIterable } from "../machine/iterate.ts";
import type { Machine } from "../machine/machine.ts";
import { getProperty } from "../machine/properties.ts";
import { ArrayValue, isCallable, isObject, IteratorValue, MapValue, ObjectValue, type Value } from "../machine/values.ts";
import { contextOf, native, text, type Library } from "./define.ts";
import { cloneValue } from "./clone.ts";
import { stringify } from "./json.ts";
import { sizes } from "../machine/sizes.ts";

function coded(name: string, run: (value: string) => string): Library["functions"][number] {
  return native(name, 1, (m, _self, [value]) => {
    const given = toText(m, value);
    m.allocate(2 * given.length);
    m.charge(given.length >> 4);
    let made: string;
    try {
      made = run(given);
    } catch {
      return m.fail("URIError", `${name}: the text is not well formed.`);
    }
    return text(m, made);
  });
}

/** One value as it is logged: text as it is, errors as `Name: message`, everything else as JSON. */
export function shown(m: Machine, value: Value): string {
  if (typeof value === "string") return value;
  if (isError(value)) return errorText(m, value);
  if (value === undefined) return "undefined";
  if (typeof value === "number") return String(value);
  if (isCallable(value)) return "[function]";
  return stringify(m, value, undefined, "") ?? "undefined";
}

function log(m: Machine, _self: Value, args: Value[]): Value {
  const line = args.map((value) => shown(m, value)).join(" ");
  m.outputBytes += byteLength(line) + 1;
  checkOutput(m);
  m.logs.push({ text: line, label: m.tracked ? m.touched | contextOf(m) : 0 });
  m.touched = 0;
  return undefined;
}

export function checkOutput(m: Machine): void {
  if (m.outputBytes > m.limits.outputBytes) outputLimit(m);
}

/** The bytes of a text in UTF-8, counted without making them. */
export function byteLength(value: string): number {
  let bytes = value.length;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code >= 0x80) bytes += code >= 0x800 && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

export const globalLibrary: Library = {
  functions: [
    coded("encodeURI", encodeURI),
    coded("encodeURIComponent", encodeURIComponent),
    coded("decodeURI", decodeURI),
    coded("decodeURIComponent", decodeURIComponent),
    native("structuredClone", 1, (m, _self, [value]) => cloneValue(m, value as Value)),
    ...["log", "info", "warn", "error", "debug"].map((name) => native(`console.${name}`, 0, log)),
    native("$arrayFrom", 1, (m, _self, [source]) => {
      const made = new ArrayValue([]);
      m.allocate(sizes.array);
      const label = m.touched;
      if (source instanceof ArrayValue || source instanceof MapValue || source instanceof IteratorValue || typeof source === "string")
        appendIterable(m, made, source, label);
      else if (source === undefined || source === null) m.fail("TypeError", `Array.from needs a list, not ${String(source)}.`);
      else if (isObject(source)) {
        const length = Math.max(0, toInteger(m, getProperty(m, source, "length")));
        m.allocate(16 * length);
        m.charge(length >> 2);
        made.shape = m.touched;
        for (let at = 0; at < length; at++) {
          made.items.push(source instanceof ObjectValue ? source.slots.get(String(at)) : undefined);
          if (m.tracked && source instanceof ObjectValue && source.labels !== undefined)
            (made.labels ??= filled<number>(at, 0))[at] = source.labels.get(String(at)) ?? 0;
        }
        if (m.tracked) made.all |= label | source.all;
      }
      m.touched = label;
      return made;
    }),
    native("$check", 2, (m, _self, [value, name]) => {
      if (!isCallable(value))
        m.fail(
          "TypeError",
          `${String(name)} needs a function, but was given ${isObject(value) ? "an object" : value === null ? "null" : typeof value}: it is not a function.`,
        );
      return undefined;
    }),
  ],
};
