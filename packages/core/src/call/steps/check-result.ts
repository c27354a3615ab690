import type { ToolResult } from "../../tool/result.ts";
import type { Step, StepOutcome } from "../call-plan.ts";
import type { CallState } from "../context.ts";
import type { Wrapper } from "../wrapper.ts";
import { redactionParts } from "../late-redaction.ts";

/** The first step after the handler: its output is checked, and the secrets that it was given are taken out of the result. */
export function checkResult(call: CallState): StepOutcome | Promise<StepOutcome> {
  const { extras, plan, host } = call;
  if (extras?.shownInput !== undefined) call.input = extras.shownInput;
  const checked = plan!.output !== undefined && host.outputValidation !== "off" ? checkOutput(call) : call.result!;
  return extras?.secrets === undefined ? checked : hideSecrets(call, checked, extras.secrets);
}

/** A wrapper's `finish` as a step. */
export function toResultStep(name: string, finish: NonNullable<Wrapper["finish"]>): Step {
  return (call: CallState) => {
    const result = call.result!;
    const finished = finish(result, call);
    if (finished === undefined) throw new TypeError("A wrapper returned no result.");
    if (call.refusal === undefined) return finished;
    const keep = (next: ToolResult): ToolResult => keepRefusal(result, next, name, call);
    return finished instanceof Promise ? finished.then(keep) : keep(finished);
  };
}

/** A call that was refused stays refused. */
function keepRefusal(result: ToolResult, finished: ToolResult, name: string, call: CallState): ToolResult {
  if (finished?.ok !== true) return finished;
  call.warn(`The wrapper "${name}" returned a success for a call that was refused. The call stays refused.`);
  return result;
}

function checkOutput(call: CallState): ToolResult {
  const { plan, host } = call;
  const result = call.result!;
  if (!result.ok) return result;
  const output = result.data === undefined ? result.content : result.data;
  if (plan!.output!.check(output)) return result;
  // A handler that returned null or nothing has no data and no text.
  if (output === "" && plan!.output!.check(null)) return result;
  const issues = plan!.output!.explain(output).map((issue) => ({ ...issue, message: issue.message.replace(/^The input/, "The output") }));
  // Values are not quoted: a warning is not redacted.
  const faults = issues.map(({ path, expected }) => `${path === "" ? "the output" : path} must be ${expected}`).join("; ");
  const text = `The output of tool "${call.tool.name}" does not match its output schema: ${faults}.`;
  if (host.outputValidation === "strict") return call.fail("OUTPUT_INVALID", text, { issues });
  call.warn(text);
  return result;
}

function hideSecrets(call: CallState, result: ToolResult, secrets: readonly string[]): ToolResult | Promise<ToolResult> {
  const { finish: redact } = redactionParts().createRedaction({ values: () => secrets });
  return redact!(result, call);
}
