import { filled } from "../lists.ts";
import { Match, type RegExpProgram } from "./compile.ts";
import { canonical, type CharacterSet } from "./sets.ts";

/** Called now and then with the work done, so that a pattern that never ends can be stopped: it throws. */
export type Count = (steps: number, stackSize: number) => void;

/** Start and end of each group, the whole match first; -1 for a group that did not take part. */
export type Captures = readonly number[];

const interval = 512;

/** Finds the first match at or after `from`; with `sticky` at `from` alone. Backtracks with a stack of its own. */
export function findMatch(program: RegExpProgram, text: string, from: number, sticky: boolean, count: Count): Captures | undefined {
  const matcher = new Matcher(program, text, count);
  for (let at = from; at <= text.length; at++) {
    if (!sticky && program.prefix !== "") {
      const next = text.indexOf(program.prefix, at);
      count((next === -1 ? text.length - at : next - at) >> 4, 0);
      if (next === -1) return undefined;
      at = next;
    }
    const captures = matcher.matchAt(at);
    if (captures !== undefined) return captures;
    if (sticky) return undefined;
    if (program.unicode && at < text.length && (text.codePointAt(at) as number) > 0xffff) at++;
  }
  return undefined;
}

// Kinds of entries of the stack; each entry has four numbers.
const choice = 0; // pc, position
const undo = 1; // register, old value
const range = 2; // pc, lowest position, position

class Matcher {
  private readonly program: RegExpProgram;
  private readonly text: string;
  private readonly count: Count;
  /** Captures, then where open groups began, then the counters of loops. */
  private readonly registers: number[];
  private readonly stack: number[] = [];
  private readonly opens: number;
  private readonly loops: number;
  private work = 0;

  constructor(program: RegExpProgram, text: string, count: Count) {
    this.program = program;
    this.text = text;
    this.count = count;
    this.opens = program.groups * 2;
    this.loops = this.opens + program.groups;
    this.registers = filled<number>(this.loops + program.registers, -1);
    this.work = this.registers.length >> 4;
  }

  matchAt(at: number): Captures | undefined {
    this.registers.fill(-1);
    this.work += this.registers.length >> 4;
    this.stack.length = 0;
    const end = this.run(0, at);
    this.count(this.work, 0);
    this.work = 0;
    if (end === -1) return undefined;
    return [at, end, ...this.registers.slice(2, this.opens)];
  }

  /** The position after the match, or -1. */
  private run(start: number, from: number): number {
    const { code, sets } = this.program;
    const { stack, text } = this;
    const base = stack.length;
    let pc = start;
    let at = from;
    for (;;) {
      if (++this.work >= interval) this.tell();
      let good = true;
      switch (code[pc]) {
        case Match.Char: {
          const next = this.step(at, code[pc + 2] === 1, code[pc + 1] as number, undefined);
          if (next === -1) good = false;
          else {
            at = next;
            pc += 3;
          }
          break;
        }
        case Match.Set: {
          const next = this.step(at, code[pc + 2] === 1, 0, sets[code[pc + 1] as number]);
          if (next === -1) good = false;
          else {
            at = next;
            pc += 3;
          }
          break;
        }
        case Match.Greedy: {
          const min = code[pc + 1] as number;
          const max = code[pc + 2] as number;
          const set = code[pc + 3] === Match.Set ? sets[code[pc + 4] as number] : undefined;
          const wanted = code[pc + 4] as number;
          const begin = at;
          const limit = max >= text.length - at ? text.length : at + max;
          while (at < limit && this.is(text.charCodeAt(at), wanted, set)) {
            at++;
            if (++this.work >= interval) this.tell();
          }
          if (at - begin < min) good = false;
          else {
            pc += 5;
            if (at > begin + min) stack.push(range, pc, begin + min, at);
          }
          break;
        }
        case Match.Split:
          stack.push(choice, code[pc + 1] as number, at, 0);
          pc += 2;
          break;
        case Match.Jump:
          pc = code[pc + 1] as number;
          break;
        case Match.Open:
          this.set(this.opens + (code[pc + 1] as number), at);
          pc += 2;
          break;
        case Match.Close: {
          const group = code[pc + 1] as number;
          const opened = this.registers[this.opens + group] as number;
          const back = code[pc + 2] === 1;
          this.set(group * 2, back ? at : opened);
          this.set(group * 2 + 1, back ? opened : at);
          pc += 3;
          break;
        }
        case Match.Start:
          good = at === 0 || (this.program.multiline && isLineEnd(text.charCodeAt(at - 1)));
          pc++;
          break;
        case Match.End:
          good = at === text.length || (this.program.multiline && isLineEnd(text.charCodeAt(at)));
          pc++;
          break;
        case Match.Word:
        case Match.NotWord:
          good = (this.isWord(at - 1) !== this.isWord(at)) === (code[pc] === Match.Word);
          pc++;
          break;
        case Match.Back:
        case Match.BackNamed: {
          const group = code[pc] === Match.Back ? (code[pc + 1] as number) : this.namedGroup(code[pc + 1] as number);
          const next = this.backReference(group, at, code[pc + 2] === 1);
          if (next === -1) good = false;
          else {
            at = next;
            pc += 3;
          }
          break;
        }
        case Match.Look: {
          good = this.look(pc + 3, at, code[pc + 1] === 1);
          pc = code[pc + 2] as number;
          break;
        }
        case Match.LoopStart:
          this.set(this.loops + (code[pc + 1] as number), 0);
          pc += 2;
          break;
        case Match.Loop: {
          const rounds = this.registers[this.loops + (code[pc + 1] as number)] as number;
          const exit = code[pc + 5] as number;
          if (rounds < (code[pc + 2] as number)) pc += 6;
          else if (rounds >= (code[pc + 3] as number)) pc = exit;
          else if (code[pc + 4] === 1) {
            stack.push(choice, exit, at, 0);
            pc += 6;
          } else {
            stack.push(choice, pc + 6, at, 0);
            pc = exit;
          }
          break;
        }
        case Match.LoopBody: {
          const register = this.loops + (code[pc + 1] as number);
          this.set(register, (this.registers[register] as number) + 1);
          this.set(register + 1, at);
          this.work += ((code[pc + 3] as number) - (code[pc + 2] as number)) >> 2;
          for (let group = code[pc + 2] as number; group < (code[pc + 3] as number); group++) {
            this.set(group * 2, -1);
            this.set(group * 2 + 1, -1);
          }
          pc += 4;
          break;
        }
        case Match.LoopEnd: {
          const register = this.loops + (code[pc + 1] as number);
          // A round beyond the least number that matched nothing would go on for ever.
          if (this.registers[register + 1] === at && (this.registers[register] as number) > (code[pc + 2] as number)) good = false;
          else pc = code[pc + 3] as number;
          break;
        }
        default:
          return at;
      }
      if (good) continue;
      // Back to the last choice.
      for (;;) {
        if (stack.length === base) return -1;
        const top = stack.length - 4;
        const kind = stack[top];
        if (kind === undo) {
          this.registers[stack[top + 1] as number] = stack[top + 2] as number;
          stack.length = top;
          continue;
        }
        pc = stack[top + 1] as number;
        if (kind === choice) {
          at = stack[top + 2] as number;
          stack.length = top;
        } else {
          at = (stack[top + 3] as number) - 1;
          if (at === stack[top + 2]) stack.length = top;
          else stack[top + 3] = at;
        }
        break;
      }
    }
  }

