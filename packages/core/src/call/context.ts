import type { JsonObject } from "@toolrack/json-schema/internal";
import { type ErrorCode, ToolError } from "../errors.ts";
import type { CallContext, Caller, Logger, PathCheck, Progress } from "../tool/context.ts";
import type { Deliver } from "../tool/deliver.ts";
import { type ReadInput, refuseInput } from "../tool/input.ts";
import { type CallMeta, describeThrown, failure, type FailureDetails, type ToolFailure, type ToolResult } from "../tool/result.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { onAbort } from "../util/abort-watchers.ts";
import type { Clock } from "../util/clock.ts";
import { stackOf } from "../util/stack.ts";
import { loadRedaction, redactionParts } from "./late-redaction.ts";
import type { CallHost, InvokeOptions } from "./host.ts";
import type { CallPlan } from "./call-plan.ts";
import { PersonWaits } from "./person-waits.ts";
import type { Call } from "./wrapper.ts";

/** A caller that did not identify itself. */
const unknownCaller: Caller = Object.freeze({});

/** What only some calls need. */
interface Extras {
  config?: unknown;
  services?: unknown;
  attempts?: number;
  repairs?: readonly string[];
  warnings?: string[];
  controller?: AbortController;
  cancelled?: { readonly reason: unknown };
  unlink?: () => void;
  /** The secrets that the handler was given. */
  secrets?: string[];
  /** The properties of the input that come from the configuration. */
  configured?: string[];
  /** The input as everyone but the handler may see it. */
  shownInput?: JsonObject;
  /** The digest of the arguments that a person approved. */
  agreed?: string | undefined;
  /** Waits of the handler. */
  personWaits?: PersonWaits;
  /** Waits before the handler started. */
  earlyWaits?: PersonWaits;
  /** Where the handler threw. */
  stack?: string;
  /** The recorder refused the call. */
  isNotBegun?: boolean;
  deliver?: Exclude<Deliver, "model">;
}

/** One call from beginning to end: what its steps, its wrappers and its handler see. One small object, because one is created for every call. */
export class CallState implements Call, CallContext {
  readonly host: CallHost;
  readonly name: string;
  options: InvokeOptions;
  readonly callId: string;
  readonly caller: Caller;
  readonly startedAt: number;
  input: JsonObject;
  plan: CallPlan | undefined = undefined;
  result: ToolResult | undefined = undefined;
  asJson: ToolResult | undefined = undefined;
  /** The call waits for the handler's own promise, whose value is not a result yet. */
  awaitsHandler = false;
  /** The result was returned: what a handler still does in the background is ignored. */
  isOver = false;
  /** The handler was started. */
  hasStarted = false;
  /** Why the handler was not run. It stays: no wrapper and no hook turns it into a success. */
  refusal: ToolFailure | undefined = undefined;
  runsSince: number;
  /** The host's revision when the call was last permitted. */
  revision: number;
  extras: Extras | undefined = undefined;

  constructor(host: CallHost, name: string, input: unknown, options: InvokeOptions) {
    this.host = host;
    this.name = name;
    this.options = options;
    this.callId = options.callId ?? host.nextCallId();
    this.caller = options.caller ?? unknownCaller;
    // A model that means "no arguments" often sends none at all.
    this.input = (input ?? {}) as JsonObject;
    this.startedAt = host.clock.now();
    this.runsSince = this.startedAt;
    this.revision = host.revision;
  }

