import { digestOfText } from "./accept.ts";
import { evidenceOf } from "./evidence.ts";
import type { ScanFinding } from "./finding.ts";
import { definitionModel } from "./learned/definition-weights.ts";
import { countFamilies } from "./learned/families.ts";
import type { Sign } from "./learned/features.ts";
import { resultModel } from "./learned/result-weights.ts";
import { reasonsFor, weighSigns, weighWords } from "./learned/weigh.ts";
import type { SentencePlace, SentenceRule } from "./rule.ts";
import { manner } from "./rules/manner.ts";
import { otherTools } from "./rules/other-tools.ts";
import type { ScannedText } from "./subject.ts";
import type { TextPart } from "./text/read-parts.ts";
import type { Sentence } from "./text/sentence.ts";

/** The rules about sentences: those that the weights were learned with, and others. */
export interface SentenceRules {
  readonly learned: readonly SentenceRule[];
  readonly own: readonly SentenceRule[];
}

/**
 * Judges a text sentence by sentence. The words of a sentence are weighed first, which is cheap and settles nearly all; the rules are asked about
 * those that are left. What hides a sentence counts for it. One finding for each sentence, under the rule with the strongest sign.
 */
export function judgeSentences(
  text: ScannedText,
  rules: SentenceRules,
  findings: ScanFinding[],
  pathOf: (start: number, end: number) => string,
): void {
  for (const part of text.parts) {
    for (const sentence of part.sentences) {
      if (isTooShort(sentence, text)) continue;
      const place = placeOf(sentence, part, text);
      const found = judge(sentence, part, place, rules);
      if (found === undefined) continue;
      const [start, end] = part.rangeOf(sentence);
      const how = part.hiddenAs === undefined ? part.carrierOf(sentence)?.kind : `words hidden as ${part.hiddenAs}`;
      const because = found.rule === manner ? ` What counted: ${reasonsFor(sentence, place, found.signs).join("; ")}.` : "";
      findings.push({
        rule: found.rule.id,
        severity: found.severity,
        path: pathOf(start, end),
        message: `${found.rule.finds}${because}${how === undefined ? "" : ` It stands in ${how}.`}`,
        evidence: evidenceOf(part.text.slice(sentence.start, sentence.end)),
        fix: found.rule.fix,
        digest: digestOfText(text.raw),
      });
    }
  }
}

interface Judgement {
  readonly rule: SentenceRule;
  readonly severity: "danger" | "warning";
  readonly signs: readonly Sign[];
}

/** Below this, no rule can make a sentence a finding. */
const floor = -5;
/** How much it counts that a sentence is hidden. */
const hiding = { encoded: 3.5, concealed: 2.5 } as const;
/** A rule that is certain makes danger of a sentence whose words are this suspicious; one that is fairly sure makes a warning. */
const certain = -2.5;
/** Words alone are no proof. With cues of so many families (the last: and more), a warning needs this much more than the model's level. */
export const beyond = { definition: [2, 0.5, 0], result: [2.5, 1, 0.5] } as const;

function judge(sentence: Sentence, part: TextPart, place: SentencePlace, { learned, own }: SentenceRules): Judgement | undefined {
  const ownSigns = own.length === 0 ? none : signsOf(sentence, place, own);
  const hidden = part.hiddenAs === undefined ? (place.isHidden ? hiding.concealed : 0) : hiding.encoded;
  const words = weighWords(sentence, place) + hidden;
  const signs = (words < floor && !isName(place)) || sentence.hits.length < 2 ? none : signsOf(sentence, place, learned);
  const total = words + weighSigns(signs, place.isResult);
  const model = place.isResult ? resultModel : definitionModel;
  const strongest = [...ownSigns, ...signs].reduce<Sign | undefined>(
    (best, sign) => (best === undefined || sign.strength > best.strength ? sign : best),
    undefined,
  );
  const strength = ownSigns.reduce((most, sign) => Math.max(most, sign.strength), 0);
  const isCertain =
    strongest?.strength === 3 && (words > certain || isName(place)) && !sentence.has("mention") && !isForPeople(signs, place);
  const rule = strongest?.rule ?? manner;
  if (rule === manner && !learned.includes(manner)) return undefined;
  const families = total < model.warning ? 0 : countFamilies(sentence, place) + (signs.length > 0 ? 1 : 0);
  if ((families > 0 && total >= model.danger) || isCertain || strength >= 3) return { rule, severity: "danger", signs };
  return total >= model.warning + beyond[place.isResult ? "result" : "definition"][Math.min(families, 2)]! || strength === 2
    ? { rule, severity: "warning", signs }
    : undefined;
}

/** Pages and READMEs tell people which tools and files to use: in a result, that alone is not certain. */
function isForPeople(signs: readonly Sign[], { isResult }: SentencePlace): boolean {
  return isResult && signs.every(({ rule, strength }) => strength < 3 || rule === otherTools);
}

/** The weights were not learned from names, which hold no sentences. */
function isName({ text: { role } }: SentencePlace): boolean {
  return role === "name" || role === "property-name";
}

const none: readonly Sign[] = [];

export function signsOf(sentence: Sentence, place: SentencePlace, rules: readonly SentenceRule[]): readonly Sign[] {
  const signs: Sign[] = [];
  for (const rule of rules) {
    const strength = rule.checkSentence(sentence, place);
    if (strength > 0) signs.push({ rule, strength });
  }
  return signs.length === 0 ? none : signs;
}

/** "remove_user_from_group" is a name, and three words are no sentence. A name of seven words is a text. */
function isTooShort({ tokens }: Sentence, { role }: ScannedText): boolean {
  return tokens.length < (role === "name" || role === "property-name" ? 7 : 4);
}

export function placeOf(sentence: Sentence, part: TextPart, text: ScannedText): SentencePlace {
  const isMain = part.hiddenAs === undefined;
  return {
    text,
    isResult: text.role === "result",
    isPurpose: isMain && sentence.index === 0 && (text.role === "description" || text.role === "title" || text.role === "name"),
    previous: part.sentences[sentence.index - 1],
    next: part.sentences[sentence.index + 1],
    isHidden: !isMain || part.carrierOf(sentence) !== undefined,
  };
}
