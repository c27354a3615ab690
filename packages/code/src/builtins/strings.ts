import { toInteger, toNumber, toText } from "../machine/convert.ts";
import type { Machine } from "../machine/machine.ts";
import { IteratorValue, RegExpValue, type Value } from "../machine/values.ts";
import { inPrelude, native, passThrough, reserveText, text, type Library } from "./define.ts";
import { clampIndex, newArray } from "./arrays.ts";
import { splitText } from "./matching.ts";
import { searchFor } from "./text-search.ts";

export function stringOf(m: Machine, self: Value): string {
  if (typeof self !== "string") m.fail("TypeError", "This method needs a text. Convert the value first: String(value).");
  m.read(self.length);
  return self;
}

function noPattern(m: Machine, value: Value, name: string): string {
  if (value instanceof RegExpValue) m.fail("TypeError", `${name} takes a text, not a regular expression. Use pattern.test(text).`);
  return toText(m, value);
}

function pad(m: Machine, self: Value, args: Value[], atStart: boolean): string {
  const value = stringOf(m, self);
  const length = toInteger(m, args[0]);
  const filler = args[1] === undefined ? " " : toText(m, args[1]);
  if (length <= value.length || filler === "") return value;
  reserveText(m, length);
  return atStart ? value.padStart(length, filler) : value.padEnd(length, filler);
}

function searching(run: (value: string, wanted: string, position: Value, m: Machine) => Value, name: string, refusesPatterns: boolean) {
  return native(`String.prototype.${name}`, 1, (m, self, [wanted, position]) => {
    const value = stringOf(m, self);
    return run(value, refusesPatterns ? noPattern(m, wanted, name) : toText(m, wanted), position, m);
  });
}

function changing(name: string, run: (value: string) => string) {
  return native(`String.prototype.${name}`, 0, (m, self) => {
    const value = stringOf(m, self);
    return text(m, run(passThrough(m, value)));
  });
}

