import { checkFields } from "../util/check-fields.ts";
import { oncePerList, type PerList } from "../tool/per-list.ts";
import { compactLine, fullEntry, type PromptTool, summaryLine } from "./entries.ts";
import { selectTools } from "./select.ts";
import { type PromptSectionOptions, type PromptTier, sectionFields } from "./section-options.ts";
import { completionPart, guidancePart } from "./parts.ts";
import { estimateTokens } from "./tokens.ts";

export interface PromptSection {
  readonly text: string;
  /** An estimate. */
  readonly tokens: number;
  readonly tier: PromptTier;
  /** The tools that the text mentions, in their order. */
  readonly tools: readonly string[];
  /** Those that the task or the budget left out. */
  readonly omitted: readonly string[];
  /** False if even the smallest text is larger than `maxTokens`. */
  readonly fits: boolean;
}

const sections: PerList<PromptSection> = new WeakMap();

/**
 * The part of a system prompt that tells a model about its tools, generated from their definitions. The same tools give the same bytes,
 * and the same list the same object.
 */
export function toolSection(tools: readonly PromptTool[], options: PromptSectionOptions = {}): PromptSection {
  return oncePerList(sections, tools, options, () => writeSection(tools, options));
}

function writeSection(tools: readonly PromptTool[], options: PromptSectionOptions): PromptSection {
  checkFields(options, sectionFields, { subject: "toolSection", word: "option" });
  const limit = options.maxTokens ?? Infinity;
  let chosen = options.task === undefined ? [...tools] : selectTools(tools, options.task);
  const from = tiers.indexOf(options.tier ?? "full");
  let attempt = write(chosen, tiers[from]!, options);
  for (const tier of tiers.slice(from + 1)) {
    if (attempt.tokens <= limit) break;
    attempt = write(chosen, tier, options);
  }
  while (attempt.tokens > limit) {
    const last = chosen.findLastIndex(isOptional);
    if (last === -1) break;
    chosen = chosen.toSpliced(last, 1);
    attempt = write(chosen, attempt.tier, options);
  }
  const names = new Set(chosen.map(({ name }) => name));
  return {
    ...attempt,
    tools: [...names],
    omitted: tools.map(({ name }) => name).filter((name) => !names.has(name)),
    fits: attempt.tokens <= limit,
  };
}

/** From the longest to the shortest. */
const tiers: readonly PromptTier[] = ["full", "compact", "summary"];

const writers: Readonly<Record<PromptTier, (tools: readonly PromptTool[], category: string) => string>> = {
  full: (tools, category) => [`#### ${category}`, ...tools.map(fullEntry)].join("\n\n"),
  compact: (tools, category) => [`${category}:`, ...tools.map(compactLine)].join("\n"),
  summary: summaryLine,
};

function write(
  tools: readonly PromptTool[],
  tier: PromptTier,
  options: PromptSectionOptions,
): { text: string; tokens: number; tier: PromptTier } {
  const parts = ["## Tools"];
  if (tools.length === 0) parts.push("There are no tools.");
  for (const [title, group] of [
    ["### Required", tools.filter((tool) => !isOptional(tool))],
    ["### Optional", tools.filter(isOptional)],
  ] as const) {
    if (group.length === 0) continue;
    parts.push(title, ...byCategory(group).map(([category, members]) => writers[tier](members, category)));
  }
  if (options.guidance === true && tools.length > 0) parts.push(guidancePart(tools));
  if (options.completion !== undefined && options.completion !== false) parts.push(completionPart(options.completion));
  const text = `${parts.join("\n\n")}\n`;
  return { text, tokens: estimateTokens(text), tier };
}

function isOptional(tool: PromptTool): boolean {
  return tool.metadata?.optionality === "optional";
}

/** Categories in the order in which their first tool comes; tools without one come last. */
function byCategory(tools: readonly PromptTool[]): [string, PromptTool[]][] {
  const groups = new Map<string, PromptTool[]>();
  for (const tool of tools) {
    const category = tool.metadata?.category ?? "";
    const group = groups.get(category);
    if (group === undefined) groups.set(category, [tool]);
    else group.push(tool);
  }
  const named = [...groups].filter(([category]) => category !== "");
  const rest = groups.get("");
  return rest === undefined ? named : [...named, ["other", rest]];
}
