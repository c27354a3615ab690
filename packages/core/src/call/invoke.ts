import { type Issue, repairValue } from "@toolrack/json-schema";
import { isObject, type JsonObject, show } from "@toolrack/json-schema/internal";
import { isOutage } from "../errors.ts";
import { type ReadInput, refuseInput } from "../tool/input.ts";
import { describeThrown, toFailure, type ToolResult } from "../tool/result.ts";
import { resolveConfig } from "./config-secrets.ts";
import { CallState } from "./context.ts";
import type { CallHost, InvokeOptions } from "./host.ts";
import { type Outcomes, untilInterrupted } from "./interrupts.ts";
import { recordCall } from "./record-call.ts";
import type { CallPlan, Finish } from "./plan.ts";
import { run } from "./run.ts";
import { failHandler, settleHandler } from "./run-handler.ts";
import { untilAborted } from "./until-aborted.ts";
import { shortText } from "./wrapper.ts";
import { createRedaction } from "./wrappers/redact.ts";

/** Never rejects. */
export function invoke(host: CallHost, name: string, input: unknown, options: InvokeOptions): Promise<ToolResult> {
  const call = new CallState(host, typeof name === "string" ? name : show(name), input, options);
  if (host.events.hasListeners) announce(call);
  const result = walk(call, 1);
  return isPromise(result) ? result : Promise.resolve(result);
}

type Outcome = ToolResult | undefined | void;

/**
 * The one door. Every call, from every surface, goes through these steps in this order, from the first or from where it had to wait;
 * a step that answers a result ends the walk. Steps that have nothing to do for a tool are known from its plan.
 */
function walk(call: CallState, from: number): ToolResult | Promise<ToolResult> {
  try {
    let outcome: Outcome | Promise<Outcome>;
    if (from <= 1 && (outcome = find(call)) !== undefined) return end(call, outcome);
    const plan = call.plan!;
    // The same decision as the list: what may be seen may be called.
    if (from <= 2 && !plan.isOpen && (outcome = call.host.refuse(plan, call)) !== undefined) return end(call, outcome);
    if (from <= 3 && plan.prepares && (outcome = prepare(call)) !== undefined) return goOn(call, 3, outcome); // names, saved configuration
    if (from <= 4 && (outcome = validate(call)) !== undefined) return goOn(call, 4, outcome); // schema, repairs, defaults
    if (from <= 5 && plan.checksBeforeRun && (outcome = beforeRun(call)) !== undefined) return goOn(call, 5, outcome); // hooks, limits, approval
    if (from <= 6 && plan.equips && (outcome = equip(call)) !== undefined) return goOn(call, 6, outcome); // secrets of the configuration, services
    const result = run(call); // 7  the handler inside its wrappers
    if (!isPromise(result)) return end(call, result);
    if (call.isBounded) return untilInterrupted(result, call, plan.interrupts, outcomes);
    return result.then(
      (later) => outcomes.settled(call, later),
      (thrown: unknown) => outcomes.thrown(call, thrown),
    );
  } catch (thrown) {
    return end(call, blame(call, thrown));
  }
}

/** The wait for the handler is over: the last steps follow at once, since another hop would cost as much as all of them. */
const outcomes: Outcomes<ToolResult, CallState> = {
  settled: (call, later) => end(call, call.awaitsHandler ? settleHandler(call, later) : later),
  thrown: (call, thrown) => end(call, call.awaitsHandler ? failHandler(call, thrown) : blame(call, thrown)),
  interrupted: (call, failure) => end(call, failure),
};

/** Takes in what a step answered, waiting for it where that is needed, and walks on. */
function goOn(call: CallState, step: number, outcome: Outcome | Promise<Outcome>): ToolResult | Promise<ToolResult> {
  if (outcome === undefined) return walk(call, step + 1);
  if (!isPromise(outcome)) return end(call, outcome);
  return outcome.then(
    (later) => {
      call.runsSince = call.host.clock.now();
      return goOn(call, step, later);
    },
    (thrown: unknown) => end(call, blame(call, thrown)),
  );
}

/** Every result goes through the last two steps: 8 output, size, redaction; 9 tell and keep. */
function end(call: CallState, result: ToolResult): ToolResult | Promise<ToolResult> {
  const { plan, host } = call;
  call.result = result;
  if (plan !== undefined && !(plan.passesShortText && call.extras === undefined && isShortText(result))) {
    try {
      const waiting = check(call, plan);
      if (waiting !== undefined) {
        return waiting.then(
          () => record(call),
          (thrown: unknown) => ((call.result = blame(call, thrown)), record(call)),
        );
      }
    } catch (thrown) {
      call.result = blame(call, thrown);
    }
  }
  if (call.extras !== undefined || host.keeps || host.events.hasListeners) return record(call);
  call.isOver = true;
  return call.result;
}

