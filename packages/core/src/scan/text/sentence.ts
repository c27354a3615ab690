import { type Cue, cueNumbers } from "../words/cues.ts";
import type { FoundCue } from "../words/compile.ts";
import type { KnownWord } from "./known-words.ts";

/** A cue at a place of a sentence. */
export interface Hit {
  readonly cue: Cue;
  readonly number: number;
  /** The number of its first word in the sentence. */
  readonly at: number;
  /** The number of the word after its last. */
  readonly to: number;
  /** A verb that begins a clause in its base form: an order. "Send it" and "…, then send it", but not "Sends it". */
  readonly isOrder: boolean;
}

/** A sentence of a text, with the cues in it. Distances are counted in words. */
export class Sentence {
  readonly start: number;
  end: number;
  /** Which sentence of its text it is, from 0. */
  readonly index: number;
  readonly tokens: KnownWord[] = [];
  readonly hits: Hit[] = [];
  /** How many common English words it has. */
  english = 0;
  /** Written in a language other than English. */
  isForeign = false;
  private readonly bits = [0, 0, 0];
  private read: readonly string[] | undefined;
  private joined: string | undefined;

  constructor(start: number, index: number) {
    this.start = start;
    this.end = start;
    this.index = index;
  }

  /** Its words in lower case, once it is complete. */
  get words(): readonly string[] {
    return (this.read ??= this.tokens.map(({ word }) => word));
  }

  /** Its words in lower case, with one space between: "don't tell the user". Long words are cut. */
  get phrase(): string {
    return (this.joined ??= this.words.join(" "));
  }

  add(found: FoundCue, at: number, to: number, opens: boolean): void {
    this.bits[found.number >> 5]! |= 1 << (found.number & 31);
    this.hits.push({ cue: found.cue, number: found.number, at, to, isOrder: opens && found.isBase });
  }

  has(...wanted: readonly Cue[]): boolean {
    for (const cue of wanted) if (!this.hasOne(cue)) return false;
    return true;
  }

  hasAny(...wanted: readonly Cue[]): boolean {
    for (const cue of wanted) if (this.hasOne(cue)) return true;
    return false;
  }

  private hasOne(cue: Cue): boolean {
    const number = cueNumbers.get(cue)!;
    return (this.bits[number >> 5]! & (1 << (number & 31))) !== 0;
  }

  all(cue: Cue): readonly Hit[] {
    return this.has(cue) ? this.hits.filter((hit) => hit.cue === cue) : [];
  }

  /** One of these cues as an order: "Send it." */
  orders(...wanted: readonly Cue[]): boolean {
    return this.hits.some((hit) => hit.isOrder && wanted.includes(hit.cue));
  }

  /** The first cue, and after it the second, with at most so many words between. In other languages in any order, twice as far. */
  follows(first: Cue, second: Cue, words: number): boolean {
    return this.isForeign ? this.near(first, second, words * 2) : this.pairs(first, second, words).length > 0;
  }

  /** Both cues, in any order, with at most so many words between; never the same words for both. */
  near(one: Cue, other: Cue, words: number): boolean {
    if (!this.has(one, other)) return false;
    return this.all(one).some((a) =>
      this.all(other).some((b) => (a.at !== b.at || a.to !== b.to) && (a.at <= b.at ? b.at - a.to : a.at - b.to) <= words),
    );
  }

  /** The hits of the first cue that the second follows. */
  pairs(first: Cue, second: Cue, words: number): readonly (readonly [Hit, Hit])[] {
    if (!this.has(first, second)) return [];
    const found: [Hit, Hit][] = [];
    for (const a of this.all(first)) {
      for (const b of this.all(second)) if (b.at >= a.to && b.at - a.to <= words) found.push([a, b]);
    }
    return found;
  }

  /** Three cues in this order, each at most so many words after the one before. */
  chain(first: Cue, words: number, second: Cue, more: number, third: Cue): boolean {
    if (!this.has(first, second, third)) return false;
    if (this.isForeign) return this.near(first, second, words * 3) && this.near(second, third, more * 3);
    return this.pairs(first, second, words).some(([, middle]) =>
      this.all(third).some((last) => last.at >= middle.to && last.at - middle.to <= more),
    );
  }

  /** A "not" stands right before the verb: "never asks for a password". */
  isNegated(cue: Cue): boolean {
    const found = this.all(cue);
    return found.length > 0 && found.every(({ at }) => this.all("not").some((not) => not.at < at && at - not.to <= 2));
  }
}
