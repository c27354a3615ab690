import type { Issue } from "@toolrack/json-schema";
import type { JsonObject } from "@toolrack/json-schema/internal";
import { type ReadInput, readPlain, refuseInput } from "../../tool/input.ts";
import type { Step, StepOutcome } from "../call-plan.ts";
import type { CallState } from "../context.ts";

/** Checks the input against the tool's JSON Schema, and fills in defaults. */
export function validateInput(call: CallState): StepOutcome | Promise<StepOutcome> {
  const read = readPlain(call.plan!.validator!, call.input);
  if (read.issues !== undefined) return repairOnce(call, read.issues, validateInput);
  call.input = read.value as JsonObject;
}

/** The same for a tool with its own Standard Schema, which may be asynchronous. */
export function readInput(call: CallState): StepOutcome | Promise<StepOutcome> {
  const read = call.plan!.readInput(call.input);
  return read instanceof Promise ? read.then((later) => accept(call, later)) : accept(call, read);
}

function accept(call: CallState, read: ReadInput): StepOutcome | Promise<StepOutcome> {
  if (read.issues !== undefined) return repairOnce(call, read.issues, readInput);
  call.input = read.value as JsonObject;
}

/** Refuses an input with these issues, unless it can be repaired: then it goes through the step again. */
export function repairOnce(call: CallState, issues: readonly Issue[], again: Step): StepOutcome | Promise<StepOutcome> {
  return call.host.repairInputs && call.repairs === undefined ? repair(call, issues, again) : refuseInput(call.tool, issues, call.meta());
}

/** Tries the near misses that may be repaired once, then refuses with every issue. What repairs is loaded with the first of them. */
async function repair(call: CallState, issues: readonly Issue[], again: Step): Promise<StepOutcome> {
  const { repairValue } = await import("../late-repair.ts");
  const { value, repairs } = repairValue(call.tool.inputSchema, call.input);
  if (repairs.length === 0) return refuseInput(call.tool, issues, call.meta());
  call.repairs = repairs;
  call.input = value as JsonObject;
  return again(call);
}
