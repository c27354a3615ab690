import { describeThrown, type ToolResult } from "../tool/result.ts";
import type { CallState } from "./context.ts";
import type { CallRecord } from "./ports/recorder.ts";

/** Emits the start of a call. */
export function announceCall(call: CallState): void {
  const { callId, name, caller, options } = call;
  const parent = options.parent === undefined ? {} : { parentCallId: options.parent.callId };
  const trace = options.trace === undefined ? {} : { trace: options.trace };
  call.host.events.emit({ type: "call-start", callId, tool: name, caller, ...parent, ...trace });
}

/** The end of every call: what it held is released, listeners are told, and the call is recorded. */
export function endCall(call: CallState): ToolResult | Promise<ToolResult> {
  const { host } = call;
  if (call.extras !== undefined || host.recordsOrCloses || host.events.hasListeners) return closeCall(call);
  // The common case: no listeners, and nothing to release.
  call.isOver = true;
  return call.result!;
}

function closeCall(call: CallState): ToolResult | Promise<ToolResult> {
  const { host, callId, caller, options } = call;
  call.close();
  const result = (call.result = call.withWarnings(call.result!));
  if (host.events.hasListeners) {
    const trace = options.trace === undefined ? {} : { trace: options.trace };
    host.events.emit({ type: "call-end", callId, tool: result.meta.tool, caller, result, ...trace });
  }
  return host.recorder === undefined && host.closeServices === undefined ? result : recordCall(call, result);
}

/** The record and the services come last: an error there is a warning, and the result of the call stays as it is. */
function recordCall(call: CallState, result: ToolResult): ToolResult | Promise<ToolResult> {
  if (call.services === undefined || call.host.closeServices === undefined) return saveRecord(call, result);
  return closeServices(call, result).then(() => saveRecord(call, result));
}

async function closeServices(call: CallState, result: ToolResult): Promise<void> {
  try {
    await call.host.closeServices?.(call.services, result);
  } catch (error) {
    call.warn(`Closing the services failed: ${describeThrown(error)}`);
  }
}

function saveRecord(call: CallState, result: ToolResult): ToolResult | Promise<ToolResult> {
  try {
    const kept = call.host.recorder?.record(toRecord(call, result));
    if (kept !== undefined) {
      return kept.then(
        (stands) => stands ?? call.withWarnings(result),
        (error: unknown) => notRecorded(call, result, error),
      );
    }
  } catch (error) {
    return notRecorded(call, result, error);
  }
  return call.withWarnings(result);
}

function notRecorded(call: CallState, result: ToolResult, error: unknown): ToolResult {
  call.warn(`The call was not recorded: ${describeThrown(error)}`);
  return call.withWarnings(result);
}

function toRecord(call: CallState, result: ToolResult): CallRecord {
  const { callId, caller, options, startedAt, extras } = call;
  const [input, kept] = [call.withoutSecrets(call.input), call.withoutSecrets(result)];
  const { trace } = options;
  const record: CallRecord = {
    callId,
    tool: result.meta.tool,
    input,
    caller,
    startedAt,
    result: kept,
    trace,
    isApproved: call.agreed === undefined ? undefined : true,
  };
  const stack = result.ok ? undefined : extras?.stack;
  if (options.parent === undefined && stack === undefined && !call.isNotBegun) return record;
  return {
    ...record,
    ...(options.parent !== undefined && { parentCallId: options.parent.callId }),
    ...(stack !== undefined && { stack }),
    ...(call.isNotBegun && { notBegun: true }),
  };
}
