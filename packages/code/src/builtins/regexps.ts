import { toText } from "../machine/convert.ts";
import type { Machine } from "../machine/machine.ts";
import { makeRegExp } from "../machine/regexps.ts";
import { ArrayValue, IteratorValue, RegExpValue, type Value } from "../machine/values.ts";
import { native, type Library } from "./define.ts";
import { newArray } from "./arrays.ts";
import { allMatches, execute, matchArray, matchFrom, placesOf, replaceText } from "./matching.ts";
import { stringOf } from "./strings.ts";

function patternOf(m: Machine, self: Value): RegExpValue {
  if (!(self instanceof RegExpValue)) m.fail("TypeError", "This method needs a regular expression.");
  return self;
}

function make(m: Machine, args: Value[]): RegExpValue {
  const [source, flags] = args;
  if (source instanceof RegExpValue) return makeRegExp(m, source.source, flags === undefined ? source.flags : toText(m, flags));
  return makeRegExp(m, source === undefined ? "" : escapeLines(toText(m, source)), flags === undefined ? "" : toText(m, flags));
}

function escapeLines(source: string): string {
  return source.replace(/\\?[\n\r\u2028\u2029]|\\?\//g, (all) => {
    if (all === "/") return "\\/";
    if (all.endsWith("/")) return all;
    return { "\n": "\\n", "\r": "\\r", "\u2028": "\\u2028", "\u2029": "\\u2029" }[all.at(-1) as string] as string;
  });
}

/** The pattern of match, search and the like: a text is made into one. */
function toPattern(m: Machine, value: Value, flags: string): RegExpValue {
  return value instanceof RegExpValue ? value : make(m, [value, flags]);
}

export const regexpLibrary: Library = {
  functions: [
    { name: "RegExp", length: 2, call: (m, _self, args) => make(m, args), construct: (m, args) => make(m, args) },
    native("RegExp.prototype.exec", 1, (m, self, [value]) => {
      const pattern = patternOf(m, self);
      const text = toText(m, value);
      const captures = execute(m, pattern, text);
      return captures === undefined ? null : matchArray(m, pattern, captures, text);
    }),
    native("RegExp.prototype.test", 1, (m, self, [value]) => execute(m, patternOf(m, self), toText(m, value)) !== undefined),
    native("RegExp.prototype.toString", 0, (m, self) => `/${patternOf(m, self).source}/${patternOf(m, self).flags}`),
    native("String.prototype.match", 1, (m, self, [value]) => {
      const text = stringOf(m, self);
      const pattern = toPattern(m, value, "");
      if (!pattern.flags.includes("g")) {
        const captures = execute(m, pattern, text);
        return captures === undefined ? null : matchArray(m, pattern, captures, text);
      }
      pattern.lastIndex = 0;
      const found = allMatches(m, pattern, text);
      if (found.length === 0) return null;
      return newArray(
        m,
        found.map((captures) => text.slice(captures[0], captures[1])),
        m.touched,
      );
    }),
    native("String.prototype.matchAll", 1, (m, self, [value]) => {
      const text = stringOf(m, self);
      const pattern = toPattern(m, value, "g");
      if (!pattern.flags.includes("g")) m.fail("TypeError", "matchAll needs a pattern with the flag g.");
      const list = newArray(
        m,
        allMatches(m, pattern, text, Math.max(0, Number(pattern.lastIndex) || 0)).map((captures) => matchArray(m, pattern, captures, text)),
        m.touched,
      );
      const made = new IteratorValue(list, "values");
      made.label = m.touched;
      return made;
    }),
    native(
      "String.prototype.search",
      1,
      (m, self, [value]) => matchFrom(m, toPattern(m, value, ""), stringOf(m, self), 0, false)?.[0] ?? -1,
    ),
    native("$replace", 4, (m, _self, [value, pattern, replacement, all]) => {
      const text = stringOf(m, value);
      const regexp = checkedPattern(m, pattern, all === true);
      return replaceText(m, text, placesOf(m, text, pattern, all === true, regexp), toText(m, replacement));
    }),
    // What a function that replaces is called with, and where its texts go.
    native("$places", 3, (m, _self, [value, pattern, all]) => {
      const text = stringOf(m, value);
      const regexp = checkedPattern(m, pattern, all === true);
      const label = m.touched;
      return newArray(
        m,
        placesOf(m, text, pattern, all === true, regexp).map(({ start, end, texts, groups }) => {
          const args = newArray(m, [...texts, start, text, ...(groups === undefined ? [] : [groups])], label);
          const place = new ArrayValue([start, end, args]);
          if (label !== 0) place.labels = [label, label, 0];
          return place;
        }),
        label,
      );
    }),
  ],
};

function checkedPattern(m: Machine, pattern: Value, all: boolean): RegExpValue | undefined {
  if (!(pattern instanceof RegExpValue)) return undefined;
  if (all && !pattern.flags.includes("g")) m.fail("TypeError", "replaceAll needs a pattern with the flag g.");
  return pattern;
}
