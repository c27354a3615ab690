/** Grammars that hold a local model to its tools. */

export { type CallForm, nameForm, toolForm } from "../grammar/call-form.ts";
export {
  type BackendCapabilities,
  backends,
  type Constraint,
  type ConstraintMode,
  resolveConstraint,
  type ResolvedConstraint,
} from "../grammar/constraint.ts";
export { type GrammarOptions, type GrammarReport, toGbnf, toGbnfWithReport } from "../grammar/gbnf.ts";
export { toLark, toolCallLark, toolCallLarkWithReport } from "../grammar/lark.ts";
export type { GrammarLoss } from "../grammar/loss.ts";
export {
  type StructuralTag,
  type StructuralTagReport,
  toolCallStructuralTag,
  toolCallStructuralTagWithReport,
} from "../grammar/structural-tag.ts";
export { toolCallSchema } from "../grammar/tool-call-schema.ts";
export { type CallableTool, toolCallGrammar, toolCallGrammarWithReport } from "../grammar/tool-call.ts";
export type { ToolCallGrammarOptions } from "../grammar/tool-call-options.ts";
