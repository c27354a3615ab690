import { type FieldKind, type FieldsOf, flag, objectWith, oneOf, positive, text, texts } from "../util/check-fields.ts";
import type { TaskContext } from "./select.ts";

/** How much a section says of each tool: all names in one line per category, one line per tool, or everything. */
export type PromptTier = "summary" | "compact" | "full";

export interface PromptSectionOptions {
  /** @default "full" */
  readonly tier?: PromptTier;
  /** The section is written in a smaller tier, and then without optional tools, until its estimate fits. */
  readonly maxTokens?: number;
  /** Leaves out the optional tools that this task has no use for. */
  readonly task?: TaskContext;
  /** Adds when to choose which tool. @default false */
  readonly guidance?: boolean;
  /** Adds how to say that the task is done; true means TASK_COMPLETE. @default false */
  readonly completion?: boolean | string;
}

const textOrTexts: FieldKind = { is: "a text or a list of texts", test: (value) => text.test(value) || texts.test(value) };
const taskFields: FieldsOf<TaskContext> = { type: text, hints: textOrTexts, include: texts, exclude: texts };
const completion: FieldKind = { is: "true, false or a text", test: (value) => flag.test(value) || text.test(value) };

export const sectionFields: FieldsOf<PromptSectionOptions> = {
  tier: oneOf("summary", "compact", "full"),
  maxTokens: positive,
  task: objectWith(taskFields),
  guidance: flag,
  completion,
};