/** Cheaper than `instanceof`, which walks the chain of prototypes. */
function isPromise<Value extends ToolResult | void>(outcome: Value | Promise<Value>): outcome is Promise<Value> {
  return (outcome as ToolResult).ok === undefined;
}

function announce(call: CallState): void {
  const { callId, name, caller, options } = call;
  const parent = options.parent === undefined ? {} : { parentCallId: options.parent.callId };
  call.host.events.emit({
    type: "call-start",
    callId,
    tool: name,
    caller,
    ...parent,
    ...(options.trace !== undefined && { trace: options.trace }),
  });
}

/** A step threw: a port, a schema or a wrapper is at fault, not the caller. */
function blame(call: CallState, thrown: unknown): ToolResult {
  call.noteThrown(thrown);
  if (isOutage(thrown)) return toFailure(thrown, call.meta());
  return call.fail("TOOL_FAILED", `The call of "${call.name}" could not be made: ${describeThrown(thrown)}`);
}

function find(call: CallState): Outcome {
  const { host, name } = call;
  if (call.options.parent !== undefined && call.depth > host.maxDepth) {
    const error = `Tool "${name}" was called ${call.depth} levels deep; at most ${host.maxDepth} are allowed. A tool may be calling itself.`;
    return call.fail("DEPTH_EXCEEDED", error);
  }
  call.plan = host.find(name, call.caller);
  if (call.plan !== undefined) return;
  const near = host.nearest(name, call.caller);
  const hint =
    near.length === 0 ? "List the tools to see what there is." : `Did you mean ${near.map((other) => `"${other}"`).join(" or ")}?`;
  return call.fail("TOOL_NOT_FOUND", `Tool "${name.length > 140 ? `${name.slice(0, 140)}…` : name}" was not found. ${hint}`);
}

function prepare(call: CallState): Outcome | Promise<Outcome> {
  const { plan, host } = call;
  if (!isObject(call.input)) return;
  for (const rename of plan!.prepare) call.input = rename(call.input, call);
  const config = host.config?.get(plan!.tool.name);
  if (config === undefined) return;
  if (config instanceof Promise) return config.then((saved) => configure(call, saved));
  configure(call, config);
}

/** Call input wins over saved configuration; what neither says is left to the schema's defaults. */
function configure(call: CallState, config: Readonly<JsonObject> | undefined): void {
  call.config = config;
  const properties = call.plan!.tool.inputSchema["properties"];
  if (config === undefined || !isObject(properties)) return;
  for (const name of Object.keys(config)) {
    if (!Object.hasOwn(properties, name) || Object.hasOwn(call.input, name)) continue;
    call.input = { ...call.input, [name]: config[name] };
    (call.extras!.configured ??= []).push(name);
  }
}

function validate(call: CallState): Outcome | Promise<Outcome> {
  const { validator, readInput } = call.plan!;
  if (validator === undefined) {
    const read = readInput(call.input);
    return read instanceof Promise ? read.then((later) => accept(call, later)) : accept(call, read);
  }
  if (!validator.check(call.input)) return refuse(call, validator.explain(call.input));
  call.input = validator.fill(call.input) as JsonObject;
}

function accept(call: CallState, read: ReadInput): Outcome | Promise<Outcome> {
  if (read.issues !== undefined) return refuse(call, read.issues);
  call.input = read.value as JsonObject;
}

function refuse(call: CallState, issues: readonly Issue[]): Outcome | Promise<Outcome> {
  if (call.host.repairInputs && call.repairs === undefined) {
    const { value, repairs } = repairValue(call.tool.inputSchema, call.input);
    if (repairs.length > 0) {
      call.repairs = repairs;
      call.input = value as JsonObject;
      return validate(call);
    }
  }
  return refuseInput(call.tool, issues, call.meta());
}

function beforeRun(call: CallState, from = 0): Outcome | Promise<Outcome> {
  const gates = call.plan!.beforeRun;
  for (let index = from; index < gates.length; index++) {
    const refused = gates[index]!(call);
    if (refused === undefined) continue;
    return refused instanceof Promise ? refused.then((later) => later ?? beforeRun(call, index + 1)) : refused;
  }
  const { host, callerSignal } = call;
  const examined = host.examine?.(call);
  return examined instanceof Promise && callerSignal !== undefined ? untilAborted(examined, callerSignal, call) : examined;
}

