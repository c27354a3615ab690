import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { allowManyListeners } from "#platform";
import { ToolError } from "../errors.ts";
import type { AgentTool } from "../tool/agent-tool.ts";
import { toolProblem } from "../tool/check-list.ts";
import type { CallContext } from "../tool/context.ts";
import { createInputReader, refuseInput } from "../tool/input.ts";
import { readReturned } from "../tool/read-returned.ts";
import { type CallMeta, failure, type ToolFailure, toFailure, type ToolResult } from "../tool/result.ts";
import { readTool } from "../tool/shapes.ts";
import { ownMetadata } from "../tool/snake-case.ts";
import { changeTool, isDefinedTool, type ToolDefinition } from "../tool/tool.ts";
import { checkArgument, type FieldKind } from "../util/check-fields.ts";
import { systemClock } from "../util/clock.ts";
import type { BeforeCallHook } from "./hooks.ts";
import { wrapRun } from "./wrap-run.ts";
import { assertWrapper, type Call, type Wrapper } from "./wrapper.ts";
import { abortWrapper } from "./wrappers/abort.ts";
import { createBeforeHooks } from "./wrappers/before-hooks.ts";
import { paramNames } from "./wrappers/param-names.ts";
import { createWorkspaceGuard, type WorkspaceGuardOptions } from "./wrappers/workspace-guard.ts";
import type { AbortSignal } from "../util/abort-signal.ts";

export { sanitizeToolResultImages } from "./check-images.ts";

/**
 * The same tool with one wrapper around its handler, for those who keep their tools in a plain array and use no registry.
 * The last one put on is the first to see a call. An input that a wrapper changed is validated again before the handler sees it.
 */
export function withWrapper(tool: ToolDefinition, wrapper: Wrapper): ToolDefinition {
  const problem = isDefinedTool(tool) ? undefined : toolProblem(tool);
  if (problem !== undefined) throw new ToolError("DEFINITION_INVALID", `withWrapper: the tool ${problem}`);
  checkArgument(wrapper, wrapperKind, "withWrapper");
  assertWrapper(wrapper);
  return wrapper.appliesTo?.(tool) === false ? tool : wrapHandler(tool, wrapper, []);
}

const wrapperKind: FieldKind = { is: "a wrapper as its second argument, such as { name, beforeRun }", test: isObject };

/** Refuses paths outside of `root`, and paths to what is `hidden`. */
export function wrapToolWorkspaceRootGuard(
  tool: ToolDefinition | AgentTool,
  root: string,
  options: Pick<WorkspaceGuardOptions, "hidden"> = {},
): ToolDefinition {
  return withWrapper(toDefinition(tool), createWorkspaceGuard({ root, ...options }));
}

/** Cancels calls when `signal` is aborted. A handler that ignores its signal is not awaited. */
export function wrapToolWithAbortSignal(tool: ToolDefinition | AgentTool, signal: AbortSignal): ToolDefinition {
  allowManyListeners(signal); // one listener for each running call is not a leak
  return wrapHandler(toDefinition(tool), abortWrapper, [signal]);
}

/** Runs the hook before each call. A hook that throws blocks the call. */
export function wrapToolWithBeforeToolCallHook(tool: ToolDefinition | AgentTool, hook: BeforeCallHook): ToolDefinition {
  return withWrapper(toDefinition(tool), createBeforeHooks([hook]));
}

/** Accepts parameters in camelCase and snake_case, and under the tool's aliases. */
export function wrapToolParamNormalization(tool: ToolDefinition | AgentTool): ToolDefinition {
  return withWrapper(toDefinition(tool), paramNames);
}

/** Removes tools that only the owner may use, unless the sender is known to be the owner. */
export function applyOwnerOnlyToolPolicy<Tool extends Pick<AgentTool, "metadata" | "ownerOnly">>(
  tools: readonly Tool[],
  senderIsOwner: boolean,
): Tool[] {
  return tools.filter((tool) => senderIsOwner === true || !isOwnerOnly(tool));
}

