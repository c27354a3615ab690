import type { SentencePlace, SentenceRule, Strength } from "../rule.ts";
import type { Sentence } from "../text/sentence.ts";

/** Features are numbers below this: each is the hash of what it stands for. */
export const featureSpace: number = 1 << 18;

/** What a rule says of a sentence. */
export interface Sign {
  readonly rule: SentenceRule;
  readonly strength: Strength;
}

/** Receives each feature of a sentence once. `describe` gives the words it stands for. */
export type FeatureVisitor = (feature: number, describe: () => string) => void;

const kinds = { word: 1, stem: 2, pair: 3, opening: 4, cue: 5, purpose: 6, order: 7, chain: 8, before: 9, place: 10, rule: 11 } as const;

const maxWords = 60;
const maxHits = 40;
/** Longer words are addresses and names, which say nothing about other texts. */
const maxLetters = 24;
const stemLetters = 5;
/** Two cues form a chain when at most so many words stand between them. */
const chainWords = 6;

const seenAt = new Uint32Array(featureSpace);
let round = 0;

/** The features that the words and cues of a sentence have; what rules say is added by `visitSigns`. Linear in the sentence. */
export function visitFeatures(sentence: Sentence, place: SentencePlace, visit: FeatureVisitor): void {
  round++;
  const once: FeatureVisitor = (feature, describe) => {
    if (seenAt[feature] === round) return;
    seenAt[feature] = round;
    visit(feature, describe);
  };
  visitWords(sentence, once);
  visitCues(sentence, place.isPurpose, once);
  visitPlace(sentence, place, once);
}

function visitWords({ words }: Sentence, visit: FeatureVisitor): void {
  const count = Math.min(words.length, maxWords);
  let before = 0;
  for (let index = 0; index < count; index++) {
    const word = words[index]!;
    if (word.length > maxLetters) {
      before = 0;
      continue;
    }
    const hash = hashOf(word, word.length);
    visit(numberOf(kinds.word, hash, 0), () => `"${word}"`);
    if (word.length > stemLetters + 1) visit(numberOf(kinds.stem, hashOf(word, stemLetters), 0), () => `"${word.slice(0, stemLetters)}…"`);
    if (before !== 0) visit(numberOf(kinds.pair, before, hash), () => `"${words[index - 1]!} ${word}"`);
    if (index < 2) visit(numberOf(kinds.opening, hash, 0), () => `"${word}" at the beginning`);
    before = hash;
  }
}

function visitCues({ hits, words }: Sentence, isPurpose: boolean, visit: FeatureVisitor): void {
  const sorted = hits.length > 1 ? hits.toSorted((a, b) => a.at - b.at) : hits;
  const count = Math.min(sorted.length, maxHits);
  for (let index = 0; index < count; index++) {
    const { cue, number, at, to, isOrder } = sorted[index]!;
    visit(numberOf(isPurpose ? kinds.purpose : kinds.cue, number, 0), () => cue);
    if (isOrder && !isPurpose) visit(numberOf(kinds.order, number, 0), () => `${cue} as an order`);
    const previous = words[at - 1];
    if (previous !== undefined && previous.length <= maxLetters)
      visit(numberOf(kinds.before, hashOf(previous, previous.length), number), () => `"${previous}" before ${cue}`);
    for (let next = index + 1; next < count; next++) {
      const other = sorted[next]!;
      const gap = other.at - to;
      if (gap > chainWords) break;
      if (gap >= 0 && other.number !== number) visit(numberOf(kinds.chain, number + 1, other.number), () => `${cue}, then ${other.cue}`);
    }
  }
}

function visitPlace({ words, hits, isForeign }: Sentence, { text, isPurpose, isResult }: SentencePlace, visit: FeatureVisitor): void {
  const say = (name: string): void => visit(numberOf(kinds.place, hashOf(name, name.length), 0), () => name);
  if (!isResult) say(text.role === "comment" || text.role === "title" || text.role === "value" ? text.role : "description");
  if (isPurpose) say("what the tool is for");
  else if (hits.some(({ isOrder }) => isOrder)) say("an order");
  if (isForeign) say(text.isAmongEnglish ? "another language among English" : "another language");
  const { length } = words;
  say(length < 5 ? "very short" : length < 10 ? "short" : length < 20 ? "of usual length" : length < 35 ? "long" : "very long");
}

/** What the rules say of a sentence, as features. */
export function visitSigns(signs: readonly Sign[], visit: FeatureVisitor): void {
  for (const { rule, strength } of signs) {
    visit(numberOf(kinds.rule, hashOf(rule.id, rule.id.length), strength), () => `the rule ${rule.id}`);
    visit(numberOf(kinds.rule, 0, strength), () => "a rule");
  }
}

function numberOf(kind: number, one: number, other: number): number {
  let hash = Math.imul(one, 0x9e3779b1) ^ (Math.imul(other, 0x85ebca6b) + Math.imul(kind, 0xc2b2ae35));
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return hash & (featureSpace - 1);
}

/** FNV-1a over the first so many letters; digits count as one kind of letter. */
function hashOf(word: string, length: number): number {
  let hash = 2166136261;
  for (let index = 0; index < length; index++) {
    const code = word.charCodeAt(index);
    hash ^= code >= 48 && code <= 57 ? 48 : code;
    hash = Math.imul(hash, 16777619);
  }
  return hash;
}
