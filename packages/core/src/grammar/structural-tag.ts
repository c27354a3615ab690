import type { GrammarLoss } from "./loss.ts";
import { callMark } from "./call-form.ts";
import { printGbnf } from "./print/print-gbnf.ts";
import { type CallableTool, toolCallTree } from "./tool-call.ts";
import type { ToolCallGrammarOptions } from "./tool-call-options.ts";

/** XGrammar's description of an answer, as vLLM, SGLang and XGrammar's bindings take it. */
export interface StructuralTag {
  readonly type: "structural_tag";
  readonly format: StructuralFormat;
}

export type StructuralFormat =
  | { readonly type: "grammar"; readonly grammar: string }
  | TagFormat
  | { readonly type: "or"; readonly elements: readonly StructuralFormat[] }
  | {
      readonly type: "triggered_tags";
      readonly triggers: readonly string[];
      readonly tags: readonly TagFormat[];
      readonly at_least_one: boolean;
      readonly stop_after_first: boolean;
    }
  | {
      readonly type: "tags_with_separator";
      readonly separator: string;
      readonly tags: readonly TagFormat[];
      readonly at_least_one: boolean;
      readonly stop_after_first: boolean;
    };

export interface TagFormat {
  readonly type: "tag";
  readonly begin: string;
  readonly content: { readonly type: "grammar"; readonly grammar: string };
  readonly end: string;
}

export interface StructuralTagReport {
  readonly structuralTag: StructuralTag;
  readonly losses: readonly GrammarLoss[];
}

/**
 * The tool calls as a structural tag. Where each call has its own mark, every tool is a tag whose content is the grammar of its arguments,
 * so that the engine is free until the mark appears; lists and bare names are one grammar.
 */
export function toolCallStructuralTag(tools: readonly CallableTool[], options: ToolCallGrammarOptions = {}): StructuralTag {
  return toolCallStructuralTagWithReport(tools, options).structuralTag;
}

export function toolCallStructuralTagWithReport(tools: readonly CallableTool[], options: ToolCallGrammarOptions = {}): StructuralTagReport {
  const { grammar, losses, form, inputs } = toolCallTree(tools, options);
  const parallel = options.parallel ?? false;
  const isMarked = form.call.kind === "object" && form.open !== undefined && form.begin === undefined && form.list === "never";
  if (!isMarked || form.call.kind !== "object") return { structuralTag: tagOf({ type: "grammar", grammar: printGbnf(grammar) }), losses };
  const { call } = form;
  const tags = [...inputs].map(([name, root]): TagFormat => {
    const begin = `${form.open}{${JSON.stringify(call.name)}: ${JSON.stringify(name)}, ${JSON.stringify(call.arguments)}: `;
    return {
      type: "tag",
      begin,
      content: { type: "grammar", grammar: printGbnf({ root, rules: grammar.rules }) },
      end: `}${form.close ?? ""}`,
    };
  });
  const hasText = options.text ?? options.choice === "auto";
  const limits = { at_least_one: !hasText, stop_after_first: !parallel };
  const format: StructuralFormat = hasText
    ? { type: "triggered_tags", triggers: [callMark(form)!], tags, ...limits }
    : { type: "tags_with_separator", separator: form.separator ?? "\n", tags, ...limits };
  return { structuralTag: tagOf(format), losses };
}

function tagOf(format: StructuralFormat): StructuralTag {
  return { type: "structural_tag", format };
}
