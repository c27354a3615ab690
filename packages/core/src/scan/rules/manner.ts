import type { SentenceRule } from "../rule.ts";

/** Stands for the weights that were learned (`learned/`), where no rule says what a sentence is. */
export const manner: SentenceRule = {
  id: "manner",
  finds: "Sentences whose words, taken together, sound like an order to a model rather than a description of a tool.",
  fix: "Read the sentence as an order to your model, and decide whether the tool may give it.",
  checkSentence: () => 0,
};
