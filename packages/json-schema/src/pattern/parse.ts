import { refusePattern } from "./check-text.ts";
import { type CharSet, charSet, complementOf, digits, lineEnds, propertySet, spaces, unionOf, wordCharacters } from "./charset.ts";

/** A regular expression as a tree. Captures and laziness are gone: neither can change whether a text matches. */
export type Regex =
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "sequence"; readonly items: readonly Regex[] }
  | { readonly kind: "choice"; readonly options: readonly Regex[] }
  | { readonly kind: "repeat"; readonly item: Regex; readonly min: number; readonly max: number }
  | { readonly kind: "assert"; readonly at: "start" | "end" | "word" | "notWord" }
  | { readonly kind: "look"; readonly ahead: boolean; readonly wanted: boolean; readonly item: Regex };

/**
 * Reads a pattern with the meaning it has under flag `u`, and also the spellings that only the lenient grammar knows
 * (`\-` outside a class, a lone brace). Contract: `source` is a valid RegExp with or without flag `u`.
 */
export function parseRegex(source: string): Regex {
  return new RegexParser(source).choice(0);
}

/** Whether the predicate holds for the tree or a part of it. */
export function someRegex(regex: Regex, predicate: (part: Regex) => boolean): boolean {
  if (predicate(regex)) return true;
  switch (regex.kind) {
    case "sequence":
      return regex.items.some((item) => someRegex(item, predicate));
    case "choice":
      return regex.options.some((option) => someRegex(option, predicate));
    case "repeat":
    case "look":
      return someRegex(regex.item, predicate);
    default:
      return false;
  }
}

const maxDepth = 100;
const maxProperties = 10;
const groupStart = /\((?:\?(?:(?<look><?[=!])|<[^>]*>|:|(?<flags>[^]?)))?/uy;
const quantifier = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/uy;
const escape =
  /\\(?:u\{([\da-fA-F]+)\}|u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|u([\da-fA-F]{4})|x([\da-fA-F]{2})|c([a-zA-Z])|([pP])\{([^}]*)\}|([^]))/uy;
const controls: ReadonlyMap<string, number> = new Map([
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
  ["0", 0],
]);
const classes: ReadonlyMap<string, CharSet> = new Map([
  ["d", digits],
  ["D", complementOf(digits)],
  ["w", wordCharacters],
  ["W", complementOf(wordCharacters)],
  ["s", spaces],
  ["S", complementOf(spaces)],
]);
const anchorsElsewhere: ReadonlyMap<string, string> = new Map([
  ["A", "^"],
  ["Z", "$"],
  ["z", "$"],
]);

class RegexParser {
  private readonly source: string;
  private at = 0;
  private properties = 0;

  constructor(source: string) {
    this.source = source;
  }

  choice(depth: number): Regex {
    if (depth > maxDepth) refusePattern(this.source, `its groups are nested more than ${maxDepth} deep`, "Write it with fewer groups.");
    const options = [this.sequence(depth)];
    while (this.source[this.at] === "|") {
      this.at++;
      options.push(this.sequence(depth));
    }
    return options.length === 1 ? options[0]! : { kind: "choice", options };
  }

  private sequence(depth: number): Regex {
    const items: Regex[] = [];
    while (this.at < this.source.length && this.source[this.at] !== "|" && this.source[this.at] !== ")") {
      items.push(this.quantified(this.atom(depth)));
    }
    return items.length === 1 ? items[0]! : { kind: "sequence", items };
  }

  private quantified(item: Regex): Regex {
    const match = this.take(quantifier);
    if (match === null) return item;
    const [, sign, least, comma, most] = match;
    if (sign !== undefined) return { kind: "repeat", item, min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Infinity };
    const min = Number(least);
    return { kind: "repeat", item, min, max: comma === undefined ? min : most === "" ? Infinity : Number(most) };
  }

