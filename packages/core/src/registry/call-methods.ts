import { faultIn, optionsFault } from "../call/check-options.ts";
import type { CallHost, InvokeOptions } from "../call/host.ts";
import { invoke } from "../call/invoke.ts";
import type { ErrorCode } from "../errors.ts";
import { failure, type ToolResult } from "../tool/result.ts";
import { anything, checkArgument, checkFields, type FieldKind, type Fields } from "../util/check-fields.ts";
import type { InvokeOnce } from "./invoke-once.ts";
import type { Permission } from "./permission.ts";
import type { Registry } from "./registry.ts";

const noOptions: InvokeOptions = Object.freeze({});

/** The methods that call tools. */
export function createCallMethods(host: CallHost, permission: Permission): Pick<Registry, "invoke" | "callAll"> {
  /** Loaded with the first key. */
  let once: Promise<InvokeOnce> | undefined;

  async function invokeOnce(name: string, input: unknown, options: InvokeOptions): Promise<ToolResult> {
    once ??= import("./invoke-once.ts").then(({ createInvokeOnce }) => createInvokeOnce(host, permission));
    return (await once)(name, input, options);
  }

  const refuse = (name: unknown, error: string, code: ErrorCode = "CONFIG_INVALID"): Promise<ToolResult> =>
    Promise.resolve(failure(code, error, { callId: host.nextCallId(), tool: String(name), durationMs: 0 }));

  const methods: Pick<Registry, "invoke" | "callAll"> = {
    invoke(name, input, options = noOptions) {
      const fault = options === noOptions ? undefined : optionsFault(options);
      if (fault !== undefined) return refuse(name, fault);
      if (typeof name !== "string") return refuse("", "Pass invoke the name of a tool.", "TOOL_NOT_FOUND");
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
          if (request.error) return refuse(request.name, request.error.message, request.error.code);
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
  error: anything,
};