  get tool(): ToolDefinition {
    return this.plan!.tool;
  }
  get clock(): Clock {
    return this.host.clock;
  }
  get log(): Logger {
    const { log } = this.host;
    const mayKnowSecrets = this.plan?.tool.metadata?.secrets !== undefined || this.options.parent !== undefined;
    return mayKnowSecrets ? quiet(log, () => secretsOfChain(this)) : log;
  }
  get trace(): unknown {
    return this.options.trace;
  }
  get callerSignal(): AbortSignal | undefined {
    return this.options.signal;
  }
  get approval(): Call["approval"] {
    return this.options.approval;
  }
  get timeoutMs(): number | undefined {
    const { timeoutMs } = this.options;
    return timeoutMs === undefined ? this.plan!.timeoutMs : timeoutMs === false ? undefined : timeoutMs;
  }
  /** The call has a signal or a deadline, so it may end before its handler does. */
  get isBounded(): boolean {
    return this.options.signal !== undefined || this.timeoutMs !== undefined;
  }
  /** The tools whose calls led to this one, nearest first. */
  get parents(): readonly string[] {
    const { parent } = this.options;
    return parent instanceof CallState ? [parent.tool.name, ...parent.parents] : [];
  }
  /** How many calls of tools by tools led to this one. */
  get depth(): number {
    return this.options.parent === undefined ? 0 : this.options.parent.depth + 1;
  }
  get config(): unknown {
    return this.extras?.config;
  }
  set config(config: unknown) {
    extrasOf(this).config = config;
  }
  get services(): unknown {
    return this.extras?.services;
  }
  set services(services: unknown) {
    extrasOf(this).services = services;
  }
  /** The input as people see it: without the secrets that the handler was given. */
  get shownInput(): JsonObject {
    return this.withoutSecrets(this.extras?.shownInput ?? this.input);
  }
  get pathRules(): PathCheck | undefined {
    return this.host.pathRules(this);
  }
  get agreed(): string | undefined {
    return this.extras?.agreed;
  }
  set agreed(digest: string | undefined) {
    extrasOf(this).agreed = digest;
  }
  get isNotBegun(): boolean {
    return this.extras?.isNotBegun === true;
  }
  set isNotBegun(isNotBegun: boolean) {
    extrasOf(this).isNotBegun = isNotBegun;
  }
  /** Who gets the result; undefined: the model alone. */
  get deliver(): Exclude<Deliver, "model"> | undefined {
    return this.extras?.deliver;
  }
  set deliver(deliver: Exclude<Deliver, "model">) {
    extrasOf(this).deliver = deliver;
  }
  get attempts(): number {
    return this.extras?.attempts ?? 0;
  }
  set attempts(attempts: number) {
    extrasOf(this).attempts = attempts;
  }
  get repairs(): readonly string[] | undefined {
    return this.extras?.repairs;
  }
  set repairs(repairs: readonly string[]) {
    extrasOf(this).repairs = repairs;
  }

  get signal(): AbortSignal {
    const extras = extrasOf(this);
    if (extras.controller !== undefined) return extras.controller.signal;
    const controller = (extras.controller = new AbortController());
    const outer = this.options.signal;
    if (extras.cancelled !== undefined) controller.abort(extras.cancelled.reason);
    else if (outer?.aborted) controller.abort(outer.reason);
    else if (outer !== undefined && !this.isOver) {
      extras.unlink = onAbort(outer, () => this.cancel(outer.reason));
    }
    return controller.signal;
  }

  /**
   * Whether the call is still permitted: checked directly before its handler runs, since it may have waited for a person, a hook, its turn or its
   * next attempt. The calls that led to it must be permitted, too. Nothing is checked if neither tools nor policy changed since the last decision.
   * Undefined: it is permitted.
   */
  recheck(): ToolFailure | undefined {
    const { host } = this;
    const { parent } = this.options;
    const above = parent instanceof CallState ? parent.recheck() : undefined;
    if (above !== undefined) return this.fail(above.code, above.error);
    const { revision } = host;
    if (this.revision === revision) return undefined;
    const refused = host.refuseNow(this, this.extras?.shownInput ?? this.input);
    if (refused === undefined) this.revision = revision;
    return refused;
  }

  get personWaits(): PersonWaits | undefined {
    return this.extras?.personWaits;
  }

