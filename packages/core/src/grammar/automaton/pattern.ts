import { complementOf, contains, type Regex, sizeOf, someRegex, wordCharacters } from "@toolrack/json-schema/internal";
import type { Expression, Expressions } from "./expression.ts";

const maxSteps = 4_000;
const maxCopiesOfLooks = 16;

/** What comes before the current position; `unknown` only where no assertion needs it. */
type Before = "start" | "word" | "other" | "unknown";

/**
 * The texts that a pattern matches, anchored or not. Undefined if the pattern is too large or contains what an expression cannot express:
 * a lookbehind, or an assertion under an unbounded repeat.
 */
export function patternExpression(expressions: Expressions, regex: Regex): Expression | undefined {
  if (sizeOf(regex).steps > maxSteps) return undefined;
  try {
    return new PatternReader(expressions).search(regex);
  } catch (error) {
    if (error instanceof Unsayable || error instanceof RangeError) return undefined;
    throw error;
  }
}

class Unsayable extends Error {}

class PatternReader {
  private readonly make: Expressions;

  constructor(expressions: Expressions) {
    this.make = expressions;
  }

  search(regex: Regex): Expression {
    const { make } = this;
    const end = (): Expression => make.all;
    const fromStart = this.read(regex, end, "start");
    const asksForWords = someRegex(regex, (part) => part.kind === "assert" && (part.at === "word" || part.at === "notWord"));
    if (!asksForWords) return make.or(fromStart, make.then(make.any, make.all, this.read(regex, end, "unknown")));
    const later = (["word", "other"] as const).map((before) => {
      const set = before === "word" ? wordCharacters : complementOf(wordCharacters);
      return make.then(make.all, make.set(set), this.read(regex, end, before));
    });
    return make.or(fromStart, ...later);
  }

  /** Texts that begin with `regex` and continue with `next`: assertions apply to the whole of it. */
  private read(regex: Regex, next: (before: Before) => Expression, before: Before): Expression {
    const { make } = this;
    if (isPlain(regex)) return make.then(this.plain(regex), next(beforeNext(regex, before)));
    switch (regex.kind) {
      case "assert":
        return this.assertion(regex.at, next(before), before);
      case "look": {
        if (!regex.ahead) throw new Unsayable();
        const seen = this.read(regex.item, () => make.all, before);
        return make.and(regex.wanted ? seen : make.not(seen), next(before));
      }
      case "choice":
        return make.or(...regex.options.map((option) => this.read(option, next, before)));
      case "sequence":
        return this.sequence(regex.items, next, before);
      case "repeat": {
        if (regex.max > maxCopiesOfLooks) throw new Unsayable();
        const copies = Array.from({ length: regex.max }, () => regex.item);
        const lengths = Array.from({ length: regex.max - regex.min + 1 }, (_, index) => copies.slice(0, regex.min + index));
        return make.or(...lengths.map((items) => this.sequence(items, next, before)));
      }
      case "set":
        return make.then(this.plain(regex), next(beforeNext(regex, before)));
    }
  }

  /** Each position of the sequence is read once per kind of predecessor, so that choices in a row do not multiply. */
  private sequence(items: readonly Regex[], next: (before: Before) => Expression, before: Before): Expression {
    const known = new Map<string, Expression>();
    const from = (index: number, at: Before): Expression => {
      if (index === items.length) return next(at);
      const key = `${index} ${at}`;
      let rest = known.get(key);
      if (rest === undefined) known.set(key, (rest = this.read(items[index]!, (after) => from(index + 1, after), at)));
      return rest;
    };
    return from(0, before);
  }

  private assertion(at: "start" | "end" | "word" | "notWord", rest: Expression, before: Before): Expression {
    const { make } = this;
    if (at === "start") return before === "start" ? rest : make.none;
    if (at === "end") return make.and(make.empty, rest);
    if (before === "unknown") throw new Unsayable();
    const wordFollows = make.then(make.set(wordCharacters), make.all);
    const isBoundaryIfWordFollows = before !== "word";
    const wanted = isBoundaryIfWordFollows === (at === "word") ? wordFollows : make.not(wordFollows);
    return make.and(wanted, rest);
  }

  private plain(regex: Regex): Expression {
    const { make } = this;
    switch (regex.kind) {
      case "set":
        return make.set(regex.set);
      case "sequence":
        return make.then(...regex.items.map((item) => this.plain(item)));
      case "choice":
        return make.or(...regex.options.map((option) => this.plain(option)));
      case "repeat":
        return make.repeat(this.plain(regex.item), regex.min, regex.max);
      default:
        throw new Unsayable();
    }
  }
}

function isPlain(regex: Regex): boolean {
  return !someRegex(regex, (part) => part.kind === "assert" || part.kind === "look");
}

/** What was read last: after /\w+/ a word character, after /-/ another character, after /a?/ possibly nothing. */
function beforeNext(regex: Regex, before: Before): Before {
  const ends = lastSets(regex);
  const kinds = new Set<Before>(ends.kinds);
  if (ends.nullable) kinds.add(before);
  return kinds.size === 1 ? [...kinds][0]! : "unknown";
}

function lastSets(regex: Regex): { readonly nullable: boolean; readonly kinds: readonly Before[] } {
  switch (regex.kind) {
    case "set": {
      const word = regex.set.every((code) => contains(wordCharacters, code)) && isWithinWords(regex.set);
      const other = regex.set.every((code) => !contains(wordCharacters, code)) && !coversWords(regex.set);
      return { nullable: false, kinds: [word ? "word" : other ? "other" : "unknown"] };
    }
    case "sequence": {
      const kinds: Before[] = [];
      for (const item of regex.items.toReversed()) {
        const last = lastSets(item);
        kinds.push(...last.kinds);
        if (!last.nullable) return { nullable: false, kinds };
      }
      return { nullable: true, kinds };
    }
    case "choice": {
      const options = regex.options.map(lastSets);
      return { nullable: options.some(({ nullable }) => nullable), kinds: options.flatMap(({ kinds }) => kinds) };
    }
    case "repeat": {
      const item = lastSets(regex.item);
      return { nullable: item.nullable || regex.min === 0, kinds: item.kinds };
    }
    default:
      return { nullable: true, kinds: [] };
  }
}

/** No range spans a gap between word characters: both ends being words is not enough for [0-z]. */
function isWithinWords(set: readonly number[]): boolean {
  return everyRange(set, (from, to) =>
    everyRange(wordCharacters, (low, high) => !(from < low && to >= low) && !(from <= high && to > high)),
  );
}

function coversWords(set: readonly number[]): boolean {
  return !everyRange(set, (from, to) => everyRange(wordCharacters, (low, high) => to < low || from > high));
}

function everyRange(set: readonly number[], holds: (from: number, to: number) => boolean): boolean {
  for (let index = 0; index < set.length; index += 2) if (!holds(set[index]!, set[index + 1]!)) return false;
  return true;
}
