import { faultIn, optionsFault } from "../call/check-options.ts";
import type { CallHost, InvokeOptions } from "../call/host.ts";
import type { IdempotentCalls } from "../call/idempotency.ts";
import { invoke } from "../call/invoke.ts";
import type { CallPlan } from "../call/call-plan.ts";
import type { Caller } from "../tool/context.ts";
import type { ErrorCode } from "../errors.ts";
import { failure, type ToolResult } from "../tool/result.ts";
import { anything, checkArgument, checkFields, type FieldKind, type Fields, objectWith, required, text } from "../util/check-fields.ts";
import type { Permission } from "./permission.ts";
import type { Registry } from "./registry.ts";

const noOptions: InvokeOptions = Object.freeze({});

/** The methods that call tools. */
export function createCallMethods(host: CallHost, permission: Permission): Pick<Registry, "invoke" | "callAll"> {
  /** Loaded with the first key. */
  let idempotent: Promise<IdempotentCalls> | undefined;

  async function invokeOnce(name: string, input: unknown, options: InvokeOptions): Promise<ToolResult> {
    idempotent ??= import("../call/idempotency.ts").then(({ createIdempotentCalls }) => createIdempotentCalls());
    const calls = await idempotent;
    // What would be refused by now is refused by the call itself, and no earlier answer is given again.
    const { caller = {} } = options;
    const plan = host.find(name, caller);
    if (plan === undefined || (await isRefused(plan, input, caller))) return invoke(host, name, input, options);
    const refused = (error: string): ToolResult =>
      failure("INPUT_INVALID", error, { callId: host.nextCallId(), tool: name, durationMs: 0 });
    return calls.once(name, input, options, () => invoke(host, name, input, options), refused);
  }

  async function isRefused({ tool, readInput }: CallPlan, input: unknown, caller: Caller): Promise<boolean> {
    if (permission.refusal(tool, caller) !== undefined) return true;
    if (!permission.isActive) return false;
    const read = await readInput(input ?? {});
    return read.issues === undefined && permission.decideArguments(tool, read.value, caller).outcome === "deny";
  }

  const refuse = (name: unknown, error: string, code: ErrorCode = "CONFIG_INVALID"): Promise<ToolResult> =>
    Promise.resolve(failure(code, error, { callId: host.nextCallId(), tool: String(name), durationMs: 0 }));

  const methods: Pick<Registry, "invoke" | "callAll"> = {
    invoke(name, input, options = noOptions) {
      const fault = options === noOptions ? undefined : optionsFault(options);
      if (fault !== undefined) return refuse(name, fault);
      return options.idempotencyKey === undefined ? invoke(host, name, input, options) : invokeOnce(name, input, options);
    },
    async callAll(requests, options = noOptions) {
      checkArgument(requests, callList, "callAll");
      const wrong = optionsFault(options);
      if (wrong !== undefined) return Promise.all(requests.map((request) => refuse(request?.name, wrong)));
      const { callId: _, idempotencyKey, ...shared } = options;
      // Each call of the reply has its own id, and its own part of the key.
      const optionsOf = (callId: string | undefined, index: number): InvokeOptions => ({
        ...shared,
        ...(callId !== undefined && { callId }),
        ...(idempotencyKey !== undefined && { idempotencyKey: `${idempotencyKey}/${index}` }),
      });
      return Promise.all(
        requests.map((request, index) => {
          const fault = faultIn(() => checkFields(request, requestFields, { subject: `callAll, call ${index + 1},`, word: "option" }));
          if (fault !== undefined) return refuse(request?.name, fault);
          if (request.error !== undefined) return refuse(request.name, request.error.message, request.error.code);
          return methods.invoke(request.name, request.input, optionsOf(request.callId, index));
        }),
      );
    },
  };
  return methods;
}

const callList: FieldKind = { is: "a list of calls", test: Array.isArray };

/** A call that `readCalls` returned also has its id and name at the vendor. */
const requestFields: Fields = {
  name: anything,
  input: anything,
  callId: anything,
  id: anything,
  wireName: anything,
  error: objectWith({ code: required(text), message: required(text) }),
};
