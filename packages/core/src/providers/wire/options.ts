import type { ToolDefinition } from "../../tool/tool.ts";
import { adaptFields, type AdaptOptions } from "../adapt/options.ts";
import { type FieldKind, type Fields, type FieldsOf, flag, oneOf, text, texts } from "../../util/check-fields.ts";

export interface ExportOptions extends AdaptOptions {
  /** The model the tools are for; tools with `metadata.models` are exported only where it matches. */
  readonly model?: string;
  /** Who runs the model, for patterns such as "openai/gpt-*". @default the vendor of the target: "openai" for "openai-chat" */
  readonly provider?: string;
  /** Send the tools' example inputs, where the vendor takes them. @default false */
  readonly examples?: boolean;
  /** Tools that the vendor loads only when its search finds them: all, or by name. @default none */
  readonly deferred?: boolean | readonly string[] | ((tool: ToolDefinition) => boolean);
  /** Who may call the tools, where the vendor distinguishes: ["direct", "code_execution_20260120"]. */
  readonly allowedCallers?: readonly string[];
  /** Send output schemas, where the vendor takes them. @default false */
  readonly outputSchemas?: boolean;
}

const deferred: FieldKind = {
  is: "true, false, a list of names or a function",
  test: (value) => flag.test(value) || texts.test(value) || typeof value === "function",
};

export const exportFields: FieldsOf<ExportOptions> = {
  ...adaptFields,
  model: text,
  provider: text,
  examples: flag,
  deferred,
  allowedCallers: texts,
  outputSchemas: flag,
};

export const resultFields: Fields = { spelling: oneOf("api", "sdk") };
export const choiceFields: Fields = { ...resultFields, parallel: flag };
