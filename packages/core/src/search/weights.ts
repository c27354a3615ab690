/**
 * The weights of the ranking, in one place because `npm run bench:search` changes them: each was chosen on sets of tools other than the one
 * it was scored on, and a gain that did not pay there is not here. Nothing else changes them.
 */
export const weights: Record<Weight, number> = {
  synonym: 0.3,
  related: 0.5,
  relatedCoverage: 0.25,
  pair: 0.5,
  weakWord: 0.6,
  quoted: 0.4,
  whole: 0.6,
  family: 0.7,
  coverage: 0.8,
  fresh: 0.25,
  action: 0.2,
};

export type Weight =
  /** The share of a word's weight that its synonyms have. */
  | "synonym"
  /** The same for words of the same subject, where no tool contains the word itself; and in what coverage counts as asked for. */
  | "related"
  | "relatedCoverage"
  /** Two neighbouring words, against one word. */
  | "pair"
  /** Words that are common in requests, and words in quotation marks, against other words. */
  | "weakWord"
  | "quoted"
  /** The whole request against its best clause. */
  | "whole"
  /** How much the best tool of its family may add to a tool. */
  | "family"
  /** How much a tool gains if all its leading terms are asked for. */
  | "coverage"
  /** How much a tool gains if no better tool answers the same words. */
  | "fresh"
  /** How much a tool gains if its name has no action that is not asked for. */
  | "action";