/** Also in the spelling of other systems, which is read when the tool is registered: { owner_only: true }. */
function isOwnerOnly(tool: Pick<AgentTool, "metadata" | "ownerOnly">): boolean {
  const metadata = ownMetadata(tool);
  return tool.ownerOnly === true || (isObject(metadata) && metadata["ownerOnly"] === true);
}

/** A tool with `execute` as a definition; what has no shape of a tool is left for the checks of definitions. */
function toDefinition(tool: ToolDefinition | AgentTool): ToolDefinition {
  return isObject(tool) && "execute" in tool && !("inputSchema" in tool) ? readTool(tool as AgentTool) : (tool as ToolDefinition);
}

function wrapHandler(tool: ToolDefinition, wrapper: Wrapper, signals: readonly AbortSignal[]): ToolDefinition {
  const run = wrapRun(wrapper, (call) => runHandler(call as HandlerCall));
  return changeTool(tool, {
    async handler(input: JsonObject, context) {
      const joined = joinSignals([context.signal, ...signals]);
      try {
        return await run(toCall(tool, input, context, joined.controller));
      } finally {
        joined.release();
      }
    },
  });
}

interface HandlerCall extends Call {
  /** The handler's own, with the signal of this call. */
  readonly context: CallContext;
  /** The input that is known to match the schema. */
  checked: JsonObject;
  meta(): CallMeta;
}

function toCall(tool: ToolDefinition, input: JsonObject, context: CallContext, controller: AbortController): HandlerCall {
  const { callId, caller } = context;
  const { signal } = controller;
  const started = systemClock.now();
  const meta = (): CallMeta => ({ callId, tool: tool.name, durationMs: systemClock.now() - started });
  const call: HandlerCall = {
    callId,
    tool,
    caller,
    parents: [],
    input,
    checked: input,
    signal,
    callerSignal: signal,
    clock: systemClock,
    runsSince: started,
    timeoutMs: tool.metadata?.limits?.timeoutMs || undefined,
    approval: undefined,
    attempts: 0,
    context: withSignal(context, signal),
    cancel: (reason) => controller.abort(reason),
    warn: (text) => context.log.warn(text, { tool: tool.name, callId }),
    fail: (code, error, more) => failure(code, error, meta(), more),
    replaceInput: (changed) => checkAgain(call, changed),
    meta,
  };
  return call;
}

async function checkAgain(call: HandlerCall, input: unknown): Promise<ToolFailure | undefined> {
  const read = await createInputReader(call.tool)(input);
  if (read.issues !== undefined) return refuseInput(call.tool, read.issues, call.meta());
  call.input = call.checked = read.value as JsonObject;
  return undefined;
}

async function runHandler(call: HandlerCall): Promise<ToolResult> {
  try {
    const refused = call.input === call.checked ? undefined : await checkAgain(call, call.input);
    if (refused !== undefined) return refused;
    const { context, signal, meta } = call;
    return await readReturned(await call.tool.handler(call.input, context), { signal, progress: context.progress, meta });
  } catch (thrown) {
    return toFailure(thrown, call.meta());
  }
}

/** One controller that follows the first signal to abort; `release` removes all listeners. */
function joinSignals(signals: readonly AbortSignal[]): { readonly controller: AbortController; release(): void } {
  const controller = new AbortController();
  const follow = (): void => controller.abort(signals.find((signal) => signal.aborted)?.reason);
  if (signals.some((signal) => signal.aborted)) follow();
  for (const signal of signals) signal.addEventListener("abort", follow, { once: true });
  return { controller, release: () => signals.forEach((signal) => signal.removeEventListener("abort", follow)) };
}

/** Each member is named, since a context may have members that a copy or a subclass would lose. */
function withSignal(context: CallContext, signal: AbortSignal): CallContext {
  const { callId, caller, services, config, log } = context;
  return {
    callId,
    caller,
    signal,
    services,
    config,
    log,
    get pathRules() {
      return context.pathRules;
    },
    secret: (name) => context.secret(name),
    call: (tool, input) => context.call(tool, input),
    ask: (request) => context.ask(request),
    progress: (update) => context.progress(update),
  };
}
