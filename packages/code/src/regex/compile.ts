import { parseRegExp } from "./parse.ts";
import { canonical, type CharacterSet } from "./sets.ts";
import type { RegExpNode } from "./tree.ts";

/** Instructions of the matcher. `back`: whether it goes from right to left, inside of a lookbehind. */
export const Match = {
  Char: 0, // code, back
  Set: 1, // index, back
  Split: 2, // other way
  Jump: 3,
  Open: 4, // group
  Close: 5, // group, back
  Start: 6,
  End: 7,
  Word: 8,
  NotWord: 9,
  Back: 10, // group, back
  BackNamed: 11, // index of the groups, back
  Look: 12, // negated, after it
  LoopStart: 13, // register
  Loop: 14, // register, min, max, greedy, exit
  LoopBody: 15, // register, first group, last group
  LoopEnd: 16, // register, min, start
  Greedy: 17, // min, max, kind of what follows, its operand
  Accept: 18,
} as const;

export interface RegExpProgram {
  readonly code: Int32Array;
  readonly sets: readonly CharacterSet[];
  readonly groups: number;
  readonly registers: number;
  readonly names: ReadonlyMap<string, readonly number[]>;
  readonly nameLists: readonly (readonly number[])[];
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly unicode: boolean;
  /** Every match begins with this text. Short: the host's own search may take the product of both lengths. */
  readonly prefix: string;
}

const unlimited = 0x7fffffff;
const longestPrefix = 16;

/** Compiles a pattern. Throws a SyntaxError that says what is wrong with it. */
export function compileRegExp(source: string, flags: string): RegExpProgram {
  // Only checks the syntax: nothing is ever matched with it.
  void new RegExp(source, flags);
  const parsed = parseRegExp(source, flags);
  const compiler = new PatternCompiler(flags, parsed.names);
  compiler.node(parsed.root, false);
  compiler.code.push(Match.Accept);
  return {
    code: Int32Array.from(compiler.code),
    sets: compiler.sets,
    groups: parsed.groups,
    registers: compiler.registers,
    names: parsed.names,
    nameLists: compiler.nameLists,
    ignoreCase: flags.includes("i"),
    multiline: flags.includes("m"),
    unicode: flags.includes("u"),
    prefix: flags.includes("i") ? "" : prefixOf(parsed.root),
  };
}

function prefixOf(node: RegExpNode): string {
  if (node.type === "char") return String.fromCodePoint(node.code);
  if (node.type !== "sequence") return "";
  let prefix = "";
  for (const item of node.items) {
    if (item.type !== "char" || prefix.length >= longestPrefix) break;
    prefix += String.fromCodePoint(item.code);
  }
  return prefix;
}

class PatternCompiler {
  readonly code: number[] = [];
  readonly sets: CharacterSet[] = [];
  readonly nameLists: (readonly number[])[] = [];
  registers = 0;
  private readonly ignoreCase: boolean;
  private readonly unicode: boolean;
  private readonly names: ReadonlyMap<string, readonly number[]>;

  constructor(flags: string, names: ReadonlyMap<string, readonly number[]>) {
    this.ignoreCase = flags.includes("i");
    this.unicode = flags.includes("u");
    this.names = names;
  }

  node(node: RegExpNode, back: boolean): void {
    const { code } = this;
    switch (node.type) {
      case "char":
        code.push(Match.Char, this.character(node.code), Number(back));
        return;
      case "set":
        code.push(Match.Set, this.sets.push(node.set) - 1, Number(back));
        return;
      case "sequence":
        for (const item of back ? node.items.toReversed() : node.items) this.node(item, back);
        return;
      case "choice":
        return this.choice(node.options, back);
      case "group":
        code.push(Match.Open, node.index);
        this.node(node.body, back);
        code.push(Match.Close, node.index, Number(back));
        return;
      case "back":
        code.push(Match.Back, node.index, Number(back));
        return;
      case "backNamed":
        code.push(Match.BackNamed, this.nameLists.push(this.names.get(node.name) ?? []) - 1, Number(back));
        return;
      case "start":
        code.push(Match.Start);
        return;
      case "end":
        code.push(Match.End);
        return;
      case "word":
        code.push(Match.Word);
        return;
      case "notWord":
        code.push(Match.NotWord);
        return;
      case "look": {
        code.push(Match.Look, Number(node.negated), 0);
        const after = code.length - 1;
        this.node(node.body, node.behind);
        code.push(Match.Accept);
        code[after] = code.length;
        return;
      }
      case "repeat":
        return this.repeat(node, back);
    }
  }

  private character(code: number): number {
    return this.ignoreCase ? canonical(code, this.unicode) : code;
  }

  private choice(options: readonly RegExpNode[], back: boolean): void {
    const ends: number[] = [];
    options.forEach((option, index) => {
      const last = index === options.length - 1;
      let split = -1;
      if (!last) {
        this.code.push(Match.Split, 0);
        split = this.code.length - 1;
      }
      this.node(option, back);
      if (last) return;
      this.code.push(Match.Jump, 0);
      ends.push(this.code.length - 1);
      this.code[split] = this.code.length;
    });
    for (const at of ends) this.code[at] = this.code.length;
  }

  private repeat(node: Extract<RegExpNode, { type: "repeat" }>, back: boolean): void {
    const { code } = this;
    const max = Number.isFinite(node.max) ? Math.min(node.max, unlimited) : unlimited;
    if (node.greedy && !back && !this.unicode && (node.body.type === "char" || node.body.type === "set")) {
      const isChar = node.body.type === "char";
      code.push(
        Match.Greedy,
        node.min,
        max,
        isChar ? Match.Char : Match.Set,
        isChar ? this.character(node.body.code) : this.sets.push(node.body.set) - 1,
      );
      return;
    }
    const register = this.registers;
    this.registers += 2;
    code.push(Match.LoopStart, register);
    const loop = code.length;
    code.push(Match.Loop, register, node.min, max, Number(node.greedy), 0);
    const exit = code.length - 1;
    code.push(Match.LoopBody, register, node.firstGroup, node.lastGroup);
    this.node(node.body, back);
    code.push(Match.LoopEnd, register, node.min, loop);
    code[exit] = code.length;
  }
}
