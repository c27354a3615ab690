import { append } from "../lists.ts";
import { complement, createSet, digits, spaces, words, type CharacterSet } from "./sets.ts";
import type { RegExpNode } from "./tree.ts";

export interface ParsedRegExp {
  readonly root: RegExpNode;
  /** Groups that capture, the whole match included. */
  readonly groups: number;
  /** Name → the groups that have it. */
  readonly names: ReadonlyMap<string, readonly number[]>;
}

type Range = readonly [number, number];

/** Parses a pattern that is known to be valid. */
export function parseRegExp(source: string, flags: string): ParsedRegExp {
  return new PatternParser(source, flags).parse();
}

class PatternParser {
  private at = 0;
  private groups = 1;
  private depth = 0;
  private readonly names = new Map<string, number[]>();
  private readonly source: string;
  private readonly unicode: boolean;
  private readonly ignoreCase: boolean;
  private readonly dotAll: boolean;
  private readonly total: number;
  private readonly named: boolean;

  constructor(source: string, flags: string) {
    this.source = source;
    this.unicode = flags.includes("u");
    this.ignoreCase = flags.includes("i");
    this.dotAll = flags.includes("s");
    const { total, named } = countGroups(source);
    this.total = total;
    this.named = named;
  }

  parse(): ParsedRegExp {
    const root = this.choice();
    return { root, groups: this.groups, names: this.names };
  }

  private choice(): RegExpNode {
    if (++this.depth > 200) throw new RangeError("nested too deeply");
    const options = [this.sequence()];
    while (this.source[this.at] === "|") {
      this.at++;
      options.push(this.sequence());
    }
    this.depth--;
    return options.length === 1 ? (options[0] as RegExpNode) : { type: "choice", options };
  }

  private sequence(): RegExpNode {
    const items: RegExpNode[] = [];
    while (this.at < this.source.length && this.source[this.at] !== "|" && this.source[this.at] !== ")") {
      const firstGroup = this.groups;
      items.push(this.repeated(this.term(), firstGroup));
    }
    return items.length === 1 ? (items[0] as RegExpNode) : { type: "sequence", items };
  }

