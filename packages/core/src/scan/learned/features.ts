import type { SentencePlace, SentenceRule, Strength } from "../rule.ts";
import type { Hit, Sentence } from "../text/sentence.ts";
import { hashOfWord, stemLetters } from "../text/word-hash.ts";
import { cues } from "../words/cues.ts";

/** Features are numbers below this: each is the hash of what it stands for. */
export const featureSpace: number = 1 << 18;

/** What a rule says of a sentence. */
export interface Sign {
  readonly rule: SentenceRule;
  readonly strength: Strength;
}

/** Receives each feature of a sentence once: its number, its kind, and what `describeFeature` needs to say it in words. */
export type FeatureVisitor = (feature: number, kind: number, one: number, other: number) => void;

const kinds = {
  word: 1,
  stem: 2,
  pair: 3,
  opening: 4,
  cue: 5,
  purpose: 6,
  order: 7,
  chain: 8,
  before: 9,
  place: 10,
  rule: 11,
  previous: 12,
  next: 13,
  position: 14,
} as const;

const maxWords = 60;
const maxHits = 40;
/** Two cues form a chain when at most so many words stand between them. */
const chainWords = 6;

const seenAt = new Uint32Array(featureSpace);
let round = 0;

/** The features that the words and cues of a sentence have; what rules say is added by `visitSigns`. Linear in the sentence. */
export function visitFeatures(sentence: Sentence, place: SentencePlace, visit: FeatureVisitor): void {
  if (++round > 0xfffffff0) {
    seenAt.fill(0);
    round = 1;
  }
  visitWords(sentence, visit);
  visitCues(sentence, place.isPurpose, visit);
  visitPlace(sentence, place, visit);
  visitAround(sentence, place, visit);
}

function once(feature: number, kind: number, one: number, other: number, visit: FeatureVisitor): void {
  if (seenAt[feature] === round) return;
  seenAt[feature] = round;
  visit(feature, kind, one, other);
}

function visitWords({ tokens }: Sentence, visit: FeatureVisitor): void {
  const count = Math.min(tokens.length, maxWords);
  let before = 0;
  for (let index = 0; index < count; index++) {
    const { hash, stem } = tokens[index]!;
    if (hash !== 0) {
      once(numberOf(kinds.word, hash, 0), kinds.word, index, 0, visit);
      if (stem !== 0) once(numberOf(kinds.stem, stem, 0), kinds.stem, index, 0, visit);
      if (before !== 0) once(numberOf(kinds.pair, before, hash), kinds.pair, index, 0, visit);
      if (index < 2) once(numberOf(kinds.opening, hash, 0), kinds.opening, index, 0, visit);
    }
    before = hash;
  }
}

function visitCues({ hits, tokens }: Sentence, isPurpose: boolean, visit: FeatureVisitor): void {
  const sorted = inPlace(hits);
  const count = Math.min(sorted.length, maxHits);
  for (let index = 0; index < count; index++) {
    const { number, at, to, isOrder } = sorted[index]!;
    const kind = isPurpose ? kinds.purpose : kinds.cue;
    once(numberOf(kind, number, 0), kind, number, 0, visit);
    if (isOrder && !isPurpose) once(numberOf(kinds.order, number, 0), kinds.order, number, 0, visit);
    const previous = at > 0 ? tokens[at - 1]!.hash : 0;
    if (previous !== 0) once(numberOf(kinds.before, previous, number), kinds.before, at - 1, number, visit);
    for (let next = index + 1; next < count; next++) {
      const other = sorted[next]!;
      const gap = other.at - to;
      if (gap > chainWords) break;
      if (gap >= 0 && other.number !== number)
        once(numberOf(kinds.chain, number + 1, other.number), kinds.chain, number, other.number, visit);
    }
  }
}

/** Hits in the order of their words, which they nearly always have: only phrases are noted at their end. */
function inPlace(hits: readonly Hit[]): readonly Hit[] {
  for (let index = 1; index < hits.length; index++) if (hits[index]!.at < hits[index - 1]!.at) return hits.toSorted((a, b) => a.at - b.at);
  return hits;
}

