import type { SentencePlace } from "./rule.ts";
import type { Sentence } from "./text/sentence.ts";
import { cues } from "./words/cues.ts";

/** More than any sentence that people write. */
const maxCues = 24;

/**
 * What a sentence is weighed by: its cues, those that are orders ("!move"), pairs of them ("move+secret"), and where it stands ("@value").
 * Sentences that say what a tool is for are apart ("~move").
 */
export function featuresOf(sentence: Sentence, { isPurpose, text: { role }, isResult }: SentencePlace): readonly string[] {
  const present = new Set<string>();
  const features: string[] = [];
  for (const { cue, isOrder } of sentence.hits) {
    if (isPurpose) {
      present.add(`~${cue}`);
      continue;
    }
    present.add(cue);
    if (isOrder) features.push(`!${cue}`);
  }
  const kept = [...present].slice(0, maxCues);
  features.push(...kept);
  for (const [index, one] of kept.entries()) for (const other of kept.slice(index + 1)) features.push(one < other ? `${one}+${other}` : `${other}+${one}`);
  if (!isResult) features.push(`@${role}`);
  if (sentence.isForeign) features.push("@foreign");
  if (sentence.words.length > 30) features.push("@long");
  if (sentence.words.length < 5) features.push("@short");
  return features;
}

export const cueCount: number = cues.length;
