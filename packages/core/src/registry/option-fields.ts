import { isObject } from "@toolrack/json-schema/internal";
import { type AddedWrapper, wrapperPositions } from "../call/added-wrappers.ts";
import type { CallLimits } from "../call/chain.ts";
import type { ImageLimitOptions } from "../call/check-images.ts";
import type { Wrapper } from "../call/wrapper.ts";
import type { CircuitBreakerOptions } from "../call/wrappers/limits/circuit-breaker.ts";
import type { LoopDetectionOptions } from "../call/loop-options.ts";
import type { RateLimitRule } from "../call/wrappers/limits/rate-limit.ts";
import type { RedactionOptions } from "../call/wrappers/redact.ts";
import type { RetryOptions } from "../call/wrappers/limits/retry.ts";
import {
  anything,
  checkFields,
  type FieldKind,
  type FieldsOf,
  flag,
  listOf,
  method,
  number,
  objectWith,
  oneOf,
  portWith,
  required,
  someText,
  text,
  texts,
  timeLimit,
} from "../util/check-fields.ts";
import type { RegistryOptions } from "./options.ts";
import type { RegisterOptions } from "./registry.ts";

/** Throws CONFIG_INVALID for an option that is unknown or of the wrong kind: ignored, it would be a limit or a rule without effect. */
export function checkRegistryOptions(options: RegistryOptions): void {
  checkFields(options, registryFields, { subject: "createRegistry", word: "option" });
}

export function checkRegisterOptions(options: RegisterOptions | undefined, subject: "register" | "merge"): void {
  if (options !== undefined) checkFields(options, registerFields, { subject, word: "option" });
}

/** What methods of a registry are given beside options. */
export const registryArguments: Readonly<Record<"bundle" | "disabled" | "registry" | "source", FieldKind>> = {
  bundle: {
    is: "a bundle of defineBundle",
    test: (value) => isObject(value) && texts.test(value["required"]) && texts.test(value["optional"]),
  },
  disabled: { is: 'a Map of names with reasons: new Map([["exec", "It is being repaired."]])', test: (value) => value instanceof Map },
  registry: { is: "a registry", test: (value) => isObject(value) && typeof value["entries"] === "function" },
  source: {
    is: 'a source: { id, list }, such as codeSource("mine", tools)',
    test: (value) => isObject(value) && someText.test(value["id"]) && typeof value["list"] === "function",
  },
};

const registerFields: FieldsOf<RegisterOptions> = { onConflict: oneOf("error", "replace", "keep") };

/** The ranges of numbers are checked by the wrappers that use them. */
const limitFields: FieldsOf<CallLimits> = {
  timeoutMs: timeLimit,
  concurrency: number,
  maxResultBytes: number,
  rate: listOf("{ calls, perMs }", isObject, {
    calls: number,
    perMs: number,
    tool: text,
    by: oneOf("caller", "tool"),
  } satisfies FieldsOf<RateLimitRule>),
  callsPerRun: number,
  retry: objectWith({
    attempts: required(number),
    backoffMs: required(number),
    jitter: number,
    maxWaitMs: number,
    random: method,
  } satisfies FieldsOf<RetryOptions>),
  loops: objectWith({ warnAt: number, blockAt: number, history: number, maxRuns: number } satisfies FieldsOf<LoopDetectionOptions>),
  circuitBreaker: objectWith({ failures: number, coolDownMs: number, maxTools: number } satisfies FieldsOf<CircuitBreakerOptions>),
  images: objectWith({ maxSidePx: number, maxBytes: number, resize: portWith("resize") } satisfies FieldsOf<ImageLimitOptions>),
  depth: number,
  inputKeys: number,
};

const wrapper: FieldKind = {
  ...objectWith({
    name: anything,
    appliesTo: method,
    prepare: method,
    beforeRun: method,
    run: method,
    interrupt: method,
    finish: method,
    skipsShortText: method,
  } satisfies FieldsOf<Wrapper>),
  isOpen: true,
};

const hooks = listOf("functions", method.test);

const registryFields: FieldsOf<RegistryOptions> = {
  services: anything,
  closeServices: method,
  policy: anything,
  config: portWith("get"),
  secrets: portWith("has", "get"),
  recorder: portWith("record"),
  userChannel: portWith("show"),
  approver: portWith("ask"),
  capabilities: portWith("knows", "has", "remedy", "names"),
  workspace: objectWith({ root: required(someText), hidden: texts }),
  clock: portWith("now", "after"),
  log: portWith("debug", "info", "warn", "error"),
  limits: objectWith(limitFields),
  hooks: objectWith({ before: hooks, after: hooks }),
  wrappers: listOf("{ wrapper, at }", isObject, {
    wrapper: required(wrapper),
    at: required(oneOf(...wrapperPositions)),
  } satisfies FieldsOf<AddedWrapper>),
  redaction: objectWith({ fields: texts, values: method } satisfies FieldsOf<RedactionOptions>),
  traceCall: method,
  missingTool: method,
  aliases: { is: "an object of names", test: (value) => isObject(value) && Object.values(value).every((name) => typeof name === "string") },
  outputValidation: oneOf("off", "warn", "strict"),
  repairInputs: flag,
};
