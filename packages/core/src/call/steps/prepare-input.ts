import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import type { Step, StepOutcome } from "../call-plan.ts";
import type { CallState } from "../context.ts";
import { hasMoreKeys, tooManyKeys } from "../input-size.ts";
import { privateCopy } from "../../util/private-copy.ts";
import type { Wrapper } from "../wrapper.ts";

/** A wrapper's `prepare` as a step: the same input under its canonical names. */
export function toInputStep(prepare: NonNullable<Wrapper["prepare"]>): Step {
  return (call) => {
    if (isObject(call.input)) call.input = prepare(call.input, call);
  };
}

/** Refuses an input that would cost every later step too much. */
export function boundInput(call: CallState): StepOutcome {
  const { inputKeys } = call.host;
  if (hasMoreKeys(call.input, inputKeys)) return call.fail("INPUT_INVALID", tooManyKeys(call.tool.name, inputKeys));
}

/** What is checked and approved is what runs: the caller cannot change its object while the call waits. */
export function copyInput(call: CallState): void {
  call.input = privateCopy(call.input);
}

/** Adds the values of the tool's saved configuration that the input does not set. */
export function applySavedConfig(call: CallState): StepOutcome | Promise<StepOutcome> {
  if (!isObject(call.input)) return;
  const config = call.host.config?.get(call.tool.name);
  if (config === undefined) return;
  if (config instanceof Promise) return config.then((saved) => addConfig(call, saved));
  addConfig(call, config);
}

/** The input wins over the saved configuration; what neither sets is left to the schema's defaults. */
function addConfig(call: CallState, config: Readonly<JsonObject> | undefined): void {
  call.config = config;
  const properties = call.tool.inputSchema["properties"];
  if (config === undefined || !isObject(properties)) return;
  for (const name of Object.keys(config)) {
    if (!Object.hasOwn(properties, name) || Object.hasOwn(call.input, name)) continue;
    call.input = { ...call.input, [name]: config[name] };
    call.noteConfigured(name);
  }
}
