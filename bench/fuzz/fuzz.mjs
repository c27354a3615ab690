import fc from "fast-check";
import { inputsOf } from "./inputs.mjs";

/**
 * Calls one tool with inputs made from its schema, and looks at every result. Answers how many were valid, how the calls ended, and
 * every fault, each with the input that shows it.
 *
 * `call(input)` makes the call. `isValid(input)` is the validator's word. `texts` and `hints` are tried where a text belongs. `between(count, result)`
 * runs after each call and may answer a fault of its own: something that was changed and must not be.
 */
export async function fuzzTool({ tool, call, isValid, texts = [], hints = {}, runs, seed = 20_261_115, between = () => undefined }) {
  const found = { tool: tool.name, calls: 0, valid: 0, succeeded: 0, refused: 0, failed: 0, faults: [] };
  for (const input of fc.sample(inputsOf(tool.inputSchema, { texts, hints }), { numRuns: runs, seed })) {
    const isRight = isValid(input ?? {}); // no input at all counts as an empty one
    const result = await call(input).catch((thrown) => ({ thrown }));
    found.calls++;
    if (isRight) found.valid++;
    if (result.ok) found.succeeded++;
    else if (result.status < 500) found.refused++;
    else found.failed++;
    const fault = faultOf(result, isRight) ?? (await between(found.calls, result));
    if (fault !== undefined && found.faults.length < maxFaults) found.faults.push({ fault, input: shown(input), result: shown(result) });
  }
  return found;
}

const maxFaults = 5;

function faultOf(result, isRight) {
  if (Object.hasOwn(result, "thrown")) return `the call rejected: ${String(result.thrown)}`;
  if (typeof result.ok !== "boolean") return "what came is no result";
  if (Object.prototype.polluted !== undefined) return "the prototype of all objects was changed";
  if (result.ok && !isRight) return "an input that is not valid reached the tool";
  if (result.ok) return shown(result) === undefined ? "the result is not JSON" : undefined;
  if (typeof result.error !== "string" || result.error.trim() === "" || result.error.includes("[object Object]"))
    return "the error says nothing";
  if (["OUTPUT_INVALID", "RESULT_INVALID"].includes(result.code)) return `the tool's own output is wrong: ${result.error}`;
  return bugs.test(result.error) ? `a mistake in the tool: ${result.error}` : undefined;
}

/** What JavaScript says where a program is wrong. */
const bugs =
  /is not a function|is not iterable|Cannot (read|set|convert|destructure)|is not defined|Maximum call stack|Invalid array length|must be of type/;

function shown(value) {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 500);
  } catch {
    return undefined;
  }
}
