import { isObject } from "@toolrack/json-schema/internal";
import { readJson } from "./json-span.ts";

export interface FoundCall {
  readonly name: string;
  readonly input: unknown;
  /** Why the arguments could not be read; `input` is the text of them then. */
  readonly error?: string;
}

const nameKeys = ["name", "tool", "tool_name", "function"];
const inputKeys = ["arguments", "args", "parameters", "input", "tool_input"];
const listKeys = ["tool_calls", "calls"];

/** The calls that a JSON value is: one, a list of nothing but calls, or an object that holds such a list. Empty for data. */
export function callsIn(value: unknown): readonly FoundCall[] {
  if (Array.isArray(value)) {
    const calls = value.map(callOf);
    return calls.every((call) => call !== undefined) ? calls : [];
  }
  if (!isObject(value)) return [];
  const list = listKeys.find((key) => Object.hasOwn(value, key) && Array.isArray(value[key]));
  if (list !== undefined) return callsIn(value[list]);
  const call = callOf(value);
  return call === undefined ? [] : [call];
}

/** Whether a text that breaks off began as a call: it names its tool first. */
export function looksLikeCall(text: string): boolean {
  return /^(?:\[\s*)?\{\s*"(?:name|tool|tool_name|tool_calls|function)"\s*:/.test(text);
}

/** A name and arguments. With a description it is the declaration of a tool, which models like to repeat. */
function callOf(value: unknown): FoundCall | undefined {
  if (!isObject(value) || Object.hasOwn(value, "description")) return undefined;
  if (Object.hasOwn(value, "function") && isObject(value["function"])) return callOf(value["function"]);
  const nameKey = nameKeys.find((key) => Object.hasOwn(value, key));
  const inputKey = inputKeys.find((key) => Object.hasOwn(value, key));
  if (nameKey === undefined || inputKey === undefined) return undefined;
  const name = value[nameKey];
  if (typeof name !== "string" || !/^[\w.:/-]{1,128}$/.test(name)) return undefined;
  return readInput(name, value[inputKey]);
}

/** Arguments are an object, or the JSON text of one. */
export function readInput(name: string, input: unknown): FoundCall | undefined {
  if (isObject(input)) return { name, input };
  if (input === null) return { name, input: {} };
  if (typeof input !== "string") return undefined;
  const read = input.trim() === "" ? { json: {} } : readJson(input);
  return read !== undefined && isObject(read.json)
    ? { name, input: read.json }
    : { name, input, error: "its arguments are no JSON object" };
}