export const stringLibrary: Library = {
  functions: [
    {
      name: "String",
      length: 1,
      call: (m, _self, args) => (args.length === 0 ? "" : toText(m, args[0])),
      construct: (m) => m.fail("TypeError", "new String() is not supported. Write String(value)."),
    },
    native("String.fromCharCode", 1, (m, _self, args) => text(m, args.map((code) => String.fromCharCode(toNumber(m, code))).join(""))),
    native("String.fromCodePoint", 1, (m, _self, args) => {
      const points = args.map((code) => {
        const point = toNumber(m, code);
        if (!Number.isInteger(point) || point < 0 || point > 0x10ffff) m.fail("RangeError", `Invalid code point ${point}`);
        return point;
      });
      return text(m, points.map((point) => String.fromCodePoint(point)).join(""));
    }),
    native("String.raw", 1, (m) => m.fail("TypeError", "String.raw is not supported. Write the backslashes twice.")),
    native("String.prototype.at", 1, (m, self, [index]) => stringOf(m, self).at(toInteger(m, index))),
    native("String.prototype.charAt", 1, (m, self, [index]) => stringOf(m, self).charAt(toInteger(m, index))),
    native("String.prototype.charCodeAt", 1, (m, self, [index]) => stringOf(m, self).charCodeAt(toInteger(m, index))),
    native("String.prototype.codePointAt", 1, (m, self, [index]) => stringOf(m, self).codePointAt(toInteger(m, index))),
    native("String.prototype.concat", 1, (m, self, args) => {
      const parts = args.map((value) => toText(m, value));
      reserveText(
        m,
        parts.reduce((sum, part) => sum + part.length, stringOf(m, self).length),
      );
      return [stringOf(m, self), ...parts].join("");
    }),
    searching(
      (value, wanted, position, m) => searchFor(m, wanted).first(value, clamped(toInteger(m, position), value)) !== -1,
      "includes",
      true,
    ),
    searching(
      (value, wanted, position, m) => {
        m.compared(wanted.length);
        return value.startsWith(wanted, toInteger(m, position));
      },
      "startsWith",
      true,
    ),
    searching(
      (value, wanted, position, m) => {
        m.compared(wanted.length);
        return value.endsWith(wanted, position === undefined ? undefined : toInteger(m, position));
      },
      "endsWith",
      true,
    ),
    searching((value, wanted, position, m) => searchFor(m, wanted).first(value, clamped(toInteger(m, position), value)), "indexOf", false),
    searching(
      (value, wanted, position, m) => {
        const at = position === undefined ? NaN : toNumber(m, position);
        return searchFor(m, wanted).last(value, Number.isNaN(at) ? value.length : clamped(Math.trunc(at), value));
      },
      "lastIndexOf",
      false,
    ),
    native("String.prototype.localeCompare", 1, (m, self, args) => {
      const a = stringOf(m, self);
      const b = toText(m, args[0]);
      m.compared(Math.min(a.length, b.length));
      return a < b ? -1 : a > b ? 1 : 0;
    }),
    native("String.prototype.padStart", 2, (m, self, args) => pad(m, self, args, true)),
    native("String.prototype.padEnd", 2, (m, self, args) => pad(m, self, args, false)),
    native("String.prototype.repeat", 1, (m, self, [count]) => {
      const value = stringOf(m, self);
      const times = toInteger(m, count);
      if (times < 0 || times === Infinity) m.fail("RangeError", `Invalid count value: ${times}`);
      reserveText(m, value.length * times);
      return value.repeat(times);
    }),
    native("String.prototype.slice", 2, (m, self, [start, end]) => {
      const value = stringOf(m, self);
      return text(m, value.slice(clampIndex(m, start, value.length, 0), clampIndex(m, end, value.length, value.length)));
    }),
    native("String.prototype.substring", 2, (m, self, [start, end]) => {
      const value = stringOf(m, self);
      return text(m, value.substring(toInteger(m, start), end === undefined ? value.length : toInteger(m, end)));
    }),
    native("String.prototype.split", 2, (m, self, [separator, limit]) => {
      const value = stringOf(m, self);
      const most = limit === undefined ? 2 ** 32 - 1 : toNumber(m, limit) >>> 0;
      const parts =
        separator instanceof RegExpValue
          ? splitText(m, value, separator, most)
          : separator === undefined
            ? [value].slice(0, most)
            : splitPlain(m, value, toText(m, separator), most);
      return newArray(m, parts, m.touched);
    }),
    changing("toLowerCase", (value) => value.toLowerCase()),
    changing("toUpperCase", (value) => value.toUpperCase()),
    changing("trim", (value) => value.trim()),
    changing("trimStart", (value) => value.trimStart()),
    changing("trimEnd", (value) => value.trimEnd()),
    native("String.prototype.toString", 0, (m, self) => stringOf(m, self)),
    native("String.prototype.valueOf", 0, (m, self) => stringOf(m, self)),
    native("String.prototype.normalize", 0, (m, self, [form]) => {
      const name = form === undefined ? "NFC" : toText(m, form);
      if (!["NFC", "NFD", "NFKC", "NFKD"].includes(name)) m.fail("RangeError", "The form is one of NFC, NFD, NFKC, NFKD.");
      reserveText(m, stringOf(m, self).length * 4);
      return stringOf(m, self).normalize(name);
    }),
    native("$characters", 1, (m, _self, [value]) => {
      const made = new IteratorValue(stringOf(m, value), "values");
      made.label = m.touched;
      return made;
    }),
    inPrelude("String.prototype.replace", 2, "String_replace"),
    inPrelude("String.prototype.replaceAll", 2, "String_replaceAll"),
  ],
};

function splitPlain(m: Machine, value: string, separator: string, most: number): string[] {
  if (separator === "") {
    const count = Math.min(value.length, most);
    m.allocate(40 * count);
    m.charge(count);
    return value.slice(0, count).split("");
  }
  const search = searchFor(m, separator);
  const parts: string[] = [];
  m.allocate(2 * value.length);
  let at = 0;
  for (let found = search.first(value, 0); found !== -1 && parts.length < most; found = search.first(value, at)) {
    m.charge(1);
    m.allocate(24);
    parts.push(value.slice(at, found));
    at = found + separator.length;
  }
  if (parts.length < most) parts.push(value.slice(at));
  return parts;
}

function clamped(at: number, value: string): number {
  return Math.max(0, Math.min(at, value.length));
}
