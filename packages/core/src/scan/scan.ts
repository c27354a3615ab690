import { ToolError } from "../errors.ts";
import { describeThrown } from "../tool/result.ts";
import { assertScanRule } from "./define-rule.ts";
import { evidenceOf } from "./evidence.ts";
import type { ScanFinding, ScanSeverity } from "./finding.ts";
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
  for (const rule of toolRules) {
    attempt(rule, () =>
      rule.checkTool(subject, (severity, path, message, evidence) => {
        findings.push({ rule: rule.id, severity, path, message, evidence: evidenceOf(evidence), fix: rule.fix });
      }),
    );
  }
  if (subject.isCut) findings.push(tooLarge);
  return inOrder(findings);
}

/** Looks at what a tool answered for orders to the model. The path of a finding is the range of characters: "120-188". */
export function scanResult(text: string, options: Omit<ScanOptions, "among"> = {}): ScanFinding[] {
  const { sentence, text: textRules } = rulesOf(options);
  const findings: ScanFinding[] = [];
  scanText(readScannedResult(String(text)), sentence, textRules, findings);
  return inOrder(findings);
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
export const learnedRules: SentenceRules["learned"] = builtInSorted.sentence.learned;

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
      learned: rules.filter((rule): rule is SentenceRule => "checkSentence" in rule && builtIn.includes(rule)),
      own: rules.filter((rule): rule is SentenceRule => "checkSentence" in rule && !builtIn.includes(rule)),
    },
    text: rules.filter((rule) => "checkText" in rule),
    tool: rules.filter((rule) => "checkTool" in rule),
  };
}

function scanText(text: ScannedText, sentenceRules: SentenceRules, textRules: readonly TextRule[], findings: ScanFinding[]): void {
  const isKept = textRules === builtInSorted.text && text.role !== "result" && text.raw.length <= maxKept && plainProse.test(text.raw);
  if (isKept && isKnownClean(text)) return;
  const found: ScanFinding[] = [];
  for (const rule of textRules) {
    attempt(rule, () =>
      rule.checkText(text, (severity, message, start, end) => {
        found.push({
          rule: rule.id,
          severity,
          path: pathOf(text, start, end),
          message,
          evidence: evidenceOf(text.raw.slice(start, end)),
          fix: rule.fix,
        });
      }),
    );
  }
  attempt({ id: "a rule about sentences" }, () => judgeSentences(text, sentenceRules, found, (start, end) => pathOf(text, start, end)));
  if (found.length === 0 && isKept && !text.parts[0]?.sentences.some(({ isForeign }) => isForeign)) keepClean(text);
  findings.push(...found);
}

/** Longer texts are rarely met twice. */
const maxKept = 600;
/** Words and numbers only: nothing in it can be a name of a tool or parameter, so what is found does not depend on the tool around it. */
const plainProse = /^[A-Za-z0-9\s.,;:()!?'"]*$/;
/** Texts without findings, by what they are: the same descriptions of parameters stand in hundreds of tools. */
const clean = new Map<string, Set<string>>();
const maxClean = 20_000;

function isKnownClean({ role, key, raw }: ScannedText): boolean {
  return clean.get(role === "value" ? `value ${key}` : role)?.has(raw) === true;
}

function keepClean({ role, key, raw }: ScannedText): void {
  const kind = role === "value" ? `value ${key}` : role;
  const known = clean.get(kind) ?? new Set();
  clean.set(kind, known);
  if (known.size >= maxClean) known.clear();
  known.add(raw);
}

function pathOf({ role, path }: ScannedText, start: number, end: number): string {
  return role === "result" ? `${start}-${Math.max(start, end)}` : path;
}

function attempt({ id }: { readonly id: string }, run: () => void): void {
  try {
    run();
  } catch (error) {
    throw new ToolError(
      "CONFIG_INVALID",
      `Scan rule "${id}" threw. Mend it, or leave it out with without: ["${id}"]. It threw: ${describeThrown(error)}`,
      { cause: error },
    );
  }
}

const order: readonly ScanSeverity[] = ["danger", "warning", "info"];

/** The worst first; otherwise as they stand in the definition. */
function inOrder(findings: readonly ScanFinding[]): ScanFinding[] {
  return order.flatMap((severity) => findings.filter((finding) => finding.severity === severity));
}

const tooLarge: ScanFinding = {
  rule: "too-large",
  severity: "danger",
  path: "",
  message: "The definition has more than 20,000 texts, or is nested more than 100 deep: not all of it was read.",
  evidence: "",
  fix: "Do not use a definition that is too large to be read.",
};
