import { findMatch, type Captures } from "../regex/match.ts";
import { toInteger, toText } from "../machine/convert.ts";
import type { Machine } from "../machine/machine.ts";
import { refuse } from "../machine/properties.ts";
import { programOf } from "../machine/regexps.ts";
import { ArrayValue, ObjectValue, type RegExpValue, type Value } from "../machine/values.ts";
import { contextOf, reserveText } from "./define.ts";
import { searchFor } from "./text-search.ts";
import { sizes } from "../machine/sizes.ts";

/** Finds a match, with its steps counted as those of the program. */
export function matchFrom(m: Machine, pattern: RegExpValue, text: string, from: number, sticky: boolean): Captures | undefined {
  if (from > text.length) return undefined;
  const program = programOf(m, pattern.source, pattern.flags);
  let largest = 0;
  return findMatch(program, text, from, sticky, (steps, stack) => {
    m.charge((steps >> 2) + 1);
    if (stack > largest) {
      m.allocate((stack - largest) * 8);
      largest = stack;
    }
  });
}

/** `exec`: with g or y from lastIndex on. */
export function execute(m: Machine, pattern: RegExpValue, text: string): Captures | undefined {
  const moves = pattern.flags.includes("g") || pattern.flags.includes("y");
  m.touched |= moves ? pattern.label : 0;
  const from = moves ? toInteger(m, pattern.lastIndex) : 0;
  const captures =
    from < 0 ? matchFrom(m, pattern, text, 0, pattern.flags.includes("y")) : matchFrom(m, pattern, text, from, pattern.flags.includes("y"));
  if (moves) {
    pattern.lastIndex = captures === undefined ? 0 : (captures[1] as number);
    pattern.label |= m.touched | contextOf(m);
  }
  return captures;
}

/** All matches, one after the other; an empty match moves on by a character. */
export function allMatches(m: Machine, pattern: RegExpValue, text: string, start = 0): Captures[] {
  const found: Captures[] = [];
  let at = start;
  for (;;) {
    const captures = matchFrom(m, pattern, text, at, pattern.flags.includes("y"));
    if (captures === undefined) return found;
    m.charge(1);
    m.allocate(sizes.array + 16 * captures.length);
    found.push(captures);
    const end = captures[1] as number;
    at = end === captures[0] ? advance(text, end, pattern.flags.includes("u")) : end;
  }
}

function advance(text: string, at: number, unicode: boolean): number {
  return at + (unicode && at < text.length && (text.codePointAt(at) as number) > 0xffff ? 2 : 1);
}

export function groupTexts(m: Machine, captures: Captures, text: string): (string | undefined)[] {
  m.charge(captures.length >> 4);
  m.allocate(sizes.array + 20 * captures.length);
  const texts: (string | undefined)[] = [];
  for (let at = 0; at < captures.length; at += 2) texts.push(captures[at] === -1 ? undefined : text.slice(captures[at], captures[at + 1]));
  return texts;
}

/** What `exec` answers: an array with index, input and groups. */
export function matchArray(m: Machine, pattern: RegExpValue, captures: Captures, text: string): ArrayValue {
  const made = new ArrayValue(groupTexts(m, captures, text));
  m.allocate(400 + 2 * ((captures[1] as number) - (captures[0] as number)) + 20 * captures.length);
  const extra = new ObjectValue();
  extra.slots.set("index", captures[0]);
  extra.slots.set("input", text);
  extra.slots.set("groups", groupsObject(m, pattern, made.items));
  made.extra = extra;
  if (m.tracked && m.touched !== 0) {
    made.shape = m.touched;
    made.labels = made.items.map(() => m.touched);
    extra.all = m.touched;
  }
  return made;
}

export function groupsObject(m: Machine, pattern: RegExpValue, texts: readonly Value[]): ObjectValue | undefined {
  const { names } = programOf(m, pattern.source, pattern.flags);
  if (names.size === 0) return undefined;
  const groups = new ObjectValue();
  m.charge(names.size >> 3);
  m.allocate(sizes.object + 40 * names.size);
  for (const [name, indexes] of names) {
    const index = indexes.find((at) => texts[at] !== undefined) ?? (indexes[0] as number);
    if (name === "__proto__") refuse(m, name);
    groups.slots.set(name, texts[index]);
  }
  if (m.tracked) groups.all = m.touched;
  return groups;
}

