import type { SentencePlace } from "../rule.ts";
import type { Sentence } from "../text/sentence.ts";
import { describeFeature, featureSpace, type Sign, visitFeatures, visitSigns } from "./features.ts";
import { definitionModel } from "./definition-weights.ts";
import type { LearnedModel } from "./model.ts";
import { resultModel } from "./result-weights.ts";

/** How much a sentence sounds like an order to a model rather than a description: the logarithm of the odds. */
export function weighWords(sentence: Sentence, place: SentencePlace): number {
  const { table, bias } = read(place.isResult ? resultModel : definitionModel);
  let sum = bias;
  visitFeatures(sentence, place, (feature) => (sum += table[feature]!));
  return sum / scale;
}

/** What the rules add to it. */
export function weighSigns(signs: readonly Sign[], isResult: boolean): number {
  const { table } = read(isResult ? resultModel : definitionModel);
  let sum = 0;
  visitSigns(signs, (feature) => (sum += table[feature]!));
  return sum / scale;
}

/** The features that speak most for an order, in words: "move, then talk". */
export function reasonsFor(sentence: Sentence, place: SentencePlace, signs: readonly Sign[]): readonly string[] {
  const { table } = read(place.isResult ? resultModel : definitionModel);
  const found: [string, number][] = [];
  visitFeatures(sentence, place, (feature, kind, one, other) => {
    if (table[feature]! > 0) found.push([describeFeature(sentence, kind, one, other), table[feature]!]);
  });
  visitSigns(signs, (feature, name) => {
    if (table[feature]! > 0) found.push([name, table[feature]!]);
  });
  return found
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 4)
    .map(([name]) => name);
}

/** Weights are kept in steps of a twenty-fifth. */
export const scale = 25;

interface ReadModel {
  readonly table: Int8Array;
  readonly bias: number;
}

const known = new Map<LearnedModel, ReadModel>();

function read(model: LearnedModel): ReadModel {
  const found = known.get(model);
  if (found !== undefined) return found;
  const table = new Int8Array(featureSpace);
  const bytes = bytesOf(model.weights);
  let feature = -1;
  for (let index = 0; index < bytes.length;) {
    let step = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[index++]!;
      step |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    feature += step;
    table[feature] = (bytes[index++]! << 24) >> 24;
  }
  const readModel = { table, bias: model.bias };
  known.set(model, readModel);
  return readModel;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function bytesOf(base64: string): Uint8Array {
  const values = new Uint8Array(128);
  for (const [value, character] of [...alphabet].entries()) values[character.charCodeAt(0)] = value;
  const bytes = new Uint8Array(Math.ceil((base64.length * 3) / 4));
  let [length, bits, value] = [0, 0, 0];
  for (let index = 0; index < base64.length; index++) {
    const code = base64.charCodeAt(index);
    if (code === 10 || code === 61) continue;
    value = ((value << 6) | values[code]!) & 0xffff;
    bits += 6;
    if (bits >= 8) bytes[length++] = (value >> (bits -= 8)) & 255;
  }
  return bytes.subarray(0, length);
}
