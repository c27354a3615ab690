import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../../errors.ts";
import { kindOf } from "../../util/kind-of.ts";

/** Throws RESULT_INVALID for results that do not answer the calls: the wrong number of them, or something else than results. */
export function checkResults(calls: unknown, results: unknown): void {
  if (!Array.isArray(calls)) throw fault(`writeResults needs the list of calls that readCalls returned, and got ${kindOf(calls)}.`);
  if (!Array.isArray(results))
    throw fault(`writeResults needs a list with one result for each call, and got ${kindOf(results)}. Pass await registry.callAll(calls).`);
  if (results.length > calls.length)
    throw fault(`writeResults got ${results.length} results for ${calls.length} calls. Give one for each call, in the order of the calls.`);
  const wrong = results.findIndex((result) => result !== undefined && (!isObject(result) || typeof result["ok"] !== "boolean"));
  if (wrong !== -1)
    throw fault(
      `writeResults: result ${wrong} is ${kindOf(results[wrong])}, not the result of a call. Pass what registry.callAll, registry.invoke or executeTool returned.`,
    );
}

const choices = '"auto", "none", "required", { tool: "name" } or { tools: ["name"], mode: "auto" or "required" }';

/** Throws CONFIG_INVALID for a choice that is none of those we know. */
export function checkChoice(choice: unknown): void {
  if (choice === "auto" || choice === "none" || choice === "required") return;
  if (isObject(choice)) {
    const { tool, tools, mode, ...rest } = choice;
    const isOne = typeof tool === "string" && tools === undefined && mode === undefined;
    const areSome = tool === undefined && Array.isArray(tools) && tools.length > 0 && tools.every((name) => typeof name === "string");
    const isMode = mode === undefined || mode === "auto" || mode === "required";
    if (Object.keys(rest).length === 0 && (isOne || (areSome && isMode))) return;
  }
  const given = typeof choice === "string" ? JSON.stringify(choice.slice(0, 64)) : kindOf(choice);
  throw new ToolError("CONFIG_INVALID", `writeChoice does not know the choice ${given}. Use ${choices}.`);
}

function fault(message: string): ToolError {
  return new ToolError("RESULT_INVALID", message);
}
