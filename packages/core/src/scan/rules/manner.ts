import type { SentenceRule } from "../rule.ts";
import { weigh } from "../weigh.ts";

export const manner: SentenceRule = {
  id: "manner",
  finds: "Sentences whose words, taken together, sound like an order to a model rather than a description of a tool.",
  fix: "Read the sentence as an order to your model, and decide whether the tool may give it.",
  checkSentence(sentence, place) {
    if (sentence.hits.length < 2 || sentence.words.length < 5) return 0;
    const odds = weigh(sentence, place);
    const [danger, warning, sign] = place.isResult ? resultLevels : definitionLevels;
    // "Data is mirrored to …" tells what happens; it tells nobody to do it.
    const isDirected =
      sentence.isForeign || sentence.hasAny("oblige", "model", "you", "not") || sentence.hits.some(({ isOrder }) => isOrder);
    if (!isDirected) return odds > sign ? 1 : 0;
    return odds > danger ? 3 : odds > warning ? 2 : odds > sign ? 1 : 0;
  },
};

const definitionLevels = [1.5, 0.4, -1] as const;
const resultLevels = [1.5, 0, -1] as const;
