import type { LintSubject } from "./subject.ts";

/** Something about a tool that will cause trouble for a model, a vendor or an operator. */
export interface Finding {
  /** The rule's id: "missing-description". */
  readonly rule: string;
  readonly severity: Severity;
  /** The name of the tool, where it has one. */
  readonly tool?: string;
  /** A JSON pointer into the tool: "/inputSchema/properties/path". In a list of tools the index comes first. */
  readonly path: string;
  readonly message: string;
  /** What to write instead. */
  readonly fix: string;
}

/** An error breaks calls or registration, a warning misleads models or vendors, an info is worth a thought. */
export type Severity = "error" | "warning" | "info";

/** What every rule says about itself, for lists of rules. */
export interface RuleDescription {
  /** Words of lower-case letters and digits, with "-" between them: "missing-description". */
  readonly id: string;
  /** The severity of a finding, unless the rule says otherwise for a case, or the options do for all. */
  readonly severity: Severity;
  /** A sentence that says what the rule finds: "Parameters without a description." */
  readonly finds: string;
}

/** A lint rule: about each tool alone, or about a list of tools. Give your own to `lintTools(tools, { rules: [mine] })`. */
export type LintRule = ToolRule | ListRule;

/** A rule about one tool. Contract: it reads and reports; it changes nothing and keeps nothing. */
export interface ToolRule extends RuleDescription {
  /** True where an error of this rule is also the reason why the tool cannot be registered. */
  readonly explainsRefusal?: boolean;
  check(subject: LintSubject, report: Report): void;
}

/** A rule about a list of tools. It reports on the tools by their index; `undefined` means the list as a whole. */
export interface ListRule extends RuleDescription {
  checkList(
    subjects: readonly LintSubject[],
    report: (index: number | undefined, message: string, fix: string, severity?: Severity) => void,
  ): void;
}

/** `path` is a JSON pointer into the tool: "/inputSchema/properties/path". */
export type Report = (path: string, message: string, fix: string, severity?: Severity) => void;
