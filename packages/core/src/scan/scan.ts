import { ToolError } from "../errors.ts";
import { describeThrown } from "../tool/result.ts";
import { assertScanRule } from "./define-rule.ts";
import { evidenceOf } from "./evidence.ts";
import { digestOfText, withAccepted } from "./accept.ts";
import type { AcceptedFinding, ScanFinding, ScanSeverity } from "./finding.ts";
import type { ScanRule, ScanRuleDescription, SentenceRule, TextRule, ToolScanRule } from "./rule.ts";
import { address } from "./rules/address.ts";
import { annotations } from "./rules/annotations.ts";
import { collectingParameters } from "./rules/collecting-parameters.ts";
import { commands } from "./rules/commands.ts";
import { concealedText } from "./rules/concealed-text.ts";
import { consent } from "./rules/consent.ts";
import { conversation } from "./rules/conversation.ts";
import { encodedText } from "./rules/encoded-text.ts";
import { fakeTurns } from "./rules/fake-turns.ts";
import { foreignLanguage } from "./rules/foreign-language.ts";
import { guards } from "./rules/guards.ts";
import { hiddenCharacters } from "./rules/hidden-characters.ts";
import { links } from "./rules/links.ts";
import { lookAlikeLetters } from "./rules/look-alike-letters.ts";
import { lookAlikeNames } from "./rules/look-alike-name.ts";
import { manner } from "./rules/manner.ts";
import { memory } from "./rules/memory.ts";
import { obeyOutput } from "./rules/obey-output.ts";
import { otherTools } from "./rules/other-tools.ts";
import { outbound } from "./rules/outbound.ts";
import { override } from "./rules/override.ts";
import { preEmption } from "./rules/pre-emption.ts";
import { preference } from "./rules/preference.ts";
import { rank } from "./rules/rank.ts";
import { reader } from "./rules/reader.ts";
import { secrecy } from "./rules/secrecy.ts";
import { secrets } from "./rules/secrets.ts";
import { setting } from "./rules/setting.ts";
import { values } from "./rules/values.ts";
import { readScannedResult, readScannedTool, type ScannedText } from "./subject.ts";
import { judgeSentences, type SentenceRules } from "./judge.ts";

export interface ScanOptions {
  /** Tools that are offered beside this one, of all sources: names that look alike, and texts about them, are found. */
  readonly among?: readonly unknown[];
  /** Rules of your own, beside the built-in ones. */
  readonly rules?: readonly ScanRule[];
  /** Rules that are not applied, by id. */
  readonly without?: readonly string[];
  /** Findings that a person accepted: they are shown as infos. */
  readonly accept?: readonly AcceptedFinding[];
}

/**
 * Looks at every text of a definition for what speaks to the model instead of describing the tool. Any shape that can be registered, and raw
 * definitions of MCP and vendors. Pure: the same input gives the same findings in the same order, the worst first; the input stays as it is.
 */
export function scanTool(tool: unknown, options: ScanOptions = {}): ScanFinding[] {
  const { sentence, text: textRules, tool: toolRules } = rulesOf(options);
  const subject = readScannedTool(tool, options.among);
  const findings: ScanFinding[] = [];
  for (const text of subject.texts) scanText(text, sentence, textRules, findings);
  for (const { text, paths } of subject.joined)
    if (!findings.some(({ path }) => paths.includes(path))) scanText(text, sentence, [], findings);
  attempt(toolRules, (rule) =>
    rule.checkTool(subject, (severity, path, message, evidence) => {
      findings.push({
        rule: rule.id,
        severity,
        path,
        message,
        evidence: evidenceOf(evidence),
        fix: rule.fix,
        digest: digestOfText(evidence),
      });
    }),
  );
  if (subject.isCut) findings.push(tooLarge);
  return inOrder(findings, options);
}

/** Looks at what a tool answered for orders to the model. The path of a finding is the range of characters: "120-188". */
export function scanResult(text: string, options: Omit<ScanOptions, "among"> = {}): ScanFinding[] {
  const { sentence, text: textRules } = rulesOf(options);
  const findings: ScanFinding[] = [];
  scanText(readScannedResult(String(text)), sentence, textRules, findings);
  return inOrder(findings, options);
}

