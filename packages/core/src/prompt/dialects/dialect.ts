import type { FoundCalls } from "../find-calls.ts";

/**
 * How a family of local models writes about tools, for backends that pass text and nothing else. Make one with `defineDialect`. Each
 * built-in one is a leaf: it knows this interface and nothing of the others.
 *
 * Contract: `readCalls(writeCalls(calls))` gives the same calls back, whatever their arguments hold; no method throws for what a model wrote.
 */
export interface Dialect<Family extends string = string> {
  readonly family: Family;
  /** Matches the names of the models that speak it. @default none: the dialect is used only where its family is asked for */
  readonly models?: RegExp;
  /** How calls are written, for `toolCallGrammar`. */
  readonly form: DialectForm;
  /** The role of the message that carries a result. */
  readonly resultRole: string;
  /** The part of the system prompt that declares the tools and says how to call them. */
  promptFor(tools: readonly DialectTool[]): string;
  /** Calls as the model itself would write them, for histories and examples. */
  writeCalls(calls: readonly DialectCall[]): string;
  /** The calls in a reply; `tools` are the names that exist, so that nothing else is taken for a call. */
  readCalls(reply: string, tools?: readonly string[]): FoundCalls;
  /** What the model is told about the outcome of a call. */
  writeResult(result: DialectResult): string;
}

export interface DialectTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

export interface DialectCall {
  readonly name: string;
  readonly input: unknown;
}

export interface DialectResult {
  readonly name: string;
  readonly ok: boolean;
  readonly content: string;
}

/** The form of a call as data; the grammar takes it as it is. */
export interface DialectForm {
  readonly call: { readonly kind: "object"; readonly name: string; readonly arguments: string } | { readonly kind: "line" };
  readonly open?: string;
  readonly close?: string;
  readonly begin?: string;
  readonly list: "parallel" | "always" | "never";
  readonly separator?: string;
}
