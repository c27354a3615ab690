/** Findings about the definition of a tool. */

export { type LintOptions, lintRules, lintTool, lintTools } from "../lint/lint.ts";
export type { Finding, RuleDescription, Severity } from "../lint/rule.ts";
