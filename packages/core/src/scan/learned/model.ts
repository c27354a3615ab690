/** A logistic regression over the features of a sentence, made by bench/trust/train.mjs. */
export interface LearnedModel {
  /** In steps of a twenty-fifth. */
  readonly bias: number;
  /** From here on, and above, a sentence is danger. */
  readonly danger: number;
  /** From here on it is a warning. */
  readonly warning: number;
  /** Base64: for each feature with a weight, the distance from the one before (seven bits a byte) and the weight as a signed byte. */
  readonly weights: string;
}
