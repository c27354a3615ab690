import { resolveConstraint } from "../constraint.ts";
import { toGbnfWithReport } from "../gbnf.ts";
import { toLark, toolCallLarkWithReport } from "../lark.ts";
import { toolCallStructuralTagWithReport } from "../structural-tag.ts";
import { toolCallGrammarWithReport } from "../tool-call.ts";

/** What the grammar thread can be asked for, by name. Arguments and results are plain data. */
export const threadWork: {
  readonly toGbnfWithReport: typeof toGbnfWithReport;
  readonly toLark: typeof toLark;
  readonly resolveConstraint: typeof resolveConstraint;
  readonly toolCallGrammarWithReport: typeof toolCallGrammarWithReport;
  readonly toolCallLarkWithReport: typeof toolCallLarkWithReport;
  readonly toolCallStructuralTagWithReport: typeof toolCallStructuralTagWithReport;
} = {
  toGbnfWithReport,
  toLark,
  resolveConstraint,
  toolCallGrammarWithReport,
  toolCallLarkWithReport,
  toolCallStructuralTagWithReport,
};

export type ThreadWork = typeof threadWork;

export interface ThreadOrder {
  readonly work: keyof ThreadWork;
  readonly args: readonly unknown[];
}

export type ThreadAnswer = { readonly result: unknown } | { readonly code: string | undefined; readonly message: string };