/** What a sentence is by its place and length. */
const places = [
  "comment",
  "title",
  "value",
  "description",
  "what the tool is for",
  "an order",
  "another language among English",
  "another language",
  "very short",
  "short",
  "of usual length",
  "long",
  "very long",
] as const;
const placeFeatures: ReadonlyMap<string, readonly [feature: number, index: number]> = new Map(
  places.map((name, index) => [name, [numberOf(kinds.place, hashOfWord(name), 0), index]]),
);

function visitPlace({ tokens, hits, isForeign }: Sentence, { text, isPurpose, isResult }: SentencePlace, visit: FeatureVisitor): void {
  const say = (name: (typeof places)[number]): void => {
    const [feature, index] = placeFeatures.get(name)!;
    once(feature, kinds.place, index, 0, visit);
  };
  if (!isResult) say(text.role === "comment" || text.role === "title" || text.role === "value" ? text.role : "description");
  if (isPurpose) say("what the tool is for");
  else if (hits.some(({ isOrder }) => isOrder)) say("an order");
  if (isForeign) say(text.isAmongEnglish ? "another language among English" : "another language");
  const { length } = tokens;
  say(length < 5 ? "very short" : length < 10 ? "short" : length < 20 ? "of usual length" : length < 35 ? "long" : "very long");
}

/** An order is often prepared by the sentence before it, or explained by the one after it. */
function visitAround({ index }: Sentence, { previous, next }: SentencePlace, visit: FeatureVisitor): void {
  visitNeighbour(previous, kinds.previous, visit);
  visitNeighbour(next, kinds.next, visit);
  const position = Math.min(index, 3) + (next === undefined ? 4 : 0);
  once(numberOf(kinds.position, position, 0), kinds.position, index, 0, visit);
}

function visitNeighbour(sentence: Sentence | undefined, kind: number, visit: FeatureVisitor): void {
  if (sentence === undefined) return;
  const count = Math.min(sentence.hits.length, maxHits);
  for (let index = 0; index < count; index++) {
    const { number } = sentence.hits[index]!;
    once(numberOf(kind, number, 0), kind, number, 0, visit);
  }
}

/** A feature in words: "move, then talk". */
export function describeFeature({ words }: Sentence, kind: number, one: number, other: number): string {
  switch (kind) {
    case kinds.word:
      return `"${words[one]!}"`;
    case kinds.stem:
      return `"${words[one]!.slice(0, stemLetters)}…"`;
    case kinds.pair:
      return `"${words[one - 1]!} ${words[one]!}"`;
    case kinds.opening:
      return `"${words[one]!}" at the beginning`;
    case kinds.order:
      return `${cues[one]!} as an order`;
    case kinds.chain:
      return `${cues[one]!}, then ${cues[other]!}`;
    case kinds.before:
      return `"${words[one]!}" before ${cues[other]!}`;
    case kinds.place:
      return places[one]!;
    case kinds.previous:
      return `${cues[one]!} in the sentence before`;
    case kinds.next:
      return `${cues[one]!} in the sentence after`;
    case kinds.position:
      return `sentence ${one + 1}`;
    default:
      return cues[one]!;
  }
}

/** What the rules say of a sentence, as features. */
export function visitSigns(signs: readonly Sign[], visit: (feature: number, describe: string) => void): void {
  for (const { rule, strength } of signs) {
    visit(numberOf(kinds.rule, hashOfWord(rule.id), strength), `the rule ${rule.id}`);
    visit(numberOf(kinds.rule, 0, strength), "a rule");
  }
}

function numberOf(kind: number, one: number, other: number): number {
  let hash = Math.imul(one, 0x9e3779b1) ^ (Math.imul(other, 0x85ebca6b) + Math.imul(kind, 0xc2b2ae35));
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return hash & (featureSpace - 1);
}
