import { isObject } from "@toolrack/json-schema/internal";
import { type FieldKind, type FieldsOf, flag, oneOf, positive } from "../util/check-fields.ts";
import type { CallForm } from "./call-form.ts";
import type { GrammarOptions } from "./gbnf.ts";

export interface ToolCallGrammarOptions extends GrammarOptions {
  /** Several calls at once: a JSON list of one or more, or one after the other, as the form says. @default false */
  readonly parallel?: boolean;
  /** "name" is {"name", "arguments"}, "tool" is {"tool", "args"}; a dialect has its own form. @default "name" */
  readonly form?: "name" | "tool" | CallForm;
  /** "required" is a call of any tool, "auto" leaves the model free to answer with text, and one tool may be named. @default "required" */
  readonly choice?: "required" | "auto" | { readonly tool: string };
  /** Whether the model may write text instead of a call or before it. @default true for "auto", else false */
  readonly text?: boolean;
}

const form: FieldKind = {
  is: '"name", "tool" or the form of a dialect',
  test: (value) => value === "name" || value === "tool" || isObject(value),
  quotes: true,
};
const choice: FieldKind = {
  is: '"required", "auto" or { tool: "name" }',
  test: (value) => value === "required" || value === "auto" || (isObject(value) && typeof value["tool"] === "string"),
  quotes: true,
};

export const grammarFields: FieldsOf<ToolCallGrammarOptions> = {
  extraKeys: oneOf("explicit", "schema"),
  maxEffort: positive,
  parallel: flag,
  form,
  choice,
  text: flag,
};
