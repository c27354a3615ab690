import { encode, learn, shorten } from "./regression.mjs";

/** So many features of each model are kept. */
const keep = 36_000;

/** Learns from the rows that pass the tests. Returns the weights as they are shipped, without levels. */
export function modelOf({ negatives, honest, bags }, scanner, { isBag = () => true, isOther = () => true } = {}) {
  const some = bags.filter(isBag);
  const others = [...othersOf(negatives.filter(isOther)), ...othersOf(honest.filter(isOther))];
  const sentences = [...some.flatMap((bag) => bag.sentences), ...others.map(([one]) => one)];
  return shorten(learn(some, others, { space: scanner.featureSpace }), sentences, { keep, scale: scanner.scale });
}

/**
 * The scores of texts that a model did not learn from, as the scanner compares them with the levels for danger and for warning (core/src/scan/judge.ts):
 * { usual, loud }, each with the scores for [danger, warning]. Loud are texts that were chosen because they sound alarming.
 */
export function scoresOf(kind, rows, model, scanner) {
  const best = (list, of) => list.map(({ sentences }) => sentences.reduce((most, one) => Math.max(most, of(one)), -99));
  const danger = (one) => (one.families > 0 ? scoreOf(model, one, scanner) : -99);
  const warning = (one) => scoreOf(model, one, scanner) - scanner.beyond[kind][Math.min(one.families, 2)];
  const [usual, loud] = [rows.filter(({ isLoud }) => !isLoud), rows.filter(({ isLoud }) => isLoud)].map((list) => [
    best(list, danger),
    best(list, warning),
  ]);
  return { usual, loud };
}

/** The levels for danger and warning at which the given shares of texts are above, both of usual and of loud ones. */
export function levelsOf({ shares }, scored) {
  const at = (name, index) => {
    const scores = scored.flatMap((one) => one[name][index]).toSorted((a, b) => b - a);
    return scores.length === 0 ? -99 : scores[Math.floor(scores.length * shares[name][index])];
  };
  return [0, 1].map((index) => Math.max(at("usual", index), at("loud", index)));
}

/** A model as the scanner reads it. */
export function asShipped({ weights, bias }, [danger, warning]) {
  return { bias, danger: rounded(danger), warning: rounded(warning), weights: encode(weights) };
}

function rounded(level) {
  return Math.round(level * 20) / 20;
}

function scoreOf({ weights, bias }, sentence, { scale }) {
  return sentence.reduce((sum, feature) => sum + weights[feature], bias) / scale;
}

/** The same sentence stands in hundreds of tools: it counts a few times at most. */
function othersOf(rows) {
  const seen = new Map();
  for (const { sentences, weight } of rows) {
    for (const sentence of sentences) {
      const key = sentence.join();
      const known = seen.get(key);
      if (known === undefined) seen.set(key, [sentence, weight, weight]);
      else known[1] = Math.min(known[1] + weight, 6 * known[2]);
    }
  }
  return Array.from(seen.values(), ([sentence, weight]) => [sentence, weight]);
}
