import type { PromptTool } from "./entries.ts";

/** What a task is about, to decide which optional tools are worth showing. */
export interface TaskContext {
  /** A word for the kind of task: "newsletter", "debug". */
  readonly type?: string;
  /** What the task is about, in free text: the request, names of files. */
  readonly hints?: string | readonly string[];
  /** Tools that the user wants to see, or not. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** Every tool that is not optional, and the optional ones that match the task by category or by a word. The order stays the same. */
export function selectTools<Tool extends PromptTool>(tools: readonly Tool[], task: TaskContext): Tool[] {
  const include = new Set(task.include);
  const exclude = new Set(task.exclude);
  const hints = typeof task.hints === "string" ? [task.hints] : (task.hints ?? []);
  const words = wordsOf([task.type ?? "", ...hints].join(" "));
  const categories = new Set([...words].flatMap((word) => categoriesByWord().get(word) ?? []));
  return tools.filter((tool) => {
    if (exclude.has(tool.name)) return false;
    if (tool.metadata?.optionality !== "optional" || include.has(tool.name)) return true;
    if (tool.metadata.category !== undefined && categories.has(tool.metadata.category)) return true;
    return [...wordsOf(saidOf(tool))].some((word) => words.has(word));
  });
}

/** The words of a tool, without words that every tool has. */
function saidOf({ name, description, metadata }: PromptTool): string {
  const { usageHint = "", tags = [], examples = [] } = metadata ?? {};
  return [
    name.replace(/([a-z])([A-Z])/g, "$1 $2"),
    description,
    usageHint,
    ...tags,
    ...examples.map((example) => example.description),
  ].join(" ");
}

/** Words that say nothing about a tool. */
const empty = new Set(
  "the and for with from this that when use used using tool tools get set new all any into out are can you your one not per via its has have file files data value list name text".split(
    " ",
  ),
);

/** Kinds of tasks and the categories whose tools they use. */
const taskKinds: readonly (readonly [categories: readonly string[], words: string])[] = [
  [["research", "publish"], "newsletter blog post article write publish announce draft podcast"],
  [["code", "build", "vcs"], "debug fix bug code implement refactor feature build test compile lint"],
  [["vcs"], "commit merge branch release review pull diff"],
  [["research"], "research find investigate summarize compare report search learn"],
];

let byWord: Map<string, string[]> | undefined;

function categoriesByWord(): ReadonlyMap<string, readonly string[]> {
  if (byWord !== undefined) return byWord;
  byWord = new Map();
  for (const [categories, words] of taskKinds) {
    for (const word of wordsOf(words)) byWord.set(word, [...(byWord.get(word) ?? []), ...categories]);
  }
  return byWord;
}

/** The words of a text in lower case, endings cut, without those that say nothing. */
function wordsOf(text: string): Set<string> {
  const words = (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).map((word) => word.replace(/(?:ing|s)$/, ""));
  return new Set(words.filter((word) => word.length > 2 && !empty.has(word)));
}
