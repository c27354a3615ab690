import { type GrammarOptions, type GrammarReport, schemaGrammar } from "./gbnf.ts";
import { printLark } from "./print/print-lark.ts";
import { type CallableTool, toolCallTree } from "./tool-call.ts";
import type { ToolCallGrammarOptions } from "./tool-call-options.ts";

/** A JSON Schema in the Lark dialect of llguidance, which vLLM, llama.cpp and OpenAI's custom tools read. */
export function toLark(schema: unknown, options: GrammarOptions = {}): string {
  return printLark(schemaGrammar(schema, options).grammar);
}

/** The grammar of tool calls in the same dialect. */
export function toolCallLark(tools: readonly CallableTool[], options: ToolCallGrammarOptions = {}): string {
  return toolCallLarkWithReport(tools, options).grammar;
}

export function toolCallLarkWithReport(tools: readonly CallableTool[], options: ToolCallGrammarOptions = {}): GrammarReport {
  const { grammar, losses } = toolCallTree(tools, options);
  return { grammar: printLark(grammar), losses };
}