  async waitForPerson<Answered>(answer: () => Promise<Answered>): Promise<Answered> {
    const waits = waitsOfChain(this);
    for (const one of waits) one.begin(this.clock.now());
    try {
      return await answer();
    } finally {
      for (const one of waits) one.end(this.clock.now());
    }
  }

  cancel(reason: unknown): void {
    const extras = extrasOf(this);
    extras.cancelled ??= { reason };
    extras.controller?.abort(reason);
  }

  /** Releases what the call held. */
  close(): void {
    this.isOver = true;
    this.extras?.unlink?.();
  }

  /** A secret that the handler was given does not leave with the result. */
  noteSecret(value: string): void {
    const extras = extrasOf(this);
    (extras.secrets ??= []).push(value);
  }

  /** Gives the handler an input with secrets instead of references; everyone else sees the input before that. */
  openInput(input: JsonObject, config: unknown): void {
    const extras = extrasOf(this);
    extras.shownInput = this.input;
    extras.config = config;
    this.input = input;
  }

  /** The value of this property comes from the configuration. */
  noteConfigured(property: string): void {
    (extrasOf(this).configured ??= []).push(property);
  }

  /** Kept only for the record. */
  noteThrown(thrown: unknown): void {
    if (this.host.recorder === undefined) return;
    const stack = stackOf(thrown);
    if (stack !== undefined) extrasOf(this).stack = stack;
  }

  /** For records: a handler may pass a secret to a tool that it calls. */
  withoutSecrets<Value>(value: Value): Value {
    const secrets = secretsOfChain(this);
    return secrets.length === 0 ? value : (redactionParts().createRedactor({ secrets }).value(value) as Value);
  }

  warn(text: string): void {
    const extras = extrasOf(this);
    (extras.warnings ??= []).push(text);
  }

  fail(code: ErrorCode, error: string, more?: FailureDetails): ToolFailure {
    return failure(code, error, this.meta(), more);
  }

  meta(): CallMeta {
    const { callId, plan } = this;
    const durationMs = this.host.clock.now() - this.startedAt;
    // The common case is one literal, because meta is created for every call.
    if (plan !== undefined && plan.tool.version === undefined && this.extras === undefined && this.options.parent === undefined) {
      return { callId, tool: plan.tool.name, durationMs };
    }
    return fullMeta(this, durationMs);
  }

  /** The result with the warnings that were added after it was created. */
  withWarnings(result: ToolResult): ToolResult {
    const warnings = this.extras?.warnings;
    if (warnings === undefined || warnings.length === result.meta.warnings?.length) return result;
    return { ...result, meta: { ...result.meta, warnings: this.withoutSecrets([...warnings]) } };
  }

  replaceInput(input: unknown): ToolFailure | undefined | Promise<ToolFailure | undefined> {
    const accept = (read: ReadInput): ToolFailure | undefined => {
      if (read.issues !== undefined) return refuseInput(this.tool, read.issues, this.meta());
      this.input = read.value as JsonObject;
      return undefined;
    };
    const read = this.plan!.readInput(input);
    return read instanceof Promise ? read.then(accept) : accept(read);
  }

  // Methods for handlers are bound when they are read, so that `(input, { call }) => call(…)` works, and cost nothing otherwise.

  get secret(): CallContext["secret"] {
    return (name) => readSecret(name, this);
  }
  get call(): CallContext["call"] {
    return (tool, input, { callId, labels } = {}) => {
      const { trace, approval } = this.options;
      return this.host.invoke(tool, input, {
        callId,
        labels,
        caller: this.caller,
        signal: this.signal,
        parent: this,
        ...(trace !== undefined && { trace }),
        ...(approval !== undefined && { approval }), // it names the tool and the arguments that it is for
      });
    };
  }
  get ask(): CallContext["ask"] {
    return async (request) => {
      const { askPerson } = await import("./approval.ts");
      const answer = await askPerson(this.withoutSecrets(request), this, this.host);
      // The handler continues after the answer, so it must still be permitted.
      const refused = this.recheck();
      if (refused !== undefined) throw new ToolError(refused.code, refused.error);
      return answer;
    };
  }
  get progress(): CallContext["progress"] {
    return (update) => {
      if (this.isOver) return;
      const { host, options, callId, tool } = this;
      // A calling tool may have passed its secrets on.
      const own = this.withoutSecrets(update);
      const progress = host.redactProgress === undefined ? own : host.redactProgress(own);
      if (options.onProgress !== undefined) tellProgress(options.onProgress, progress, host.log);
      if (host.events.hasListeners) host.events.emit({ type: "call-progress", callId, tool: tool.name, progress });
    };
  }
}

