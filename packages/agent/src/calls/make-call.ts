import type { ToolDefinition, ToolResult } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import type { ToolCall } from "@toolrack/core/vendors";
import { finishTool } from "../criteria/finish-tool.ts";
import { callMemoryOf } from "./call-memory.ts";
import { type CallScope, refuse } from "./scope.ts";

/** A call as it is made: one through our own `call_tool` is the call of the tool that it names. */
export interface NamedCall {
  readonly name: string;
  readonly input: unknown;
}

export function namedCall({ name, input }: ToolCall, { offer }: Pick<CallScope, "offer">): NamedCall {
  if (name !== "call_tool" || !offer.own.has(name) || !isObject(input) || typeof input["name"] !== "string") return { name, input };
  return { name: input["name"], input: input["input"] ?? {} };
}

/** The tool that a call is about, if this caller has it. */
export function toolOf(call: ToolCall, scope: Pick<CallScope, "registry" | "caller" | "offer">): ToolDefinition | undefined {
  const { name } = namedCall(call, scope);
  return scope.offer.own.get(name) ?? scope.registry.view(scope.caller).offered(name) ?? scope.registry.get(name);
}

/** Makes one call, or says why not. Never rejects. */
export async function makeCall(call: ToolCall, callId: string, scope: CallScope): Promise<ToolResult> {
  const { emit, signal } = scope;
  const { name, input } = namedCall(call, scope);
  const told = (result: ToolResult): ToolResult => {
    emit({ type: "result", callId, tool: name, result });
    return result;
  };
  emit({ type: "call", callId, tool: name, input });
  if (call.error !== undefined) return told(refuse(call.error.code, call.error.message, callId, name));
  if (signal.aborted) return told(refuse("ABORTED", `Tool "${name}" was not called: the run ended before.`, callId, name));
  if (scope.meter.callsLeft < 1) {
    return told(
      refuse(
        "BUDGET_EXCEEDED",
        `Tool "${name}" was not called: the calls of this run are used up. Answer with what you have.`,
        callId,
        name,
      ),
    );
  }
  scope.meter.addCall();
  const own = scope.offer.own.get(name);
  const result = await (own === undefined ? callRegistered(call, callId, scope) : callOwn(own, input, callId, scope));
  return told(result);
}

async function callOwn(tool: ToolDefinition, input: unknown, callId: string, scope: CallScope): Promise<ToolResult> {
  const { caller, signal } = scope;
  const early = tool === finishTool ? await scope.tooEarly() : undefined;
  if (early !== undefined) return refuse("BLOCKED", early, callId, tool.name);
  return scope.offer.invokeOwn(tool.name, input, { caller, signal, callId });
}

async function callRegistered(call: ToolCall, callId: string, scope: CallScope): Promise<ToolResult> {
  const { registry, caller, signal, approvals, emit } = scope;
  const { name, input } = namedCall(call, scope);
  if (!scope.offer.allows(name)) {
    return refuse(
      "TOOL_NOT_ALLOWED",
      `Tool "${name}" is none of the phase "${caller.phase}". Call one of the tools that you were given.`,
      callId,
      name,
    );
  }
  const missing = missingInputs(call, scope);
  if (missing !== undefined) return refuse("BLOCKED", missing, callId, name);
  const memory = callMemoryOf(registry);
  const invoke = (): Promise<ToolResult> =>
    registry.invoke(name, input, {
      caller,
      signal,
      callId,
      idempotencyKey: callId,
      onProgress: (progress) => emit({ type: "progress", callId, tool: name, progress }),
      ...(approvals.length > 0 && { approval: approvals }),
    });
  const first = await memory.begin(callId, invoke);
  // A registry of another process asks anew, and takes the answer that we have when it is asked again.
  const isAnswered = waitsFor(first) !== undefined && approvals.some(({ digest }) => digest === waitsFor(first)?.digest);
  return isAnswered ? memory.begin(callId, invoke) : first;
}

/** "Inputs missing: …" with the tools that produce them. */
function missingInputs(call: ToolCall, scope: CallScope): string | undefined {
  const tool = toolOf(call, scope);
  const missing = tool === undefined ? [] : scope.progress.missingInputs(tool);
  if (missing.length === 0) return undefined;
  const names = missing.map((artifact) => `"${artifact}"`).join(", ");
  const producers = scope.registry
    .view(scope.caller)
    .tools.filter(({ metadata }) => metadata?.produces?.some((artifact) => missing.includes(artifact)))
    .slice(0, 5);
  const next =
    producers.length === 0 ? "No tool here produces it." : `Call ${producers.map(({ name }) => `"${name}"`).join(" or ")} first.`;
  return `Inputs missing: tool "${tool!.name}" needs ${names}, which nothing has produced so far. ${next}`;
}

/** What a person has to decide before the call can be made. */
export function waitsFor(result: ToolResult): { readonly tool: string; readonly digest: string; readonly reason?: string } | undefined {
  return !result.ok && result.code === "APPROVAL_REQUIRED" ? result.approval : undefined;
}
