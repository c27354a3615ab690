import type { Sentence } from "./text/sentence.ts";
import type { ScanSeverity } from "./finding.ts";
import type { ScannedText, ScannedTool } from "./subject.ts";

/** A scan rule: about single sentences, about a text, or about a tool. Give your own to `scanTool(tool, { rules: [mine] })`. */
export type ScanRule = SentenceRule | TextRule | ToolScanRule;

/** What every rule says about itself. */
export interface ScanRuleDescription {
  /** Words of lower-case letters and digits, with "-" between them: "other-tools". */
  readonly id: string;
  /** A sentence that says what the rule finds. */
  readonly finds: string;
  /** What a person who meets a finding should do. */
  readonly fix: string;
}

/**
 * A rule about one sentence. Contract: it reads and answers; it changes nothing and keeps nothing.
 * It answers how strong the sign is. 3: danger by itself. 2: a warning, and danger beside a second sign. 1: only counts beside others.
 */
export interface SentenceRule extends ScanRuleDescription {
  checkSentence(sentence: Sentence, place: SentencePlace): Strength;
  /** Signs of one family are not independent: they do not add up. @default the rule's id */
  readonly family?: string;
}

export type Strength = 0 | 1 | 2 | 3;

/** Where a sentence stands. */
export interface SentencePlace {
  readonly text: ScannedText;
  /** The text is what a tool answered, not part of a definition. */
  readonly isResult: boolean;
  /** The first sentence of a description or title, which says what the tool does: "Delete a file." is no order there. */
  readonly isPurpose: boolean;
  readonly previous: Sentence | undefined;
  readonly next: Sentence | undefined;
  /** The sentence was hidden: encoded, in a comment, in characters that nobody sees. */
  readonly isHidden: boolean;
}

/** A rule about a whole text: its characters, its markup, its addresses. */
export interface TextRule extends ScanRuleDescription {
  checkText(text: ScannedText, report: TextScanReport): void;
}

/** A rule about a tool: its name among others, its annotations, its parameters. */
export interface ToolScanRule extends ScanRuleDescription {
  checkTool(tool: ScannedTool, report: ToolScanReport): void;
}

/** `start` and `end` are places in the text as it was given. */
export type TextScanReport = (severity: ScanSeverity, message: string, start: number, end: number) => void;

/** `path` is a JSON pointer into the tool. */
export type ToolScanReport = (severity: ScanSeverity, path: string, message: string, evidence: string) => void;
