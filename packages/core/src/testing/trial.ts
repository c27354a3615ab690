import { createRegistry } from "../registry/create.ts";
import type { RegistryOptions } from "../registry/options.ts";
import type { Caller } from "../tool/context.ts";
import { toFailure, type ToolResult } from "../tool/result.ts";
import type { AnyTool } from "../tool/shapes.ts";
import { changeTool, type ToolDefinition } from "../tool/tool.ts";

/** Where a tool is tried: services, secrets, configuration and all else are handed in as for `createRegistry`. */
export interface TrialOptions<Services = unknown> extends Omit<RegistryOptions<Services>, "outputValidation" | "repairInputs"> {
  /** Who calls. @default the owner, so that tools for the owner can be tried */
  readonly caller?: Caller;
  /** Other tools that this one calls: mocks, as a rule. */
  readonly tools?: readonly AnyTool[];
  /** How long one run may take. @default 10_000 */
  readonly timeoutMs?: number;
}

/** One call in a registry of its own; undefined where it did not end in time. The handler given stands in for the tool's own. */
export async function tryTool<Services>(
  tool: ToolDefinition,
  input: unknown,
  options: TrialOptions<Services>,
  handler: ToolDefinition["handler"] = tool.handler,
): Promise<ToolResult | undefined> {
  const { caller = { owner: true }, tools = [], timeoutMs = defaultTimeoutMs, ...registryOptions } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A timer of the machine, because a clock that was handed in may stand still.
  const cancelling = new AbortController();
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), timeoutMs)));
  // A call that is not waited for any more holds no timer.
  void late.then(() => cancelling.abort());
  try {
    const registry = createRegistry<Services>({ ...registryOptions, outputValidation: "off" });
    for (const one of [changeTool(tool, { handler }), ...tools]) registry.register(one);
    return await Promise.race([registry.invoke(tool.name, input, { caller, signal: cancelling.signal }), late]);
  } catch (error) {
    return toFailure(error, { callId: "", tool: tool.name, durationMs: 0 });
  } finally {
    clearTimeout(timer);
  }
}

/** The sentence about a run that did not succeed; undefined for one that did. */
export function whyFailed(result: ToolResult | undefined, options: { readonly timeoutMs?: number }): string | undefined {
  if (result === undefined) return `The handler did not end within ${options.timeoutMs ?? defaultTimeoutMs} ms.`;
  return result.ok ? undefined : `It answered ${result.code}: ${result.error}`;
}

const defaultTimeoutMs = 10_000;