  private tell(): void {
    this.count(this.work, this.stack.length);
    this.work = 0;
  }

  private set(register: number, value: number): void {
    const old = this.registers[register] as number;
    if (old === value) return;
    this.stack.push(undo, register, old, 0);
    this.registers[register] = value;
  }

  private is(code: number, wanted: number, set: CharacterSet | undefined): boolean {
    if (set !== undefined) return set.has(code);
    return code === wanted || (this.program.ignoreCase && canonical(code, this.program.unicode) === wanted);
  }

  /** One character forwards or backwards: the position after it, or -1. */
  private step(at: number, back: boolean, wanted: number, set: CharacterSet | undefined): number {
    const { text } = this;
    if (back ? at === 0 : at >= text.length) return -1;
    if (!this.program.unicode) {
      const position = back ? at - 1 : at;
      return this.is(text.charCodeAt(position), wanted, set) ? (back ? at - 1 : at + 1) : -1;
    }
    let position = back ? at - 1 : at;
    if (back && position > 0 && isLow(text.charCodeAt(position)) && isHigh(text.charCodeAt(position - 1))) position--;
    const code = text.codePointAt(position) as number;
    if (!this.is(code, wanted, set)) return -1;
    return back ? position : at + (code > 0xffff ? 2 : 1);
  }

  private isWord(at: number): boolean {
    if (at < 0 || at >= this.text.length) return false;
    const code = this.text.charCodeAt(at);
    if ((code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)) return true;
    return this.program.unicode && this.program.ignoreCase && (code === 0x17f || code === 0x212a);
  }

  private namedGroup(list: number): number {
    const groups = this.program.nameLists[list] as readonly number[];
    return groups.find((group) => this.registers[group * 2] !== -1) ?? (groups[0] as number);
  }

  private backReference(group: number, at: number, back: boolean): number {
    const start = this.registers[group * 2] as number;
    const end = this.registers[group * 2 + 1] as number;
    if (start === -1 || end === -1) return at;
    const length = end - start;
    const from = back ? at - length : at;
    if (from < 0 || from + length > this.text.length) return -1;
    for (let offset = 0; offset < length; offset++) {
      if (++this.work >= interval) this.tell();
      const a = this.text.charCodeAt(start + offset);
      const b = this.text.charCodeAt(from + offset);
      if (a === b) continue;
      if (!this.program.ignoreCase || canonical(a, this.program.unicode) !== canonical(b, this.program.unicode)) return -1;
    }
    return back ? from : at + length;
  }

  /** Looks ahead or behind. What it captures stays, unless it is negated; how it matched is not tried again. */
  private look(pc: number, at: number, negated: boolean): boolean {
    const before = this.registers.slice();
    this.work += before.length >> 2;
    const size = this.stack.length;
    const found = this.run(pc, at) !== -1;
    this.stack.length = size;
    if (!found || negated) {
      for (let index = 0; index < before.length; index++) this.registers[index] = before[index] as number;
      return found !== negated;
    }
    for (let index = 0; index < before.length; index++) {
      const old = before[index] as number;
      if (old !== this.registers[index]) this.stack.push(undo, index, old, 0);
    }
    return true;
  }
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
