import type { SentencePlace } from "./rule.ts";
import type { Sentence } from "./text/sentence.ts";
import type { TextRole } from "./subject.ts";
import { cues } from "./words/cues.ts";
import { definitionBias, definitionWeights, resultBias, resultWeights } from "./words/weights.ts";

/** How much a sentence sounds like an order to a model rather than a description, as the logarithm of the odds. */
export function weigh(sentence: Sentence, place: SentencePlace): number {
  const { table, bias } = place.isResult
    ? (results ??= read(resultWeights, resultBias))
    : (definitions ??= read(definitionWeights, definitionBias));
  let sum = bias;
  for (const feature of featuresOf(sentence, place)) sum += table[feature]!;
  return sum / 10;
}

interface Weights {
  readonly table: Float64Array;
  readonly bias: number;
}

let definitions: Weights | undefined;
let results: Weights | undefined;

/** Which cues the sentence has, while it is read: one list for all. */
const seen = new Uint8Array(2 * cues.length);
/** More than any sentence that people write. */
const maxCues = 24;
const count = cues.length;
const roles: readonly TextRole[] = [
  "name",
  "title",
  "description",
  "parameter",
  "property-name",
  "value",
  "comment",
  "link",
  "other",
  "result",
];
const flags = [...roles, "foreign", "long", "short"];
const firstFlag = 3 * count;
const firstPair = firstFlag + flags.length;

/**
 * What a sentence is weighed by, as numbers: its cues ("move"), those that are orders ("!move"), pairs of them ("move+secret"), and where it
 * stands ("@value"). The cues of a sentence that says what a tool is for are others ("~move").
 */
export function featuresOf(sentence: Sentence, { isPurpose, text: { role }, isResult }: SentencePlace): readonly number[] {
  seen.fill(0);
  const present: number[] = [];
  const features: number[] = [];
  for (const { number, isOrder } of sentence.hits) {
    const feature = isPurpose ? count + number : number;
    if (seen[feature] === 0 && present.length < maxCues) present.push(feature);
    seen[feature] = 1;
    if (isOrder && !isPurpose && !features.includes(2 * count + number)) features.push(2 * count + number);
  }
  features.push(...present);
  for (let index = 0; index < present.length; index++) {
    const one = present[index]!;
    for (let next = index + 1; next < present.length; next++) {
      const other = present[next]!;
      features.push(firstPair + (one < other ? one * 2 * count + other : other * 2 * count + one));
    }
  }
  if (!isResult) features.push(firstFlag + roles.indexOf(role));
  if (sentence.isForeign) features.push(firstFlag + flags.indexOf("foreign"));
  if (sentence.words.length > 30) features.push(firstFlag + flags.indexOf("long"));
  if (sentence.words.length < 5) features.push(firstFlag + flags.indexOf("short"));
  return features;
}

/** "move+secret" for the number of a feature, as it stands in the list of weights. */
export function nameOfFeature(feature: number): string {
  const single = (one: number): string => (one >= count ? `~${cues[one - count]!}` : cues[one]!);
  if (feature >= firstPair)
    return `${single(Math.floor((feature - firstPair) / (2 * count)))}+${single((feature - firstPair) % (2 * count))}`;
  if (feature >= firstFlag) return `@${flags[feature - firstFlag]!}`;
  return feature >= 2 * count ? `!${cues[feature - 2 * count]!}` : single(feature);
}

function read(list: string, bias: number): Weights {
  const table = new Float64Array(firstPair + 4 * count * count);
  const numbers = new Map<string, number>();
  const single = (name: string): number => (name.startsWith("~") ? count + numbers.get(name.slice(1))! : numbers.get(name)!);
  for (const [index, cue] of cues.entries()) numbers.set(cue, index);
  for (const entry of list.trim().split(/,\s*/)) {
    const [name = "", weight] = entry.split(" ");
    const [one = "", other] = name.split("+");
    const feature = name.startsWith("@")
      ? firstFlag + flags.indexOf(name.slice(1))
      : name.startsWith("!")
        ? 2 * count + numbers.get(name.slice(1))!
        : other === undefined
          ? single(one)
          : firstPair + single(one) * 2 * count + single(other);
    table[feature] = Number(weight);
  }
  return { table, bias };
}
