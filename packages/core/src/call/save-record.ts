import type { ToolResult } from "../tool/result.ts";
import { withCause } from "../tool/with-cause.ts";
import type { CallState } from "./context.ts";
import { inBrief } from "./input-size.ts";
import type { CallRecord } from "./ports/recorder.ts";

/** The record and the services come last: an error there is a warning, and the result of the call stays as it is. */
export function recordCall(call: CallState, result: ToolResult): ToolResult | Promise<ToolResult> {
  if (call.services === undefined || call.host.closeServices === undefined) return saveRecord(call, result);
  return closeServices(call, result).then(() => saveRecord(call, result));
}

async function closeServices(call: CallState, result: ToolResult): Promise<void> {
  try {
    await call.host.closeServices?.(call.services, result);
  } catch (error) {
    warn(call, "Closing the services failed.", error);
  }
}

function saveRecord(call: CallState, result: ToolResult): ToolResult | Promise<ToolResult> {
  try {
    const kept = call.host.recorder?.record(toRecord(call, result));
    if (kept !== undefined) {
      return kept.then(
        (stands) => {
          recorded(call);
          return stands ?? call.withWarnings(result);
        },
        (error: unknown) => notRecorded(call, result, error),
      );
    }
    recorded(call);
  } catch (error) {
    return notRecorded(call, result, error);
  }
  return call.withWarnings(result);
}

/** Where starts are recorded, too, they tell whether the outage is over. */
function recorded({ host }: CallState): void {
  if (host.recorder?.begin === undefined) host.recordOutage.worked();
}

function notRecorded(call: CallState, result: ToolResult, error: unknown): ToolResult {
  const fact = "The call was not recorded.";
  call.host.recordOutage.failed(fact, { tool: call.tool.name, callId: call.callId, error: withCause(error) });
  call.warn(`${fact} The log says why.`);
  return call.withWarnings(result);
}

/** The reason goes to the log only: it may contain an address or a password. */
function warn(call: CallState, fact: string, error: unknown): void {
  call.host.log.error(fact, { tool: call.tool.name, callId: call.callId, error: withCause(error) });
  call.warn(`${fact} The log says why.`);
}

function toRecord(call: CallState, result: ToolResult): CallRecord {
  const { callId, caller, options, startedAt, extras } = call;
  // What did not run is recorded at the same cost whatever its size.
  const [input, kept] = [call.withoutSecrets(call.hasStarted || result.ok ? call.input : inBrief(call.input)), call.withoutSecrets(result)];
  const { trace, labels } = options;
  const record: CallRecord = {
    callId,
    tool: result.meta.tool,
    input,
    caller,
    startedAt,
    result: kept,
    trace,
    labels,
    deliver: call.deliver,
    isApproved: call.agreed === undefined ? undefined : true,
  };
  const stack = result.ok ? undefined : extras?.stack;
  const isAsked = extras?.earlyWaits !== undefined && !call.hasStarted;
  if (options.parent === undefined && stack === undefined && !call.isNotBegun && !isAsked) return record;
  return {
    ...record,
    ...(options.parent !== undefined && { parentCallId: options.parent.callId }),
    ...(stack !== undefined && { stack }),
    ...(call.isNotBegun && { notBegun: true }),
    ...(isAsked && { isAsked }),
  };
}
