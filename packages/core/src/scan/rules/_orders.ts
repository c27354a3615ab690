import type { SentencePlace } from "../rule.ts";
import type { Sentence } from "../text/sentence.ts";

/** The sentence tells the model to do something: by name, as "you", or as an order that does not say what the tool is for. */
export function isTold(sentence: Sentence, { isPurpose }: SentencePlace): boolean {
  return isAddressed(sentence) || (!isPurpose && sentence.hits.some(({ isOrder }) => isOrder)) || (sentence.isForeign && !isPurpose);
}

/** The sentence says what the model, or "you", must do. */
export function isAddressed(sentence: Sentence): boolean {
  return sentence.follows("model", "oblige", 3) || sentence.follows("oblige", "model", 3) || sentence.follows("you", "oblige", 1);
}

/** The sentence speaks about attacks, or gives an example: it may quote what it warns of. */
export function isMention(sentence: Sentence): boolean {
  return sentence.has("mention");
}
