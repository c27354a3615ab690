/** Text that speaks to the model: findings about definitions and results, and hidden text. */

export { hiddenTextOf } from "../tool/tool.ts";
export { cleanResultText, cleanText, hiddenIn } from "../util/hidden-text.ts";
export { defineScanRule } from "../scan/define-rule.ts";
export { withAccepted } from "../scan/accept.ts";
export type { AcceptedFinding, ScanFinding, ScanSeverity } from "../scan/finding.ts";
export type {
  ScanRule,
  ScanRuleDescription,
  SentencePlace,
  SentenceRule,
  Strength,
  TextScanReport,
  TextRule,
  ToolScanReport,
  ToolScanRule,
} from "../scan/rule.ts";
export { type ScanOptions, scanResult, scanRules, scanTool } from "../scan/scan.ts";