function equip(call: CallState): Outcome | Promise<Outcome> {
  const resolving = call.config === undefined ? undefined : resolveConfig(call);
  return resolving === undefined ? announceStart(call) : resolving.then((refused) => refused ?? announceStart(call));
}

function announceStart(call: CallState): Outcome | Promise<Outcome> {
  const { host, callId, caller, startedAt, options, tool } = call;
  if (host.recorder?.begin === undefined) return openServices(call);
  const parent = options.parent === undefined ? {} : { parentCallId: options.parent.callId };
  try {
    const input = call.withoutSecrets(call.extras?.shownInput ?? call.input);
    const begun = host.recorder.begin({ callId, tool: tool.name, input, caller, startedAt, ...parent });
    if (begun !== undefined) {
      return begun.then(
        () => openServices(call),
        (error: unknown) => notBegun(call, error),
      );
    }
  } catch (error) {
    return notBegun(call, error);
  }
  return openServices(call);
}

/** The reason goes to the log alone: it may name an address or a path. */
function notBegun(call: CallState, error: unknown): ToolResult {
  const { name } = call.tool;
  call.isNotBegun = true;
  call.host.log.error("The start of a call could not be recorded, so it did not run.", {
    tool: name,
    callId: call.callId,
    error: withCause(error),
  });
  const fact = `The start of the call could not be recorded, so tool "${name}" did not run.`;
  return call.fail("CALL_NOT_RECORDED", `${fact} Call again later; if that does not help, the log of the server says why.`, {
    retryable: true,
    retryAfterMs: 1_000,
  });
}

function withCause(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? describeThrown(error) : `${describeThrown(error)} (${describeThrown(cause)})`;
}

function openServices(call: CallState): void | Promise<void> {
  const services = call.host.openServices?.(call);
  if (services === undefined) return;
  if (services instanceof Promise) return services.then((opened: unknown) => void (call.services = opened));
  call.services = services;
}

function check(call: CallState, plan: CallPlan): void | Promise<void> {
  if (call.extras?.shownInput !== undefined) call.input = call.extras.shownInput;
  if (plan.output !== undefined && call.host.outputValidation !== "off") checkOutput(call);
  if (call.extras?.secrets !== undefined) hideSecrets(call, call.extras.secrets);
  return finish(call, isShortText(call.result!) ? plan.finishShortText : plan.finish, 0);
}

function isShortText(result: ToolResult): boolean {
  if (!result.ok) return result.error.length <= shortText;
  return result.data === undefined && result.blocks === undefined && result.content.length <= shortText;
}

function checkOutput(call: CallState): void {
  const { result, plan, host } = call;
  if (!result?.ok) return;
  const output = result.data === undefined ? result.content : result.data;
  if (plan!.output!.check(output)) return;
  const issues = plan!.output!.explain(output);
  // Values are not quoted: a warning is not redacted.
  const faults = issues.map(({ path, expected }) => `${path === "" ? "it" : path} must be ${expected}`).join("; ");
  const text = `Tool "${call.tool.name}" returned what does not match its output schema: ${faults}.`;
  if (host.outputValidation === "strict") call.result = call.fail("OUTPUT_INVALID", text, { issues });
  else call.warn(text);
}

function hideSecrets(call: CallState, secrets: readonly string[]): void {
  const { finish: redact } = createRedaction({ values: () => secrets });
  call.result = redact!(call.result!, call) as ToolResult;
}

function finish(call: CallState, finishes: readonly Finish[], from: number): void | Promise<void> {
  for (let index = from; index < finishes.length; index++) {
    const finished = finishes[index]!(call.result!, call);
    if (isPromise(finished)) {
      return finished.then((later) => {
        call.result = later;
        return finish(call, finishes, index + 1);
      });
    }
    call.result = finished;
  }
}

function record(call: CallState): ToolResult | Promise<ToolResult> {
  call.close();
  const result = (call.result = call.withWarnings(call.result!));
  const { host, callId, caller, options } = call;
  if (host.events.hasListeners) {
    const trace = options.trace === undefined ? {} : { trace: options.trace };
    host.events.emit({ type: "call-end", callId, tool: result.meta.tool, caller, result, ...trace });
  }
  return host.recorder === undefined && host.closeServices === undefined ? result : recordCall(call, result);
}