const builtIn: readonly ScanRule[] = [
  hiddenCharacters,
  lookAlikeLetters,
  encodedText,
  concealedText,
  fakeTurns,
  override,
  secrecy,
  secrets,
  conversation,
  outbound,
  otherTools,
  preEmption,
  preference,
  consent,
  rank,
  commands,
  memory,
  obeyOutput,
  guards,
  foreignLanguage,
  address,
  setting,
  manner,
  reader,
  values,
  collectingParameters,
  annotations,
  lookAlikeNames,
  links,
];

/** Every built-in rule, for lists and documentation. */
export const scanRules: readonly ScanRuleDescription[] = builtIn.map(({ id, finds, fix }) => ({ id, finds, fix }));

interface SortedRules {
  readonly sentence: SentenceRules;
  readonly text: readonly TextRule[];
  readonly tool: readonly ToolScanRule[];
}

const builtInSorted = sorted(builtIn);

/** The rules about sentences that the weights are learned with. */
export const learnedRules: readonly SentenceRule[] = builtInSorted.sentence.learned;

function rulesOf({ rules, without }: Omit<ScanOptions, "among">): SortedRules {
  if (rules === undefined && without === undefined) return builtInSorted;
  const own = rules ?? [];
  own.forEach(assertScanRule);
  const all = [...builtIn, ...own];
  const ids = new Set(all.map(({ id }) => id));
  if (ids.size < all.length)
    throw new ToolError(
      "CONFIG_INVALID",
      `Two scan rules have one id. Give yours another one than ${own.map(({ id }) => `"${id}"`).join(", ")}.`,
    );
  for (const id of without ?? [])
    if (!ids.has(id)) throw new ToolError("CONFIG_INVALID", `There is no scan rule "${id}". The rules are ${[...ids].join(", ")}.`);
  return sorted(all.filter(({ id }) => !without?.includes(id)));
}

function sorted(rules: readonly ScanRule[]): SortedRules {
  return {
    sentence: {
      learned: rules.filter((rule): rule is SentenceRule => "checkSentence" in rule && isLearned(rule)),
      own: rules.filter((rule): rule is SentenceRule => "checkSentence" in rule && !isLearned(rule)),
    },
    text: rules.filter((rule) => "checkText" in rule),
    tool: rules.filter((rule) => "checkTool" in rule),
  };
}

/** Whether the weights were learned with it. */
function isLearned(rule: ScanRule): boolean {
  return builtIn.includes(rule) && rule !== reader;
}

function scanText(text: ScannedText, sentenceRules: SentenceRules, textRules: readonly TextRule[], findings: ScanFinding[]): void {
  const isBuiltIn = textRules === builtInSorted.text && sentenceRules === builtInSorted.sentence;
  if (isBuiltIn && (isShortName(text) || isShortValue(text))) return;
  const isKept = isBuiltIn && text.raw.length <= maxKept && (text.role === "value" ? plainProse.test(text.raw) : text.role !== "result");
  const known = isKept ? knownFindings(text) : undefined;
  if (known !== undefined) {
    for (const finding of known) findings.push({ ...finding, path: text.path });
    return;
  }
  const found: ScanFinding[] = [];
  attempt(textRules, (rule) =>
    rule.checkText(text, (severity, message, start, end) => {
      found.push({
        rule: rule.id,
        severity,
        path: pathOf(text, start, end),
        message,
        evidence: evidenceOf(text.raw.slice(start, end)),
        fix: rule.fix,
        digest: digestOfText(text.raw),
      });
    }),
  );
  attempt(sentenceRulesOnly, () => judgeSentences(text, sentenceRules, found, (start, end) => pathOf(text, start, end)));
  if (isKept) keepFindings(text, found);
  findings.push(...found);
}

/** A name of a few words in plain letters: nothing can be hidden in it, and it is no sentence. */
function isShortName({ role, raw }: ScannedText): boolean {
  if ((role !== "name" && role !== "property-name") || raw.length > 48 || !plainName.test(raw)) return false;
  // Seven words have at least 13 characters: "a_b_c_d_e_f_g".
  return raw.length < 13 || raw.split(nameParts).length < 7;
}

const plainName = /^[A-Za-z0-9_.:/-]*$/;
const nameParts = /[_.:/-]+|(?<=[a-z0-9])(?=[A-Z])/;