  private atom(depth: number): Regex {
    switch (this.source[this.at]) {
      case "^":
        this.at++;
        return { kind: "assert", at: "start" };
      case "$":
        this.at++;
        return { kind: "assert", at: "end" };
      case "(":
        return this.group(depth);
      case ".":
        this.at++;
        return { kind: "set", set: complementOf(lineEnds) };
      case "[":
        return { kind: "set", set: this.class() };
      case "\\":
        if (this.source[this.at + 1] === "b" || this.source[this.at + 1] === "B") {
          this.at += 2;
          return { kind: "assert", at: this.source[this.at - 1] === "b" ? "word" : "notWord" };
        }
        return { kind: "set", set: this.escape() };
      default:
        return { kind: "set", set: charSet(this.codePoint()) };
    }
  }

  private group(depth: number): Regex {
    const { look, flags } = this.take(groupStart)!.groups!;
    if (flags !== undefined)
      refusePattern(this.source, "it has inline flags", "Write both cases out, as in [Aa], and leave the flags away.");
    const item = this.choice(depth + 1);
    this.at++; // the closing parenthesis
    return look === undefined ? item : { kind: "look", ahead: !look.startsWith("<"), wanted: look.endsWith("="), item };
  }

  private class(): CharSet {
    const negated = this.source[this.at + 1] === "^";
    this.at += negated ? 2 : 1;
    const sets: CharSet[] = [];
    while (this.source[this.at] !== "]") {
      const from = this.classMember();
      if (this.source[this.at] !== "-" || this.source[this.at + 1] === "]") {
        sets.push(from);
        continue;
      }
      this.at++;
      const to = this.classMember();
      if (isSingle(from) && isSingle(to)) sets.push(charSet(from[0]!, to[0]!));
      else sets.push(from, to, charSet(45)); // [\w-.] is lenient for the three of them
    }
    this.at++;
    const union = unionOf(sets);
    return negated ? complementOf(union) : union;
  }

  private classMember(): CharSet {
    if (this.source[this.at] !== "\\") return charSet(this.codePoint());
    if (this.source[this.at + 1] !== "b") return this.escape();
    this.at += 2;
    return charSet(8);
  }

  private escape(): CharSet {
    const [text, braced, lead, trail, unit, byte, control, property, name, letter] = this.take(escape)!;
    const hex = braced ?? unit ?? byte;
    if (hex !== undefined) return charSet(Number.parseInt(hex, 16));
    if (lead !== undefined) return charSet((Number.parseInt(lead, 16) - 0xd800) * 0x400 + Number.parseInt(trail!, 16) - 0xdc00 + 0x10000);
    if (control !== undefined) return charSet(control.charCodeAt(0) % 32);
    if (property !== undefined) {
      if (++this.properties > maxProperties)
        refusePattern(this.source, `it has more than ${maxProperties} Unicode properties`, "Use fewer.");
      const set =
        propertySet(name!) ?? refusePattern(this.source, `${text} is no Unicode property`, "Use one such as \\p{L} or \\p{Script=Greek}.");
      return property === "p" ? set : complementOf(set);
    }
    const set = classes.get(letter!);
    if (set !== undefined) return set;
    if (letter === "0" && /\d/.test(this.source[this.at] ?? "")) {
      refusePattern(this.source, `it has an octal escape, ${text}${this.source[this.at]}`, "Write \\x and two hexadecimal digits.");
    }
    if (controls.has(letter!)) return charSet(controls.get(letter!)!);
    if (/[1-9k]/.test(letter!)) {
      refusePattern(
        this.source,
        `it has the backreference ${text}`,
        "Backreferences cannot be checked in linear time: write the repeated part out.",
      );
    }
    if (/[a-zA-Z]/.test(letter!)) {
      const anchor = anchorsElsewhere.get(letter!);
      refusePattern(
        this.source,
        `${text} means nothing in ECMA-262`,
        anchor === undefined ? "Write the character itself, or its \\u escape." : `Write ${anchor} instead.`,
      );
    }
    return charSet(letter!.codePointAt(0)!);
  }

  private codePoint(): number {
    const code = this.source.codePointAt(this.at)!;
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  private take(expected: RegExp): RegExpExecArray | null {
    expected.lastIndex = this.at;
    const match = expected.exec(this.source);
    if (match !== null) this.at = expected.lastIndex;
    return match;
  }
}

function isSingle(set: CharSet): boolean {
  return set.length === 2 && set[0] === set[1];
}
