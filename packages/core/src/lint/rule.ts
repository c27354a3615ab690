import type { LintSubject } from "./subject.ts";

/** Something about a tool that a model, a vendor or an operator will stumble over. */
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

/** What every rule tells about itself, for lists of rules. */
export interface RuleDescription {
  readonly id: string;
  /** How grave a finding is unless the rule says otherwise for a case, or the options do for all. */
  readonly severity: Severity;
  /** "Parameters without a description." */
  readonly finds: string;
}

/** A rule about one tool. Contract: it reads and reports, and keeps nothing. */
export interface LintRule extends RuleDescription {
  /** True where an error of this rule is also the reason why the tool cannot be registered. */
  readonly explainsRefusal?: boolean;
  check(subject: LintSubject, report: Report): void;
}

/** A rule about a list of tools; it reports on the tools by their places in it. */
export interface SetRule extends RuleDescription {
  check(
    subjects: readonly LintSubject[],
    report: (index: number | undefined, message: string, fix: string, severity?: Severity) => void,
  ): void;
}

export type Report = (path: string, message: string, fix: string, severity?: Severity) => void;