/** `$1`, `$<name>` and the like in a replacement. What it makes is counted, part by part. */
function expand(
  m: Machine,
  template: string,
  texts: readonly Value[],
  start: number,
  end: number,
  text: string,
  groups: ObjectValue | undefined,
): string {
  reserveText(m, template.length);
  m.charge(template.length >> 5);
  const parts: string[] = [];
  let at = 0;
  let close = -1;
  const put = (part: string, end: number): void => {
    reserveText(m, part.length);
    parts.push(part);
    at = end;
  };
  for (let sign = template.indexOf("$"); sign !== -1; sign = template.indexOf("$", at)) {
    parts.push(template.slice(at, sign));
    const next = template[sign + 1];
    if (next === "$") put("$", sign + 2);
    else if (next === "&") put(text.slice(start, end), sign + 2);
    else if (next === "`") put(text.slice(0, start), sign + 2);
    else if (next === "'") put(text.slice(end), sign + 2);
    else if (next === "<") {
      // Found once for all that stand before it.
      if (close < sign) close = template.indexOf(">", sign);
      if (close === -1) close = Infinity;
      if (close === Infinity) put("$", sign + 1);
      else if (groups === undefined) put(template.slice(sign, close + 1), close + 1);
      else {
        const value = groups.slots.get(template.slice(sign + 2, close));
        put(value === undefined ? "" : String(value), close + 1);
      }
    } else {
      const two = isDigit(next) && isDigit(template[sign + 2]) ? Number(template.slice(sign + 1, sign + 3)) : 0;
      const one = isDigit(next) ? Number(next) : 0;
      if (two >= 1 && two < texts.length) put(String(texts[two] ?? ""), sign + 3);
      else if (one >= 1 && one < texts.length) put(String(texts[one] ?? ""), sign + 2);
      else put("$", sign + 1);
    }
  }
  return at === 0 ? template : parts.join("") + template.slice(at);
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}

export interface Found {
  readonly start: number;
  readonly end: number;
  readonly texts: readonly Value[];
  readonly groups: ObjectValue | undefined;
}

/** Where a replacement happens. */
export function placesOf(m: Machine, text: string, pattern: Value, all: boolean, regexp: RegExpValue | undefined): Found[] {
  if (regexp === undefined) {
    const wanted = toText(m, pattern);
    const found: Found[] = [];
    const search = searchFor(m, wanted);
    for (let at = search.first(text, 0); at !== -1; at = search.first(text, at + Math.max(1, wanted.length))) {
      found.push({ start: at, end: at + wanted.length, texts: [wanted], groups: undefined });
      m.charge(1);
      m.allocate(200);
      if (!all || (wanted === "" && at >= text.length)) break;
    }
    return found;
  }
  let captures: readonly Captures[];
  if (regexp.flags.includes("g")) {
    captures = allMatches(m, regexp, text);
    regexp.lastIndex = 0;
  } else {
    const one = execute(m, regexp, text);
    captures = one === undefined ? [] : [one];
  }
  return captures.map((one) => {
    const texts = groupTexts(m, one, text);
    return { start: one[0] as number, end: one[1] as number, texts, groups: groupsObject(m, regexp, texts) };
  });
}

export function replaceText(m: Machine, text: string, found: readonly Found[], template: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, texts, groups } of found) {
    const made = expand(m, template, texts, start, end, text, groups);
    reserveText(m, start - at);
    parts.push(text.slice(at, start), made);
    at = end;
  }
  reserveText(m, text.length - at);
  parts.push(text.slice(at));
  return parts.join("");
}

export function splitText(m: Machine, text: string, pattern: RegExpValue, most: number): (string | undefined)[] {
  const parts: (string | undefined)[] = [];
  if (most === 0) return parts;
  if (text === "") return matchFrom(m, pattern, text, 0, true) === undefined ? [text] : parts;
  let last = 0;
  let at = 0;
  while (at < text.length) {
    const captures = matchFrom(m, pattern, text, at, false);
    if (captures === undefined || (captures[0] as number) >= text.length) break;
    const [start, end] = captures as readonly [number, number];
    if (end === start && end === last) {
      at = advance(text, Math.max(at, start), pattern.flags.includes("u"));
      if (start > last || start < at - 1) continue;
      const next = matchFrom(m, pattern, text, at, false);
      if (next === undefined) break;
      continue;
    }
    m.charge(1);
    m.allocate(40 + 2 * (start - last));
    parts.push(text.slice(last, start));
    if (parts.length === most) return parts;
    const groups = groupTexts(m, captures, text);
    for (let group = 1; group < groups.length; group++) {
      parts.push(groups[group]);
      if (parts.length === most) return parts;
    }
    last = end;
    at = end === start ? advance(text, end, pattern.flags.includes("u")) : end;
  }
  parts.push(text.slice(last));
  return parts;
}