// Functions, not private methods, which add a cost to every object.

function extrasOf(call: CallState): Extras {
  return (call.extras ??= {});
}

/** The waits of the call and of those that led to it. Those of a handler are apart, because its time limit counts from its start. */
function waitsOfChain(call: CallState): readonly PersonWaits[] {
  const { parent } = call.options;
  const above = parent instanceof CallState ? waitsOfChain(parent) : [];
  const extras = extrasOf(call);
  const own = call.hasStarted ? (extras.personWaits ??= new PersonWaits()) : (extras.earlyWaits ??= new PersonWaits());
  return [own, ...above];
}

function secretsOfChain(call: CallState): readonly string[] {
  const { parent } = call.options;
  const own = call.extras?.secrets ?? [];
  return parent instanceof CallState ? [...own, ...secretsOfChain(parent)] : own;
}

function fullMeta(call: CallState, durationMs: number): CallMeta {
  const { callId, plan, name, repairs, attempts } = call;
  const { parent } = call.options;
  const { warnings, earlyWaits, personWaits } = extrasOf(call);
  const now = call.startedAt + durationMs;
  const waitedMs = (earlyWaits?.until(now) ?? 0) + (personWaits?.until(now) ?? 0);
  return {
    callId,
    tool: plan?.tool.name ?? name,
    ...(plan?.tool.version !== undefined && { version: plan.tool.version }),
    durationMs,
    ...(waitedMs > 0 && { waitedMs }),
    ...(attempts > 1 && { attempts }),
    ...(repairs !== undefined && { repairs }),
    ...(warnings !== undefined && { warnings: [...warnings] }),
    ...(parent !== undefined && { parentCallId: parent.callId }),
  };
}

/** An error of a listener is not an error of the tool. */
function tellProgress(listener: (update: Progress) => unknown, update: Progress, log: Logger): void {
  const report = (error: unknown): void => log.error("A progress listener threw.", { error: describeThrown(error) });
  try {
    const returned = listener(update);
    if (returned instanceof Promise) returned.catch(report);
  } catch (error) {
    report(error);
  }
}

export async function readSecret(name: string, call: CallState, reason?: string): Promise<string> {
  const { tool, callId, caller } = call;
  if (!tool.metadata?.secrets?.includes(name)) {
    throw new ToolError(
      "SECRET_MISSING",
      `Tool "${tool.name}" asked for the secret "${name}" without declaring it. Add it to metadata.secrets.`,
    );
  }
  const value = await call.host.secrets.get({ name, tool: tool.name, callId, caller, ...(reason !== undefined && { reason }) });
  if (value === undefined)
    throw new ToolError("SECRET_MISSING", `The secret "${name}" of tool "${tool.name}" is not set. Set it, then call again.`);
  await loadRedaction();
  call.noteSecret(value);
  return value;
}

function quiet(log: Logger, secrets: () => readonly string[]): Logger {
  const write =
    (level: keyof Logger): Logger["info"] =>
    (message, fields) => {
      const known = secrets();
      if (known.length === 0) return log[level](message, fields);
      const redactor = redactionParts().createRedactor({ secrets: known });
      log[level](redactor.text(message), fields && (redactor.value(fields) as typeof fields));
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
