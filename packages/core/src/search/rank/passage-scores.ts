import type { TermMatches } from "./match-terms.ts";
import type { Passages } from "./scope.ts";

/** A table of scores by passage, and the list of passages that have one. */
export interface PassageScores {
  scores: Float32Array;
  /** The same memory as integers: a score of 0 is 0 there, every other score is greater. */
  bits: Int32Array;
  strongest: Float32Array;
  touched: Int32Array;
  count: number;
}

export function createPassageScores(): PassageScores {
  const scores = new Float32Array(0);
  return { scores, bits: new Int32Array(scores.buffer), strongest: new Float32Array(0), touched: new Int32Array(1), count: 0 };
}

/** Makes room for this many passages. Grows only while empty: the old scores are not copied. */
export function fit(scored: PassageScores, size: number): void {
  if (scored.scores.length >= size) return;
  const wider = Math.max(size, scored.scores.length * 2);
  scored.scores = new Float32Array(wider);
  scored.bits = new Int32Array(scored.scores.buffer);
  scored.strongest = new Float32Array(wider);
  scored.touched = new Int32Array(wider + 1);
}

export function empty(scored: PassageScores): void {
  scored.scores.fill(0);
  scored.count = 0;
}

/** Adds to each passage its strongest match of the term. */
export function addTerm(matches: TermMatches, weight: number, { open }: Passages, scored: PassageScores): void {
  const { scores, bits, strongest, touched } = scored;
  const isAlone = matches.length === 1;
  for (const { entries, start, end, weight: rarity } of matches) {
    const each = (weight * rarity) / 255;
    let { count } = scored;
    for (let at = start; at < end; at++) {
      const entry = entries[at]!;
      const passage = entry >>> 8;
      if (open[passage] === 0) continue;
      let added = each * (entry & 255);
      if (!isAlone) {
        const before = strongest[passage]!;
        if (added <= before) continue;
        strongest[passage] = added;
        added -= before;
      }
      // Written without a branch on whether it is the first time: such branches are mispredicted too often.
      touched[count] = passage;
      count += (bits[passage]! - 1) >>> 31;
      scores[passage]! += added;
    }
    scored.count = count;
  }
  if (!isAlone) for (const { entries, start, end } of matches) for (let at = start; at < end; at++) strongest[entries[at]! >>> 8] = 0;
}

/** The same, but only for passages that already have a score. */
export function addToScored(matches: TermMatches, weight: number, { scores, bits, strongest, touched, count }: PassageScores): void {
  for (const { entries, start, end, weight: rarity } of matches) {
    const each = (weight * rarity) / 255;
    for (let at = start; at < end; at++) {
      const entry = entries[at]!;
      const passage = entry >>> 8;
      if (bits[passage] === 0) continue;
      const added = each * (entry & 255);
      const before = strongest[passage]!;
      if (added <= before) continue;
      strongest[passage] = added;
      scores[passage]! += added - before;
    }
  }
  for (let index = 0; index < count; index++) strongest[touched[index]!] = 0;
}

export function addScores({ scores, touched, count }: PassageScores, to: PassageScores): void {
  for (let index = 0; index < count; index++) put(to, touched[index]!, scores[touched[index]!]!);
}

function put(scored: PassageScores, passage: number, added: number): void {
  scored.touched[scored.count] = passage;
  scored.count += (scored.bits[passage]! - 1) >>> 31;
  scored.scores[passage]! += added;
}

/** Stores the larger of two scores, both as integers, which have the same order. */
export function keepLarger(values: Int32Array, at: number, value: number): void {
  const ahead = value - values[at]!;
  values[at] = value - (ahead & (ahead >> 31));
}

export function mostOf({ scores, touched, count }: PassageScores): number {
  let most = 0;
  for (let index = 0; index < count; index++) {
    const score = scores[touched[index]!]!;
    if (score > most) most = score;
  }
  return most;
}

const exampleShare = 0.5;

/** A tool's score is that of its own texts plus a share of its best example's score. Moves the scores from the first table into the second. */
export function foldExamples(from: PassageScores, { owners }: Passages, to: PassageScores): PassageScores {
  for (let index = 0; index < from.count; index++) {
    const passage = from.touched[index]!;
    const owner = owners[passage]!;
    const score = from.scores[passage]!;
    if (owner === passage) {
      put(to, owner, score);
    } else if (score * exampleShare > to.strongest[owner]!) {
      put(to, owner, score * exampleShare - to.strongest[owner]!);
      to.strongest[owner] = score * exampleShare;
    }
  }
  empty(from);
  to.strongest.fill(0);
  return to;
}
