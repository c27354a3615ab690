/** A set of code points as flat, sorted, disjoint ranges: [a-z0-9] is [48, 57, 97, 122]. */
export type CharSet = readonly number[];

export const maxCodePoint = 0x10ffff;

export const digits: CharSet = [48, 57];
export const wordCharacters: CharSet = [48, 57, 65, 90, 95, 95, 97, 122];
export const spaces: CharSet = [
  9, 13, 32, 32, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff,
];
export const lineEnds: CharSet = [10, 10, 13, 13, 0x2028, 0x2029];

export function charSet(from: number, to: number = from): CharSet {
  return [from, to];
}

export function unionOf(sets: readonly CharSet[]): CharSet {
  const ranges = sortedRanges(sets);
  const merged: number[] = [];
  for (const [from, to] of ranges) {
    const end = merged.length - 1;
    if (end > 0 && from <= merged[end]! + 1) merged[end] = Math.max(merged[end]!, to);
    else merged.push(from, to);
  }
  return merged;
}

export function complementOf(set: CharSet): CharSet {
  const rest: number[] = [];
  let next = 0;
  for (let index = 0; index < set.length; index += 2) {
    if (set[index]! > next) rest.push(next, set[index]! - 1);
    next = set[index + 1]! + 1;
  }
  if (next <= maxCodePoint) rest.push(next, maxCodePoint);
  return rest;
}

export function isDisjoint(sets: readonly CharSet[]): boolean {
  let last = -1;
  for (const [from, to] of sortedRanges(sets)) {
    if (from <= last) return false;
    last = to;
  }
  return true;
}

export function contains(set: CharSet, code: number): boolean {
  let low = 0;
  let high = set.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (code < set[2 * middle]!) high = middle;
    else if (code > set[2 * middle + 1]!) low = middle + 1;
    else return true;
  }
  return false;
}

function sortedRanges(sets: readonly CharSet[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const set of sets) for (let index = 0; index < set.length; index += 2) ranges.push([set[index]!, set[index + 1]!]);
  return ranges.sort((a, b) => a[0] - b[0]);
}

/** Bounded by the number of properties that Unicode has. */
const properties = new Map<string, CharSet>();

/**
 * The code points of a Unicode property, "Script=Greek" or "L", or `undefined` where there is no such property.
 * The running engine is asked, so that its version of Unicode and ours are one.
 */
export function propertySet(name: string): CharSet | undefined {
  if (!/^\w+(?:=\w+)?$/.test(name)) return undefined;
  const known = properties.get(name);
  if (known !== undefined) return known;
  let run: RegExp;
  try {
    run = new RegExp(`\\p{${name}}+`, "gu");
  } catch {
    return undefined;
  }
  const one = new RegExp(`\\p{${name}}`, "u");
  const ranges: number[] = [];
  for (const [from, to] of scanned) {
    for (const { 0: found } of textOf(from, to).matchAll(run)) {
      ranges.push(found.codePointAt(0)!, found.codePointAt(found.length - (found.codePointAt(0)! > 0xffff ? 2 : 1))!);
    }
  }
  for (const [from, to] of uniform) if (one.test(String.fromCodePoint(from))) ranges.push(from, to);
  const set = unionOf([ranges]);
  properties.set(name, set);
  return set;
}

/** Where characters differ from their neighbours: the first four planes and the tags. Surrogates would pair up in a text. */
const scanned: readonly (readonly [number, number])[] = [
  [0, 0xd7ff],
  [0xe000, 0xffff],
  [0x10000, 0x3ffff],
  [0xe0000, 0xe0fff],
];

/** Where all characters are alike: surrogates, planes without characters, and the last two code points of each such plane. */
const uniform: readonly (readonly [number, number])[] = [
  [0xd800, 0xdfff],
  ...Array.from({ length: 13 }, (_, index) => (index + 4) * 0x10000).flatMap((plane): [number, number][] => [
    [plane === 0xe0000 ? 0xe1000 : plane, plane + 0xfffd],
    [plane + 0xfffe, plane + 0xffff],
  ]),
];

function textOf(from: number, to: number): string {
  const units = new Uint16Array((to - from + 1) * (from > 0xffff ? 2 : 1));
  let length = 0;
  for (let code = from; code <= to; code++) {
    if (code > 0xffff) units[length++] = 0xd7c0 + (code >> 10);
    units[length++] = code > 0xffff ? 0xdc00 + (code & 0x3ff) : code;
  }
  return new TextDecoder("utf-16le").decode(units);
}
