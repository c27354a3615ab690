import { type Issue, type Validator, validatorFor } from "@toolrack/json-schema";
import { isObject, nameOf, pointerOf } from "@toolrack/json-schema/internal";
import { entriesOf, readPlain } from "../../tool/input.ts";
import type { Pins, ToolDefinition } from "../../tool/tool.ts";
import type { Step } from "../call-plan.ts";
import type { CallState } from "../context.ts";
import { declaredName } from "../wrappers/param-names.ts";
import { readInput, repairOnce } from "./validate-input.ts";

/**
 * The steps that read the input of a tool with pins: what the caller gave is checked against the schema that callers see; then what is
 * configured and pinned is added, and the whole is validated as the tool underneath takes it. What follows (hooks, rules, approval, record)
 * sees the whole. The configuration of visible parameters is there before, because a caller may leave to it what the schema requires.
 */
export function pinnedInputSteps(tool: ToolDefinition, pins: Pins): readonly Step[] {
  const shown = validatorFor(tool.inputSchema);
  const checkShown: Step = (call: CallState) => {
    const issues = issuesOf(call.input, { shown, tool, pins });
    if (issues !== undefined) return repairOnce(call, issues, checkShown);
  };
  return [checkShown, (call: CallState) => addWithheldConfig(call, pins), readInput];
}

interface Shown {
  readonly shown: Validator;
  readonly tool: ToolDefinition;
  readonly pins: Pins;
}

/** What is wrong with what a caller gave; undefined: nothing. */
function issuesOf(input: unknown, { shown, tool, pins }: Shown): readonly Issue[] | undefined {
  const given = isObject(input) ? Object.keys(input).filter((key) => isWithheld(key, tool, pins)) : [];
  if (given.length > 0) return given.map(notTaken);
  return readPlain(shown, input).issues;
}

/** Also under an alias or another spelling, which the tool underneath may read as the parameter. */
function isWithheld(key: string, tool: ToolDefinition, { own, withheld }: Pins): boolean {
  if (withheld.has(key)) return true;
  const visible = tool.inputSchema["properties"];
  return !(isObject(visible) && Object.hasOwn(visible, key)) && withheld.has(declaredName(key, own));
}

function notTaken(key: string): Issue {
  const name = key.length > 80 ? `${key.slice(0, 80)}…` : key;
  return {
    path: pointerOf([name]),
    keyword: "additionalProperties",
    message: `${nameOf([name])} is not a parameter of this tool. Leave it out.`,
    expected: "no value",
    received: "a value",
  };
}

/** Callers cannot give a hidden parameter; the saved configuration can. */
function addWithheldConfig(call: CallState, { withheld, values }: Pins): void {
  if (!isObject(call.config)) return;
  const configured = entriesOf(call.config, (name) => withheld.has(name) && !Object.hasOwn(values, name));
  for (const name of Object.keys(configured)) call.noteConfigured(name);
  call.input = { ...call.input, ...configured };
}
