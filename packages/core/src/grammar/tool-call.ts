import { intersectSchemas, nearestNames } from "@toolrack/json-schema/internal";
import { normalizeSchema } from "@toolrack/json-schema";
import { ToolError } from "../errors.ts";
import { checkFields } from "../util/check-fields.ts";
import { oncePerList, type PerList } from "../tool/per-list.ts";
import { grammarFields, type ToolCallGrammarOptions } from "./tool-call-options.ts";
import { anyObject, Build } from "./from-schema/build.ts";
import { defaultWorkBudget, withWorkBudget } from "./automaton/work-budget.ts";
import { allCalls, type CallForm, nameForm, oneCall, prose, toolForm } from "./call-form.ts";
import type { GrammarOptions, GrammarReport } from "./gbnf.ts";
import { type GrammarLoss, Location } from "./loss.ts";
import { printGbnf } from "./print/print-gbnf.ts";
import { type Grammar, type Node, Tree } from "./tree/tree.ts";

/** What a grammar needs of a tool. */
export interface CallableTool {
  readonly name: string;
  readonly inputSchema: unknown;
}

/** A GBNF grammar that allows only calls of these tools, with arguments that match their schemas. */
export function toolCallGrammar(tools: readonly CallableTool[], options: ToolCallGrammarOptions = {}): string {
  return toolCallGrammarWithReport(tools, options).grammar;
}

const grammars: PerList<GrammarReport> = new WeakMap();

/**
 * The same with the losses of each tool. A schema that cannot be built makes only the arguments of its own tool looser. The same
 * list gives the same object.
 */
export function toolCallGrammarWithReport(tools: readonly CallableTool[], options: ToolCallGrammarOptions = {}): GrammarReport {
  return oncePerList(grammars, tools, options, () => {
    const { grammar, losses } = toolCallTree(tools, options);
    return { grammar: printGbnf(grammar), losses };
  });
}

export interface ToolCallTree {
  readonly grammar: Grammar;
  readonly losses: readonly GrammarLoss[];
  readonly form: CallForm;
  /** The arguments of each tool that may be called. */
  readonly inputs: ReadonlyMap<string, Node>;
}

/** The tree that the printers start from. Throws TOOL_NOT_FOUND if the tool that must be called is not among them, DEFINITION_INVALID if there is none. */
export function toolCallTree(tools: readonly CallableTool[], options: ToolCallGrammarOptions = {}): ToolCallTree {
  checkFields(options, grammarFields, { subject: "toolCallGrammar", word: "option" });
  return withWorkBudget(options.maxEffort ?? defaultWorkBudget, () => buildTree(tools, options));
}

function buildTree(tools: readonly CallableTool[], options: ToolCallGrammarOptions): ToolCallTree {
  const form = formOf(options.form ?? "name");
  const choice = options.choice ?? "required";
  const callable = chosen(tools, choice);
  const tree = new Tree();
  const losses: GrammarLoss[] = [];
  const inputs = new Map<string, Node>();
  const names = new Set<string>();
  const calls = callable.map((tool) => {
    const rule = freeName(`tool-${tool.name.replace(/[^A-Za-z0-9]/g, "-")}`, names);
    const input = inputNode(tree, tool, options, `${rule}-`, losses);
    inputs.set(tool.name, input);
    return tree.define(rule, () => oneCall(tree, form, tool.name, input));
  });
  const call = allCalls(tree, form, tree.choice(...calls), options.parallel ?? false);
  const root = (options.text ?? choice === "auto") ? withText(tree, form, call) : call;
  return { grammar: { root, rules: tree.rules }, losses, form, inputs };
}

/** Prose, a call, or prose and then a call. */
function withText(tree: Tree, form: CallForm, call: Node): Node {
  const text = prose(tree, form);
  const shared = tree.define("call", () => call);
  return tree.choice(tree.sequence(text, tree.optional(shared)), shared);
}

const maxPartsPerTool = 20_000;

/** The arguments of one tool; any object where its schema cannot be built. */
function inputNode(tree: Tree, tool: CallableTool, options: GrammarOptions, prefix: string, losses: GrammarLoss[]): Node {
  const own: GrammarLoss[] = [];
  const lose = (loss: GrammarLoss): void => void losses.push({ tool: tool.name, ...loss });
  let node: Node | undefined;
  let note = "the schema is too large for a grammar";
  try {
    const normal = normalizeSchema(tool.inputSchema).schema;
    const schema = intersectSchemas(normal, { type: "object" }) ?? normal;
    const build = new Build(tree, normal, options.extraKeys ?? "explicit", prefix);
    node = tree.within(maxPartsPerTool, () => build.value(schema, new Location(own)));
    if (node === tree.nothing) note = "the schema accepts no object";
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    note = (error as ToolError).message;
  }
  if (node === undefined || node === tree.nothing) {
    lose({ path: "", keyword: "", note: `${note}: any object is allowed` });
    return anyObject(tree);
  }
  for (const loss of own) lose(loss);
  return node;
}

function formOf(form: "name" | "tool" | CallForm): CallForm {
  return form === "name" ? nameForm : form === "tool" ? toolForm : form;
}

/** The first tool of each name, or the one that was named. */
function chosen(tools: readonly CallableTool[], choice: "required" | "auto" | { readonly tool: string }): CallableTool[] {
  const byName = new Map<string, CallableTool>();
  for (const tool of tools) if (!byName.has(tool.name)) byName.set(tool.name, tool);
  if (byName.size === 0)
    throw new ToolError(
      "DEFINITION_INVALID",
      "A grammar of tool calls needs at least one tool. Send the request without a grammar instead.",
    );
  if (typeof choice === "string") return [...byName.values()];
  const tool = byName.get(choice.tool);
  if (tool !== undefined) return [tool];
  const near = nearestNames(choice.tool, [...byName.keys()], 1)[0];
  throw new ToolError(
    "TOOL_NOT_FOUND",
    `Tool "${choice.tool}" must be called but is not among the tools. ${near === undefined ? "Add it to them." : `Did you mean "${near}"?`}`,
  );
}

/** "tool-read-file", or "tool-read-file-2" if another tool's name looks the same without its punctuation. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}-${count}`;
  taken.add(free);
  return free;
}
