/** A set of characters, by code point. */
export interface CharacterSet {
  readonly has: (code: number) => boolean;
}

type Range = readonly [number, number];

export const digits: readonly Range[] = [[48, 57]];
export const words: readonly Range[] = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
export const spaces: readonly Range[] = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

export function complement(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  let next = 0;
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (from > next) result.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= 0x10ffff) result.push([next, 0x10ffff]);
  return result;
}

export interface SetParts {
  readonly ranges: readonly Range[];
  /** Unicode properties, as `\p{…}` or `\P{…}`. */
  readonly properties: readonly string[];
  readonly negated: boolean;
}

/** Builds a set. Without regard to case it holds a character if it holds any form of it. */
export function createSet(parts: SetParts, ignoreCase: boolean, unicode: boolean): CharacterSet {
  const tests = parts.properties.map((property) => new RegExp(`^${property}$`, "u"));
  const ranges = joined(parts.ranges);
  const inside = (code: number): boolean => {
    if (isWithin(ranges, code)) return true;
    if (tests.length === 0) return false;
    const text = String.fromCodePoint(code);
    return tests.some((test) => test.test(text));
  };
  const plain = (code: number): boolean => {
    if (inside(code)) return true;
    return ignoreCase && formsOf(code, unicode).some(inside);
  };
  // Most text is ASCII: the answers for it are kept. 0: not asked yet, 1: no, 2: yes.
  const known = new Uint8Array(128);
  const has = (code: number): boolean => plain(code) !== parts.negated;
  return { has: (code) => (code < 128 ? (known[code] ||= has(code) ? 2 : 1) === 2 : has(code)) };
}

/** Ascending, none beside or within another. */
function joined(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = [];
  let last: Range | undefined;
  for (const range of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (last !== undefined && range[0] <= last[1] + 1) result.pop();
    last = last !== undefined && range[0] <= last[1] + 1 ? [last[0], Math.max(last[1], range[1])] : range;
    result.push(last);
  }
  return result;
}

function isWithin(ranges: readonly Range[], code: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const [from, to] = ranges[middle] as Range;
    if (code < from) high = middle;
    else if (code > to) low = middle + 1;
    else return true;
  }
  return false;
}

/** The one form by which characters are compared without regard to case. */
export function canonical(code: number, unicode: boolean): number {
  if (code < 128) return code >= 97 && code <= 122 ? code - 32 : code;
  return remembered(canonicals, code, unicode, canonicalOf);
}

function canonicalOf(code: number, unicode: boolean): number {
  const text = String.fromCodePoint(code);
  const upper = text.toUpperCase();
  const point = upper.codePointAt(0) as number;
  if (upper.length !== (point > 0xffff ? 2 : 1)) return code;
  if (!unicode) return code >= 128 && point < 128 ? code : point;
  const lower = String.fromCodePoint(point).toLowerCase();
  const back = lower.codePointAt(0) as number;
  return lower.length === (back > 0xffff ? 2 : 1) ? canonicalUpper(back) : point;
}

function canonicalUpper(code: number): number {
  const upper = String.fromCodePoint(code).toUpperCase();
  const point = upper.codePointAt(0) as number;
  return upper.length === (point > 0xffff ? 2 : 1) ? point : code;
}

/** The other forms of a character. */
function formsOf(code: number, unicode: boolean): readonly number[] {
  return remembered(otherForms, code, unicode, otherFormsOf);
}

/** Asking the host makes texts, which takes fifty times as long. By code, up to the highest that is one unit; with the flag u and without. */
type Remembered<T> = readonly [plain: Map<number, T>, unicode: Map<number, T>];
const canonicals: Remembered<number> = [new Map(), new Map()];
const otherForms: Remembered<readonly number[]> = [new Map(), new Map()];

function remembered<T>(table: Remembered<T>, code: number, unicode: boolean, find: (code: number, unicode: boolean) => T): T {
  if (code > 0xffff) return find(code, unicode);
  const answers = table[unicode ? 1 : 0];
  let answer = answers.get(code);
  if (answer === undefined) answers.set(code, (answer = find(code, unicode)));
  return answer;
}

const none: readonly number[] = [];

function otherFormsOf(code: number, unicode: boolean): readonly number[] {
  const text = String.fromCodePoint(code);
  const forms: number[] = [];
  for (const form of [text.toLowerCase(), text.toUpperCase(), text.toUpperCase().toLowerCase()]) {
    const point = form.codePointAt(0) as number;
    if (form.length === (point > 0xffff ? 2 : 1) && canonical(point, unicode) === canonical(code, unicode)) forms.push(point);
  }
  if (unicode) {
    if (code === 0x73 || code === 0x53) forms.push(0x17f);
    if (code === 0x6b || code === 0x4b) forms.push(0x212a);
  }
  const others = forms.filter((form) => form !== code);
  return others.length === 0 ? none : others;
}
