import { LimitReached } from "./errors.ts";
import { copyOut } from "./copy-out.ts";
import { copyIn, NotPlain, type Labelling } from "./copy-in.ts";
import type { CallEntry, Machine } from "./machine.ts";
import { nearest } from "./nearest.ts";
import { rejectPromise, resolvePromise } from "./promises.ts";
import { ArrayValue, ObjectValue, PromiseValue, type NativeValue, type Value } from "./values.ts";
import type { Labels } from "./call-labels.ts";

/** Calls that run at once; the others wait in order. */
export const parallelCalls = 8;

/** Makes a call: checked and noted at once, handed to the host with the next pause. */
export function callTool(m: Machine, tool: string, args: Value[], labels: Labels): PromiseValue {
  const free = m.freeTools.includes(tool);
  if (!free && !m.toolNames.includes(tool)) unknownTool(m, tool);
  if (!free && m.callCount >= m.limits.calls) {
    throw new LimitReached("calls", `The program made more than ${m.limits.calls} calls. Ask for more with each call, or split the work.`);
  }
  m.beginWork();
  const context = m.context | labels.fn;
  const input = free ? listOf(args, labels) : args.length === 0 ? new ObjectValue() : (args[0] as Value);
  const copied = copyOut(m, input, free ? labels.count : (labels.args[0] ?? labels.count), `the input of ${tool}`);
  const promise = new PromiseValue();
  promise.locked = true;
  const entry: CallEntry = {
    id: m.calls.length,
    tool,
    input: copied.data === undefined ? {} : copied.data,
    labels: copied.label | context,
    inputLabels: copied.labels,
    context,
    promise,
    bytes: copied.bytes,
    state: "waiting",
  };
  promise.call = entry.id;
  if (!free) m.callCount++;
  m.calls.push(entry);
  const refusal = m.host.onCall?.(entry);
  if (refusal !== undefined) {
    entry.state = "failed";
    const error = makeToolError(m, { message: refusal, tool, code: "REFUSED", retryable: false });
    error.failure = "refused";
    rejectPromise(m, promise, error, context, 0);
  }
  return promise;
}

/** A function of the host is called as it is written, with all its arguments. */
function listOf(args: Value[], labels: Labels): ArrayValue {
  const list = new ArrayValue([...args]);
  if (labels.args.some((label) => label !== 0)) list.labels = args.map((_, index) => labels.args[index] ?? 0);
  return list;
}

export function unknownTool(m: Machine, tool: string): never {
  const near = nearest(m, tool, m.toolNames);
  m.fail(
    "TypeError",
    `There is no tool "${tool}".${near === undefined ? " See tools.search, or Object.keys(tools)." : ` Did you mean tools[${JSON.stringify(near)}]?`}`,
  );
}

export interface ToolFailure {
  readonly message: string;
  readonly tool: string;
  readonly code: string;
  readonly retryable: boolean;
}

function makeToolError(m: Machine, failure: ToolFailure): ObjectValue {
  const error = new ObjectValue();
  error.cls = m.natives.globals.get("ToolError") as NativeValue;
  error.slots.set("message", failure.message);
  error.slots.set("stack", `ToolError: ${failure.message}`);
  error.hidden = new Set(["message", "stack"]);
  error.slots.set("code", failure.code);
  error.slots.set("tool", failure.tool);
  error.slots.set("retryable", failure.retryable);
  error.failure = "tool";
  m.allocate(900 + 2 * failure.message.length);
  return error;
}

/** The end of a call, applied once. */
export function settleCall(
  m: Machine,
  entry: CallEntry,
  outcome: { result: unknown; base: number; labelling?: Labelling } | { error: Omit<ToolFailure, "tool">; base: number },
): void {
  if (entry.state !== "started" && entry.state !== "waiting") return;
  m.beginWork();
  if ("result" in outcome) {
    try {
      const copied = copyIn(m, outcome.result, entry.tool, outcome.base, outcome.labelling);
      entry.state = "ok";
      entry.promise.outcome = copied.label;
      resolvePromise(m, entry.promise, copied.value, copied.label, 0);
      return;
    } catch (error) {
      if (error instanceof LimitReached) throw error;
      const message = error instanceof NotPlain ? error.message : "The answer is not plain data.";
      return failCall(m, entry, { message, code: "RESULT_NOT_PLAIN", retryable: false }, outcome.base);
    }
  }
  failCall(m, entry, outcome.error, outcome.base);
}

function failCall(m: Machine, entry: CallEntry, failure: Omit<ToolFailure, "tool">, label: number): void {
  entry.state = "failed";
  const error = makeToolError(m, { ...failure, tool: entry.tool });
  if (m.tracked && label !== 0) error.labels = new Map(["message", "stack", "code", "retryable"].map((key) => [key, label]));
  entry.promise.outcome = label;
  rejectPromise(m, entry.promise, error, label, 0);
}
