/** Findings about the definition of a tool. */

export { defineLintRule } from "../lint/define-rule.ts";
export { type LintOptions, lintRules, lintTool, lintTools } from "../lint/lint.ts";
export type { LocatedSchema } from "../lint/located-schemas.ts";
export type { Finding, LintRule, ListRule, Report as LintReport, RuleDescription, Severity, ToolRule } from "../lint/rule.ts";
export type { LintedHandler, LintSubject } from "../lint/subject.ts";
