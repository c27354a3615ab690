import { randomFrom } from "./make-orders.mjs";

/**
 * Logistic regression by stochastic gradients with a step for each feature. `bags` are texts of which at least one sentence is an order: { sentences, weight };
 * `others` are [sentence, weight]. A sentence is a list of features. The same input gives the same weights, bit for bit.
 */
export function learn(bags, others, { space, epochs = 6, rate = 0.15 }) {
  const weights = new Float64Array(space);
  const squares = new Float64Array(space).fill(1e-6);
  const bias = { value: 0, square: 1e-6 };
  const random = randomFrom(1);
  const scoreOf = (sentence) => sentence.reduce((sum, feature) => sum + weights[feature], bias.value);
  for (let epoch = 0; epoch < epochs; epoch++) {
    const items = others.map(([sentence, weight]) => [sentence, 0, weight]);
    for (const { sentences, weight } of bags) {
      // At first every sentence of a text counts, later the one that is most like an order.
      if (epoch < 2) for (const sentence of sentences) items.push([sentence, 1, weight / sentences.length]);
      else items.push([sentences.reduce((best, one) => (scoreOf(one) > scoreOf(best) ? one : best)), 1, weight]);
    }
    for (let index = items.length - 1; index > 0; index--) {
      const other = Math.floor(random() * (index + 1));
      [items[index], items[other]] = [items[other], items[index]];
    }
    for (const [sentence, label, weight] of items) {
      const error = (1 / (1 + Math.exp(-scoreOf(sentence))) - label) * weight;
      if (Math.abs(error) < 1e-4) continue;
      for (const feature of sentence) {
        const gradient = error + 1e-3 * weights[feature];
        squares[feature] += gradient * gradient;
        weights[feature] -= (rate * gradient) / Math.sqrt(squares[feature]);
      }
      bias.square += error * error;
      bias.value -= (rate * error) / Math.sqrt(bias.square);
    }
  }
  return { weights, bias: bias.value };
}

/** Keeps the features that matter most, in steps of 1 / scale. */
export function shorten({ weights, bias }, sentences, { keep, scale }) {
  const counts = new Uint32Array(weights.length);
  for (const sentence of sentences) for (const feature of sentence) counts[feature]++;
  const kept = new Int8Array(weights.length);
  const importance = (feature) => Math.abs(weights[feature]) * Math.min(4, counts[feature]);
  const order = [...weights.keys()].filter((feature) => weights[feature] !== 0).toSorted((a, b) => importance(b) - importance(a) || a - b);
  for (const feature of order.slice(0, keep)) kept[feature] = Math.max(-127, Math.min(127, Math.round(weights[feature] * scale)));
  return { weights: kept, bias: Math.round(bias * scale) };
}

/** The form in which core/src/scan/learned/weigh.ts reads them. */
export function encode(weights) {
  const bytes = [];
  let last = -1;
  for (const [feature, weight] of weights.entries()) {
    if (weight === 0) continue;
    let step = feature - last;
    last = feature;
    for (; step > 127; step >>>= 7) bytes.push((step & 127) | 128);
    bytes.push(step, weight & 255);
  }
  return Buffer.from(bytes).toString("base64");
}