  private repeated(body: RegExpNode, firstGroup: number): RegExpNode {
    const match = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})(\??)/.exec(this.source.slice(this.at, this.at + 64));
    if (match === null) return body;
    this.at += match[0].length;
    const sign = match[0][0];
    let min = sign === "+" ? 1 : 0;
    let max = sign === "?" ? 1 : Infinity;
    if (sign === "{") {
      min = Math.min(Number(match[1]), 1e9);
      max = match[2] === undefined ? min : match[3] === "" ? Infinity : Number(match[3]);
    }
    return { type: "repeat", min, max, greedy: match[4] === "", body, firstGroup, lastGroup: this.groups };
  }

  private term(): RegExpNode {
    const code = this.read();
    switch (code) {
      case 94: // ^
        return { type: "start" };
      case 36: // $
        return { type: "end" };
      case 46: // .
        return {
          type: "set",
          set: this.dotAll ? { has: () => true } : { has: (c) => c !== 10 && c !== 13 && c !== 0x2028 && c !== 0x2029 },
        };
      case 40: // (
        return this.group();
      case 91: // [
        return { type: "set", set: this.characterClass() };
      case 92: // \
        return this.escape();
      default:
        return { type: "char", code };
    }
  }

  private read(): number {
    const code = this.unicode ? (this.source.codePointAt(this.at) as number) : this.source.charCodeAt(this.at);
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  private group(): RegExpNode {
    const rest = this.source.slice(this.at, this.at + 3);
    let node: RegExpNode;
    const look = /^\?(<?)([=!])/.exec(rest);
    if (look !== null) {
      this.at += look[0].length;
      node = { type: "look", behind: look[1] === "<", negated: look[2] === "!", body: this.choice() };
    } else if (rest.startsWith("?:")) {
      this.at += 2;
      node = this.choice();
    } else {
      const index = this.groups++;
      if (rest.startsWith("?<")) {
        this.at += 2;
        const name = this.groupName();
        this.names.set(name, [...(this.names.get(name) ?? []), index]);
      }
      node = { type: "group", index, body: this.choice() };
    }
    this.at++; // )
    return node;
  }

  private groupName(): string {
    const end = this.source.indexOf(">", this.at);
    const name = this.source
      .slice(this.at, end)
      .replace(/\\u(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{4}))/g, (_all, long?: string, short?: string) =>
        long === undefined ? String.fromCharCode(Number.parseInt(short as string, 16)) : String.fromCodePoint(Number.parseInt(long, 16)),
      );
    this.at = end + 1;
    return name;
  }

  private escape(): RegExpNode {
    const next = this.source[this.at] as string;
    if (next === "b" || next === "B") {
      this.at++;
      return { type: next === "b" ? "word" : "notWord" };
    }
    if (next === "k" && (this.named || this.unicode)) {
      this.at += 2;
      return { type: "backNamed", name: this.groupName() };
    }
    if (next >= "1" && next <= "9") {
      const number = /^\d+/.exec(this.source.slice(this.at, this.at + 10))?.[0] as string;
      if (this.unicode || Number(number) < this.total) {
        this.at += number.length;
        return { type: "back", index: Number(number) };
      }
    }
    const set = this.setEscape();
    if (set !== undefined) return { type: "set", set: createSet({ ...set, negated: false }, this.ignoreCase, this.unicode) };
    return { type: "char", code: this.characterEscape() };
  }

  /** `\d`, `\p{L}` and the like, in a class or alone. */
  private setEscape(): { ranges: readonly Range[]; properties: readonly string[] } | undefined {
    const next = this.source[this.at] as string;
    const ranges = { d: digits, w: words, s: spaces }[next.toLowerCase()];
    if (ranges !== undefined) {
      this.at++;
      return { ranges: next === next.toLowerCase() ? ranges : complement(ranges), properties: [] };
    }
    if (this.unicode && (next === "p" || next === "P")) {
      const end = this.source.indexOf("}", this.at);
      const property = `\\${this.source.slice(this.at, end + 1)}`;
      this.at = end + 1;
      return { ranges: [], properties: [property] };
    }
    return undefined;
  }

  private characterEscape(): number {
    const next = this.source[this.at] as string;
    const simple = { n: 10, r: 13, t: 9, v: 11, f: 12 }[next];
    if (simple !== undefined) {
      this.at++;
      return simple;
    }
    const rest = this.source.slice(this.at, this.at + 14);
    const hex =
      /^x([0-9a-fA-F]{2})/.exec(rest) ?? /^u([0-9a-fA-F]{4})/.exec(rest) ?? (this.unicode ? /^u\{([0-9a-fA-F]+)\}/.exec(rest) : null);
    if (hex !== null) {
      this.at += hex[0].length;
      const code = Number.parseInt(hex[1] as string, 16);
      if (this.unicode && code >= 0xd800 && code <= 0xdbff) {
        const low = /^\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(this.source.slice(this.at, this.at + 6));
        if (low !== null) {
          this.at += 6;
          return (code - 0xd800) * 0x400 + (Number.parseInt(low[1] as string, 16) - 0xdc00) + 0x10000;
        }
      }
      return code;
    }
    const control = /^c([a-zA-Z])/.exec(rest);
    if (control !== null) {
      this.at += 2;
      return (control[1] as string).charCodeAt(0) % 32;
    }
    if (next === "c" && !this.unicode) return 92; // a backslash stands for itself there
    const octal = this.unicode ? /^0/.exec(rest) : /^(?:[0-3][0-7]{0,2}|[4-7][0-7]?)/.exec(rest);
    if (octal !== null) {
      this.at += octal[0].length;
      return Number.parseInt(octal[0], 8);
    }
    return this.read();
  }

  private characterClass(): CharacterSet {
    const negated = this.source[this.at] === "^";
    if (negated) this.at++;
    const ranges: Range[] = [];
    const properties: string[] = [];
    while (this.source[this.at] !== "]") {
      const from = this.classAtom(ranges, properties);
      if (this.source[this.at] === "-" && this.source[this.at + 1] !== "]" && this.at + 1 < this.source.length) {
        this.at++;
        const to = this.classAtom(ranges, properties);
        if (from !== undefined && to !== undefined) ranges.push([from, to]);
        else {
          ranges.push([45, 45]);
          for (const single of [from, to]) if (single !== undefined) ranges.push([single, single]);
        }
      } else if (from !== undefined) ranges.push([from, from]);
    }
    this.at++;
    return createSet({ ranges, properties, negated }, this.ignoreCase, this.unicode);
  }

  /** A single character, or undefined when it was a set, which is added. */
  private classAtom(ranges: Range[], properties: string[]): number | undefined {
    const code = this.read();
    if (code !== 92) return code;
    const next = this.source[this.at] as string;
    if (next === "b") {
      this.at++;
      return 8;
    }
    if (next === "-" && this.unicode) {
      this.at++;
      return 45;
    }
    const set = this.setEscape();
    if (set === undefined) return this.characterEscape();
    append(ranges, set.ranges);
    append(properties, set.properties);
    return undefined;
  }
}

function countGroups(source: string): { total: number; named: boolean } {
  let total = 1;
  let named = false;
  let inClass = false;
  for (let at = 0; at < source.length; at++) {
    const character = source[at];
    if (character === "\\") at++;
    else if (character === "[") inClass = true;
    else if (character === "]") inClass = false;
    else if (character === "(" && !inClass) {
      const isNamed = /^\?<[^=!]/.test(source.slice(at + 1, at + 4));
      if (isNamed) named = true;
      if (source[at + 1] !== "?" || isNamed) total++;
    }
  }
  return { total, named };
}
