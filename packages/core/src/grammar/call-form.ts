import { Expressions } from "./automaton/expression.ts";
import { fromAutomaton } from "./automaton/from-automaton.ts";
import { toAutomaton } from "./automaton/automaton.ts";
import { withoutLimit } from "./automaton/work-budget.ts";
import { space } from "./tree/json-text.ts";
import type { Node, Tree } from "./tree/tree.ts";

/** How a model writes tool calls, as data. Each dialect has its own. */
export interface CallForm {
  /** "object": {"name": …, "arguments": …} under these two keys. "line": the bare name, a line end, and the arguments. */
  readonly call: { readonly kind: "object"; readonly name: string; readonly arguments: string } | { readonly kind: "line" };
  /** The text before and after each call: "<tool_call>\n", "\n</tool_call>". */
  readonly open?: string;
  readonly close?: string;
  /** The text once before all calls: "[TOOL_CALLS]". */
  readonly begin?: string;
  /** Whether calls stand in a JSON list: when there may be several, always, or never (then `separator` stands between them). */
  readonly list: "parallel" | "always" | "never";
  readonly separator?: string;
}

/** {"name": "read", "arguments": {"path": "a.txt"}}, and a list of these for several calls. */
export const nameForm: CallForm = { call: { kind: "object", name: "name", arguments: "arguments" }, list: "parallel" };

/** {"tool": "read", "args": {"path": "a.txt"}}, and a list of these for several calls. */
export const toolForm: CallForm = { call: { kind: "object", name: "tool", arguments: "args" }, list: "parallel" };

/** One call of one tool, its arguments given, without the text around it. */
export function oneCall(tree: Tree, { call }: CallForm, tool: string, input: Node): Node {
  if (call.kind === "line") return tree.sequence(tree.text(`${tool}\n`), input);
  const ws = space(tree);
  const name = tree.sequence(tree.text(`${JSON.stringify(call.name)}:`), ws, tree.text(`${JSON.stringify(tool)},`));
  return tree.sequence(tree.text("{"), ws, name, ws, tree.text(`${JSON.stringify(call.arguments)}:`), ws, input, ws, tree.text("}"));
}

/** One call, or one and more of them, with all that the form puts around. */
export function allCalls(tree: Tree, form: CallForm, call: Node, parallel: boolean): Node {
  const ws = space(tree);
  const one = tree.sequence(tree.text(form.open ?? ""), call, tree.text(form.close ?? ""));
  const begin = tree.text(form.begin ?? "");
  if (form.list === "never") {
    const more = tree.repeat(tree.sequence(tree.text(form.separator ?? "\n"), one), 0, parallel ? Infinity : 0);
    return tree.sequence(begin, one, more);
  }
  if (form.list === "parallel" && !parallel) return tree.sequence(begin, one);
  const more = tree.repeat(tree.sequence(tree.text(","), ws, one), 0, parallel ? Infinity : 0);
  return tree.sequence(begin, tree.text("["), ws, one, more, ws, tree.text("]"));
}

/** Text in which no call begins: what begins like a call has to be one. */
export function prose(tree: Tree, form: CallForm): Node {
  return tree.define("text", () => {
    const make = new Expressions();
    const anyText = make.then(make.any, make.all);
    const withCall = make.then(make.all, callStart(make, form), make.all);
    const automaton = withoutLimit(() => toAutomaton(make, make.and(anyText, make.not(withCall)), 500));
    return automaton === undefined ? tree.nothing : fromAutomaton(tree, automaton, (set) => tree.set(set), "text");
  });
}

/** The text by which a call of this form is recognised; the only one where the form has a mark of its own. */
export function callMark(form: CallForm): string | undefined {
  return (form.begin ?? form.open)?.trim();
}

function callStart(make: Expressions, form: CallForm): ReturnType<Expressions["set"]> {
  const mark = callMark(form);
  if (mark !== undefined && mark !== "") return make.text(mark);
  const blanks = make.star(make.set([9, 10, 13, 13, 32, 32]));
  if (form.call.kind === "object")
    return make.then(make.text("{"), blanks, make.text(JSON.stringify(form.call.name)), blanks, make.text(":"));
  return make.then(make.set([45, 46, 48, 57, 65, 90, 95, 95, 97, 122]), make.text("\n{"));
}
