import type { ToolResult } from "../tool/result.ts";
import type { CallState } from "./context.ts";
import type { recordCall } from "./save-record.ts";

/** Emits the start of a call. */
export function announceCall(call: CallState): void {
  const { callId, name, caller, options } = call;
  const parent = options.parent === undefined ? {} : { parentCallId: options.parent.callId };
  const trace = options.trace === undefined ? {} : { trace: options.trace };
  call.host.events.emit({ type: "call-start", callId, tool: call.withoutSecrets(name), caller, ...parent, ...trace });
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
  const closed = tellAndRecord(call);
  return call.deliver === undefined ? closed : deliver(call, closed);
}

/** After the record, which has the whole result. */
async function deliver(call: CallState, closed: ToolResult | Promise<ToolResult>): Promise<ToolResult> {
  const [{ deliverResult }, result] = await Promise.all([import("./deliver-result.ts"), closed]);
  return deliverResult(call, result);
}

function tellAndRecord(call: CallState): ToolResult | Promise<ToolResult> {
  const { host, callId, caller, options } = call;
  call.close();
  const result = (call.result = call.withWarnings(call.result!));
  if (host.events.hasListeners) {
    const trace = options.trace === undefined ? {} : { trace: options.trace };
    host.events.emit({ type: "call-end", callId, ...call.withoutSecrets({ tool: result.meta.tool, result }), caller, ...trace });
  }
  if (host.recorder === undefined && host.closeServices === undefined) return result;
  return save === undefined ? import("./save-record.ts").then((loaded) => (save = loaded.recordCall)(call, result)) : save(call, result);
}

/** Loaded with the first call that is recorded or closes services. */
let save: typeof recordCall | undefined;