/** One or two plain words, such as most items of enums: nothing is hidden in them, and they are no sentence. */
function isShortValue({ role, raw }: ScannedText): boolean {
  return role === "value" && raw.length < 20 && shortValue.test(raw);
}

const shortValue = /^\w+(?: \w+)?$/;

/** Longer texts are rarely met twice. */
const maxKept = 4000;
/** Words and numbers only: what is found in such a value does not depend on the parameter it belongs to. */
const plainProse = /^[A-Za-z0-9\s.,;:()!?'"]*$/;

interface KnownText {
  /** The words that could have been names. */
  readonly lookedUp: readonly string[];
  /** What was found, by which of these words were names. */
  readonly forms: readonly { readonly names: string; readonly found: readonly ScanFinding[] }[];
}

/** Of the thousands of texts that are kept, most are about nothing and nobody. */
const nothing: readonly never[] = [];

/** What was found in texts, by what they are: the same descriptions stand in hundreds of tools. */
const knownTexts = new Map<string, Map<string, KnownText>>();
const maxTexts = 20_000;

function knownFindings(text: ScannedText): readonly ScanFinding[] | undefined {
  const known = knownTexts.get(kindOf(text))?.get(text.raw);
  if (known === undefined) return undefined;
  const names = namesIn(text, known.lookedUp);
  return known.forms.find((form) => form.names === names)?.found;
}

function keepFindings(text: ScannedText, found: readonly ScanFinding[]): void {
  const [main, hidden] = text.parts;
  // Whether a sentence in another language is strange depends on the texts around it.
  if (main?.lookedUp === undefined || hidden !== undefined || main.sentences.some(({ isForeign }) => isForeign)) return;
  const kind = kindOf(text);
  const known = knownTexts.get(kind) ?? new Map<string, KnownText>();
  knownTexts.set(kind, known);
  if (known.size >= maxTexts) known.clear();
  const before = known.get(text.raw);
  const lookedUp = before?.lookedUp ?? (main.lookedUp.length === 0 ? nothing : [...new Set(main.lookedUp)]);
  const names = namesIn(text, lookedUp);
  const others = before === undefined ? nothing : before.forms.filter((form) => form.names !== names).slice(1 - maxForms);
  known.set(text.raw, { lookedUp, forms: [...others, { names, found: found.length === 0 ? nothing : found }] });
}

/** One text is met with so many different sets of names around it. */
const maxForms = 8;

function namesIn(text: ScannedText, words: readonly string[]): string {
  let names = "";
  for (const word of words) {
    const kinds = text.nameKinds(word);
    if (kinds > 0) names += `${kinds} ${word}\n`;
  }
  return names;
}

function kindOf({ role, key }: ScannedText): string {
  return role === "value" ? `value ${key}` : role;
}

function pathOf({ role, path }: ScannedText, start: number, end: number): string {
  return role === "result" ? `${start}-${Math.max(start, end)}` : path;
}

const sentenceRulesOnly = [{ id: "a rule about sentences" }];

function attempt<Rule extends { readonly id: string }>(rules: readonly Rule[], run: (rule: Rule) => void): void {
  for (const rule of rules) {
    try {
      run(rule);
    } catch (error) {
      throw new ToolError(
        "CONFIG_INVALID",
        `Scan rule "${rule.id}" threw. Mend it, or leave it out with without: ["${rule.id}"]. It threw: ${describeThrown(error)}`,
        { cause: error },
      );
    }
  }
}

const order: readonly ScanSeverity[] = ["danger", "warning", "info"];

/** The worst first; otherwise as they stand in the definition. */
function inOrder(findings: readonly ScanFinding[], { accept = [] }: Pick<ScanOptions, "accept">): ScanFinding[] {
  if (findings.length === 0) return [];
  const judged = withAccepted(findings, accept);
  return order.flatMap((severity) => judged.filter((finding) => finding.severity === severity));
}

const tooLarge: ScanFinding = {
  rule: "too-large",
  severity: "danger",
  path: "",
  message: "The definition has more than 20,000 texts, or is nested more than 100 deep: not all of it was read.",
  evidence: "",
  fix: "Do not use a definition that is too large to be read.",
  digest: digestOfText("too-large"),
};
