import { evidenceOf } from "./evidence.ts";
import type { ScanFinding } from "./finding.ts";
import type { SentencePlace, SentenceRule, Strength } from "./rule.ts";
import type { ScannedText } from "./subject.ts";
import type { TextPart } from "./text/read-parts.ts";
import type { Sentence } from "./text/sentence.ts";

interface Sign {
  readonly rule: SentenceRule;
  readonly strength: Strength;
}

/**
 * Weighs the signs of all rules, sentence by sentence. One strong sign is danger; otherwise independent signs of the sentence and of its
 * neighbours add up, and so does what hides it. One finding for each sentence, under the rule with the strongest sign.
 */
export function judgeSentences(
  text: ScannedText,
  rules: readonly SentenceRule[],
  findings: ScanFinding[],
  pathOf: (start: number, end: number) => string,
): void {
  const isResult = text.role === "result";
  for (const part of text.parts) {
    const { sentences } = part;
    const signs = sentences.map((sentence) => signsOf(sentence, placeOf(sentence, part, text, isResult), rules));
    for (const [index, sentence] of sentences.entries()) {
      const own = signs[index]!;
      if (own.length === 0) continue;
      const strongest = own.reduce((best, sign) => (sign.strength > best.strength ? sign : best));
      if (strongest.strength < 2 && part.hiddenAs === undefined && part.carrierOf(sentence) === undefined && own.length < 2) continue;
      const near = [...own, ...(signs[index - 1] ?? []), ...(signs[index + 1] ?? [])];
      const total = strongest.strength + supportOf(strongest, near) + hidingOf(part, sentence, isResult);
      const capped = sentence.has("mention") && part.hiddenAs === undefined ? Math.min(total, 2) : total;
      if (capped < 2) continue;
      const [start, end] = part.rangeOf(sentence);
      const words = part.text.slice(sentence.start, sentence.end);
      const how = part.hiddenAs === undefined ? part.carrierOf(sentence)?.kind : `words hidden as ${part.hiddenAs}`;
      findings.push({
        rule: strongest.rule.id,
        severity: capped >= 3 ? "danger" : "warning",
        path: pathOf(start, end),
        message: `${strongest.rule.finds}${how === undefined ? "" : ` It stands in ${how}.`}`,
        evidence: evidenceOf(words),
        fix: strongest.rule.fix,
      });
    }
  }
}

function signsOf(sentence: Sentence, place: SentencePlace, rules: readonly SentenceRule[]): readonly Sign[] {
  if (sentence.hits.length < 2 || isShortName(sentence, place)) return none;
  const signs: Sign[] = [];
  for (const rule of rules) {
    const strength = rule.checkSentence(sentence, place);
    if (strength > 0) signs.push({ rule, strength });
  }
  return signs.length === 0 ? none : signs;
}

/** "remove_user_from_group" is a name. A name of ten words is a text. */
function isShortName(sentence: Sentence, { text: { role } }: SentencePlace): boolean {
  return (role === "name" || role === "property-name") && sentence.words.length < 7;
}

const none: readonly Sign[] = [];

function placeOf(sentence: Sentence, part: TextPart, text: ScannedText, isResult: boolean): SentencePlace {
  const isMain = part.hiddenAs === undefined;
  return {
    text,
    isResult,
    isPurpose: isMain && sentence.index === 0 && (text.role === "description" || text.role === "title" || text.role === "name"),
    previous: part.sentences[sentence.index - 1],
    next: part.sentences[sentence.index + 1],
    isHidden: !isMain || part.carrierOf(sentence) !== undefined,
  };
}

/** What other families of signs add: the sum of their strongest, at most 2. */
function supportOf(strongest: Sign, near: readonly Sign[]): number {
  const best = new Map<string, number>();
  for (const { rule, strength } of near) {
    const family = rule.family ?? rule.id;
    if (family === (strongest.rule.family ?? strongest.rule.id)) continue;
    best.set(family, Math.max(best.get(family) ?? 0, strength));
  }
  let sum = 0;
  for (const strength of best.values()) sum += strength >= 2 ? 1 : strength / 2;
  return Math.min(2, Math.floor(sum));
}

function hidingOf(part: TextPart, sentence: Sentence, isResult: boolean): number {
  if (part.hiddenAs !== undefined) return 2;
  return part.carrierOf(sentence) === undefined ? 0 : isResult ? 1 : 2;
}
