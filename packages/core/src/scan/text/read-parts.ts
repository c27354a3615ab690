import { decodedTexts } from "./decode.ts";
import { type Folded, foldText } from "./fold.ts";
import { type NamesAround, readSentences } from "./read-sentences.ts";
import type { Sentence } from "./sentence.ts";
import { findZones, type Zone } from "./zones.ts";

/** A text as it is read: the text itself, or one that was hidden in it. */
export interface TextPart {
  /** What is read: without invisible characters, with letters of other scripts that look like Latin ones replaced. */
  readonly text: string;
  readonly sentences: readonly Sentence[];
  /** How it was hidden: "base64"; absent for the text itself. */
  readonly hiddenAs?: string;
  /** What hides a sentence of the text itself: a comment, a page of white space. */
  carrierOf(sentence: Sentence): Zone | undefined;
  /** Where a sentence stands in the text as it was given. */
  rangeOf(sentence: Sentence): readonly [start: number, end: number];
  readonly folded?: Folded;
  /** What could have been the name of a tool or parameter, and was compared with those around it. */
  readonly lookedUp?: readonly string[];
}

/** Reads the words of a name: nothing is encoded there. */
export function readName(words: string, names: NamesAround): readonly TextPart[] {
  const folded = foldText(words);
  const lookedUp: string[] = [];
  return [
    {
      text: folded.text,
      folded,
      sentences: readSentences(folded.text, names, lookedUp),
      lookedUp,
      carrierOf: () => undefined,
      rangeOf: ({ start, end }) => [folded.placeOf(start), folded.placeOf(end)],
    },
  ];
}

/** Reads a text, and whatever can be decoded in it, two layers deep. */
export function readParts(raw: string, names: NamesAround): readonly TextPart[] {
  const folded = foldText(raw);
  const zones = findZones(folded.text);
  const lookedUp: string[] = [];
  const parts: TextPart[] = [
    {
      text: folded.text,
      folded,
      sentences: readSentences(folded.text, names, lookedUp),
      lookedUp,
      carrierOf: (sentence) => zones.find(({ start, end }) => sentence.start < end && sentence.end > start),
      rangeOf: ({ start, end }) => [folded.placeOf(start), folded.placeOf(end)],
    },
  ];
  for (const { text, how, start, end } of folded.revealed) parts.push(hiddenPart(text, how, [start, end], names));
  for (const found of decodedTexts(folded.text)) {
    const range = [folded.placeOf(found.start), folded.placeOf(found.end)] as const;
    const inner = foldText(found.text).text;
    parts.push(hiddenPart(inner, found.how, range, names));
    for (const deeper of decodedTexts(inner)) parts.push(hiddenPart(deeper.text, `${deeper.how} in ${found.how}`, range, names));
  }
  return parts;
}

function hiddenPart(text: string, hiddenAs: string, range: readonly [number, number], names: NamesAround): TextPart {
  return { text, hiddenAs, sentences: readSentences(text, names), carrierOf: () => undefined, rangeOf: () => range };
}
