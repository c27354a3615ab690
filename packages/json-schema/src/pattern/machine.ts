import { type CharSet, contains, wordCharacters } from "./charset.ts";
import type { Regex } from "./parse.ts";

/**
 * Answers in time linear in the text, whatever the pattern: all ways through it are followed at once, character by character.
 * A lookahead is answered for every place of the text in one walk from its end, a lookbehind in one from its beginning.
 */
export interface Machine {
  test(text: string): boolean;
}

/** Contract: the pattern was measured before, because its counted repeats are written out. */
export function createMachine(regex: Regex): Machine {
  const looks: Walk[] = [];
  const main = new Builder(looks).walk(regex, false);
  return {
    test(text) {
      const answers: Uint8Array[] = [];
      for (const look of looks) {
        const marks = new Uint8Array(text.length + 1);
        look.run(text, answers, marks);
        answers.push(marks);
      }
      return main.run(text, answers);
    },
  };
}

type Step =
  | { readonly op: "read"; readonly ascii: Uint8Array; readonly set: CharSet; readonly next: number }
  | { readonly op: "fork"; next: number; readonly other: number }
  | { readonly op: "assert"; readonly at: "start" | "end" | "word" | "notWord"; readonly next: number }
  | { readonly op: "look"; readonly index: number; readonly wanted: boolean; readonly next: number }
  | { readonly op: "accept" };

class Builder {
  private readonly looks: Walk[];
  private readonly lookIndexes = new Map<Regex, number>();

  constructor(looks: Walk[]) {
    this.looks = looks;
  }

  walk(regex: Regex, backwards: boolean): Walk {
    const steps: Step[] = [{ op: "accept" }];
    const start = this.build(regex, 0, steps, backwards);
    return new Walk(steps, start, backwards);
  }

  /** Adds the steps of `regex` that go on at step `next`, and returns the first of them. */
  private build(regex: Regex, next: number, steps: Step[], backwards: boolean): number {
    const add = (step: Step): number => steps.push(step) - 1;
    switch (regex.kind) {
      case "set":
        return add({ op: "read", set: regex.set, ascii: asciiTable(regex.set), next });
      case "assert":
        return add({ op: "assert", at: regex.at, next });
      case "look":
        return add({ op: "look", index: this.lookIndex(regex), wanted: regex.wanted, next });
      case "sequence": {
        const items = backwards ? regex.items : regex.items.toReversed();
        return items.reduce((after, item) => this.build(item, after, steps, backwards), next);
      }
      case "choice":
        return regex.options
          .map((option) => this.build(option, next, steps, backwards))
          .reduce((first, other) => add({ op: "fork", next: first, other }));
      case "repeat": {
        let entry = next;
        if (regex.max === Infinity) {
          const fork: Step = { op: "fork", next: 0, other: next };
          entry = add(fork);
          fork.next = this.build(regex.item, entry, steps, backwards);
        } else {
          for (let count = regex.min; count < regex.max; count++) {
            entry = add({ op: "fork", next: this.build(regex.item, entry, steps, backwards), other: next });
          }
        }
        for (let count = 0; count < regex.min; count++) entry = this.build(regex.item, entry, steps, backwards);
        return entry;
      }
    }
  }

  private lookIndex(look: Regex & { kind: "look" }): number {
    const known = this.lookIndexes.get(look);
    if (known !== undefined) return known;
    const walk = this.walk(look.item, look.ahead); // adds the looks inside it first
    const index = this.looks.push(walk) - 1;
    this.lookIndexes.set(look, index);
    return index;
  }
}

/** One program, walked over the text in one direction, beginning anew at every place of it. */
class Walk {
  private readonly steps: readonly Step[];
  private readonly start: number;
  private readonly backwards: boolean;
  private readonly seen: Float64Array;
  private readonly pending: number[] = [];
  private round = 0;
  private readers: number[] = [];
  private nextReaders: number[] = [];

  constructor(steps: readonly Step[], start: number, backwards: boolean) {
    this.steps = steps;
    this.start = start;
    this.backwards = backwards;
    this.seen = new Float64Array(steps.length);
  }

  /** With `marks`, marks every place where the end of the pattern is reached; without, stops at the first. */
  run(text: string, answers: readonly Uint8Array[], marks?: Uint8Array): boolean {
    const { steps, backwards } = this;
    const end = backwards ? 0 : text.length;
    let at = backwards ? text.length : 0;
    let reached = false;
    this.nextReaders.length = 0;
    this.round++;
    for (;;) {
      if (this.follow(this.start, text, at, answers)) reached = true;
      if (reached) {
        if (marks === undefined) return true;
        marks[at] = 1;
        reached = false;
      }
      if (at === end) return false;
      const code = backwards ? codePointBefore(text, at) : text.codePointAt(at)!;
      const width = code > 0xffff ? 2 : 1;
      at += backwards ? -width : width;
      [this.readers, this.nextReaders] = [this.nextReaders, this.readers];
      this.nextReaders.length = 0;
      this.round++;
      for (const reader of this.readers) {
        const step = steps[reader] as Step & { op: "read" };
        if (code < 128 ? step.ascii[code] === 1 : contains(step.set, code)) {
          if (this.follow(step.next, text, at, answers)) reached = true;
        }
      }
    }
  }

  /** Goes from a step as far as it can without reading. Returns whether that reaches the end of the pattern. */
  private follow(from: number, text: string, at: number, answers: readonly Uint8Array[]): boolean {
    const { steps, seen, pending, round } = this;
    let reached = false;
    pending.push(from);
    while (pending.length > 0) {
      const index = pending.pop()!;
      if (seen[index] === round) continue;
      seen[index] = round;
      const step = steps[index]!;
      switch (step.op) {
        case "read":
          this.nextReaders.push(index);
          break;
        case "fork":
          pending.push(step.other, step.next);
          break;
        case "assert":
          if (holds(step.at, text, at)) pending.push(step.next);
          break;
        case "look":
          if ((answers[step.index]![at] === 1) === step.wanted) pending.push(step.next);
          break;
        case "accept":
          reached = true;
      }
    }
    return reached;
  }
}

function holds(assertion: "start" | "end" | "word" | "notWord", text: string, at: number): boolean {
  if (assertion === "start") return at === 0;
  if (assertion === "end") return at === text.length;
  return (isWordAt(text, at - 1) !== isWordAt(text, at)) === (assertion === "word");
}

function isWordAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && contains(wordCharacters, text.charCodeAt(at));
}

function codePointBefore(text: string, at: number): number {
  const pair = at > 1 ? text.codePointAt(at - 2)! : 0;
  return pair > 0xffff ? pair : text.charCodeAt(at - 1);
}

const asciiTables = new WeakMap<CharSet, Uint8Array>();

/** Copies of a counted part share a set, and so its table. */
function asciiTable(set: CharSet): Uint8Array {
  const known = asciiTables.get(set);
  if (known !== undefined) return known;
  const table = Uint8Array.from({ length: 128 }, (_, code) => (contains(set, code) ? 1 : 0));
  asciiTables.set(set, table);
  return table;
}
