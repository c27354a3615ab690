import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import { callerFields, checkCaller, isUsualCaller } from "../tool/check-caller.ts";
import type { Caller } from "../tool/context.ts";
import { deliveries } from "../tool/deliver.ts";
import { anything, checkFields, type FieldKind, type FieldsOf, fitsFields, method, number, oneOf, text } from "../util/check-fields.ts";
import type { InvokeOptions } from "./host.ts";

/** Why a call cannot be made with these options, as a whole sentence: one is unknown, or of the wrong kind. Undefined: it can. */
export function optionsFault(options: InvokeOptions): string | undefined {
  if (areUsual(options) || fitsFields(options, optionFields)) return undefined;
  return faultIn(() => {
    if (isObject(options) && options.caller !== undefined) checkCaller(options.caller as Caller);
    checkFields(options, optionFields, { subject: "invoke", word: "option" });
  });
}

/** True for most options that are right, false for the rest. Written out and not a table, because it runs at every call. */
function areUsual(options: InvokeOptions): boolean {
  if (!isObject(options)) return false;
  for (const option in options) {
    switch (option) {
      case "caller":
        if (!isUsualCaller(options.caller as Caller | undefined)) return false;
        break;
      case "signal":
        if (!signal.test(options.signal)) return false;
        break;
      case "timeoutMs":
        if (!timeout.test(options.timeoutMs)) return false;
        break;
      case "callId":
        if (typeof options.callId !== "string") return false;
        break;
      case "trace":
        break;
      default:
        return false;
    }
  }
  return true;
}

/** The sentence of the ToolError that a check throws. */
export function faultIn(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (ToolError.is(error)) return error.message;
    throw error;
  }
}

const caller: FieldKind = { is: "an object", test: (value) => fitsFields(value, callerFields), fields: callerFields };

/** An AbortController has no listeners, and nothing would ever be cancelled. */
const signal: FieldKind = {
  is: "an AbortSignal",
  test: (value) => typeof (value as Partial<AbortSignal> | null | undefined)?.addEventListener === "function",
};

// What is left until a deadline may be nothing, or less.
const timeout: FieldKind = { is: "a number of milliseconds, or false", test: (value) => value === false || number.test(value) };

const approval: FieldKind = {
  is: "{ digest, answer } or a list of those",
  test: (value) => (Array.isArray(value) ? value : [value]).every(isObject),
};

const optionFields: FieldsOf<InvokeOptions> = {
  caller,
  signal,
  timeoutMs: timeout,
  callId: text,
  parent: { is: "the call that makes this one", test: isObject },
  idempotencyKey: text,
  onProgress: method,
  deliver: oneOf(...deliveries),
  approval,
  labels: anything,
  trace: anything,
};
