import type { CallHost, InvokeOptions } from "../call/host.ts";
import { createIdempotentCalls } from "../call/idempotency.ts";
import { invoke } from "../call/invoke.ts";
import { failure, type ToolResult } from "../tool/result.ts";
import type { Permission } from "./permission.ts";
import type { Registry } from "./registry.ts";

const noOptions: InvokeOptions = Object.freeze({});

/** The methods that call tools. */
export function createCallMethods(host: CallHost, permission: Permission): Pick<Registry, "invoke" | "callAll"> {
  const idempotent = createIdempotentCalls();

  function invokeOnce(name: string, input: unknown, options: InvokeOptions): Promise<ToolResult> {
    // The policy decides first: a tool that is hidden by now is refused by the call itself, and no earlier answer is given again.
    const { caller = {} } = options;
    const plan = host.find(name, caller);
    if (plan === undefined || permission.decision(plan.tool.name, caller)?.allowed !== true)
      return Promise.resolve(invoke(host, name, input, options));
    const refused = (error: string): ToolResult =>
      failure("INPUT_INVALID", error, { callId: host.nextCallId(), tool: name, durationMs: 0 });
    return idempotent.once(name, input, options, () => invoke(host, name, input, options), refused);
  }

  const methods: Pick<Registry, "invoke" | "callAll"> = {
    invoke(name, input, options = noOptions) {
      return options.idempotencyKey === undefined ? invoke(host, name, input, options) : invokeOnce(name, input, options);
    },
    callAll(requests, options = noOptions) {
      const { callId: _, idempotencyKey, ...shared } = options;
      // Each call of the reply has its own id, and its own part of the key.
      const optionsOf = (callId: string | undefined, index: number): InvokeOptions => ({
        ...shared,
        ...(callId !== undefined && { callId }),
        ...(idempotencyKey !== undefined && { idempotencyKey: `${idempotencyKey}/${index}` }),
      });
      return Promise.all(requests.map(({ name, input, callId }, index) => methods.invoke(name, input, optionsOf(callId, index))));
    },
  };
  return methods;
}
