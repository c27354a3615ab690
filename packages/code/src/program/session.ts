import { checkOutput, byteLength } from "../builtins/globals.ts";
import { natives } from "../builtins/natives.ts";
import type { Unit } from "../compile/code.ts";
import { checkNames, fromBits, toBits } from "../labels/names.ts";
import { defaultLimits } from "../limits.ts";
import { noCallLabels } from "../machine/call-labels.ts";
import { callValue } from "../machine/calls.ts";
import { copyIn, NotPlain, type Labelling } from "../machine/copy-in.ts";
import { copyOut } from "../machine/copy-out.ts";
import { errorText, isError } from "../machine/convert.ts";
import { GuestThrow, LimitReached } from "../machine/errors.ts";
import { Machine, type CallEntry } from "../machine/machine.ts";
import { measure } from "../machine/memory.ts";
import { currentPlace, placeAt, traceOf } from "../machine/places.ts";
import { thrownAt } from "../machine/returns.ts";
import { run } from "../machine/run.ts";
import { parallelCalls, settleCall } from "../machine/tools.ts";
import { FunctionValue, isCallable, ObjectValue, type PromiseValue } from "../machine/values.ts";
import { lineOf, placeOf, type Place } from "../parse/source.ts";
import { askHost, HostMistake } from "./host-mistake.ts";
import type { CallAnswer, ErrorKind, PendingCall, ProgramCall, ProgramError, ProgramOptions, ProgramResult } from "./types.ts";

/** What a machine is made of besides the program: given anew when a stored program goes on. */
export interface SessionParts {
  readonly unit: Unit;
  readonly tools: readonly string[];
  readonly labelNames: string[];
  readonly seed: number;
}

/** Whether a program is run with labels. */
export function isTracked(options: ProgramOptions): boolean {
  return options.labels !== undefined || options.inputLabels !== undefined;
}

/** A program between its start and its end: it runs until it waits, and goes on with answers. */
export class Session {
  readonly machine: Machine;
  private readonly options: ProgramOptions;
  private ended: ProgramResult | undefined;

  constructor(parts: SessionParts, options: ProgramOptions) {
    this.options = options;
    const { labels, inputLabels } = options;
    const named = typeof labels === "function" ? [] : Object.values(labels ?? {}).flat();
    checkNames([...parts.labelNames, ...named, ...Object.values(inputLabels ?? {}).flat()]);
    const now = options.now ?? Date.now;
    this.machine = new Machine(
      {
        ...parts,
        natives: natives(),
        limits: { ...defaultLimits, ...options.limits },
        freeTools: options.freeTools ?? [],
        host: { now: () => askHost(now), onCall: (call) => this.refusalOf(call) },
      },
      measure,
    );
    this.machine.trace = () => traceOf(this.machine);
  }

  /** Copies the input in, and puts the program's own frame on the stack. Throws a TypeError when the input is not plain data. */
  begin(): void {
    const m = this.machine;
    const main = new FunctionValue(m.unit, m.functionCode(0), undefined, undefined);
    try {
      if (this.options.input !== undefined) this.takeInput(this.options.input);
      callValue(m, main, undefined, [], noCallLabels);
      m.root = m.frame?.promise as PromiseValue;
      m.root.handled = true;
    } catch (error) {
      if (error instanceof NotPlain) throw new TypeError(error.message);
      this.ended = this.failure(error);
    }
  }

  private takeInput(input: unknown): void {
    const m = this.machine;
    const labelling = this.placed(this.options.inputLabels ?? {});
    m.beginWork();
    const copied = copyIn(m, input, "input", 0, labelling, "The input");
    m.endWork();
    if (copied.value === undefined)
      throw new NotPlain("The input is not plain data. Give objects, arrays, texts, numbers, booleans or null.");
    m.input = copied;
  }

  /** Runs as far as possible, or for so many steps. */
  advance(steps?: number): "done" | "waiting" | "paused" {
    if (this.ended !== undefined) return "done";
    const m = this.machine;
    m.stop = steps === undefined ? m.limits.steps : Math.min(m.limits.steps, m.steps + steps);
    try {
      if (run(m) === "paused") return "paused";
      if (this.hasOpenCalls()) return "waiting";
      this.ended = this.finish();
    } catch (error) {
      this.ended = this.failure(error);
    }
    return "done";
  }

  get result(): ProgramResult {
    return this.ended as ProgramResult;
  }

  /** Calls that are handed out now: at most eight are under way at once. */
  takeCalls(): PendingCall[] {
    const { calls } = this.machine;
    let running = calls.filter((call) => call.state === "started").length;
    const taken: PendingCall[] = [];
    for (const call of calls) {
      if (running >= parallelCalls) break;
      if (call.state !== "waiting") continue;
      call.state = "started";
      running++;
      taken.push(this.pending(call));
    }
    return taken;
  }

  /** Calls that were handed out and have no answer yet. */
  openCalls(): PendingCall[] {
    return this.machine.calls.filter((call) => call.state === "started").map((call) => this.pending(call));
  }

  answer(answer: CallAnswer): void {
    if (this.ended !== undefined) return;
    const m = this.machine;
    const entry = m.calls[Number(answer.callId)];
    if (entry === undefined || String(entry.id) !== answer.callId || entry.state !== "started") return;
    try {
      const base = m.tracked && this.options.releases?.includes(entry.tool) !== true ? entry.labels : 0;
      if ("error" in answer) {
        const { message, code = "TOOL_FAILED", retryable = false } = answer.error;
        settleCall(m, entry, { error: { message, code, retryable }, base: base | this.errorLabels(entry) });
      } else settleCall(m, entry, { result: answer.result, ...this.resultLabels(entry, answer.result, base) });
      m.endWork();
    } catch (error) {
      this.ended = this.failure(error);
    }
  }

  /** Ends the program from outside. */
  stop(message: string): void {
    this.ended ??= this.failure(new LimitReached("time", message));
  }

  private ownLabels(tool: string): number {
    const { labels } = this.options;
    if (labels === undefined || typeof labels === "function" || !Object.hasOwn(labels, tool)) return 0;
    return toBits(this.machine.labelNames, labels[tool] ?? []);
  }

  private errorLabels(entry: CallEntry): number {
    const { labels } = this.options;
    const { labelNames, tracked } = this.machine;
    if (!tracked) return 0;
    if (typeof labels !== "function") return this.ownLabels(entry.tool);
    try {
      return [...this.placed(labels(this.pending(entry), undefined)).values()].reduce((joined, label) => joined | label, 0);
    } catch {
      return toBits(labelNames, [...labelNames, "untrusted"]);
    }
  }

  private resultLabels(entry: CallEntry, result: unknown, base: number): { base: number; labelling?: Labelling } {
    const m = this.machine;
    const { labels } = this.options;
    if (!m.tracked) return { base: 0 };
    if (typeof labels !== "function") return { base: base | this.ownLabels(entry.tool) };
    return { base, labelling: askHost(() => this.placed(labels(this.pending(entry), result))) };
  }

  private placed(labels: Readonly<Record<string, readonly string[]>>): Labelling {
    return new Map(Object.entries(labels).map(([pointer, list]) => [pointer, toBits(this.machine.labelNames, list)]));
  }

  private refusalOf(call: CallEntry): string | undefined {
    const answer = askHost(() => this.options.onCall?.(this.pending(call)));
    return answer === undefined || answer === null ? undefined : answer.refuse;
  }

  private hasOpenCalls(): boolean {
    const failed = this.machine.root.state === "rejected";
    return this.machine.calls.some((call) => call.state === "started" || (call.state === "waiting" && !failed));
  }

  private pending(call: CallEntry): PendingCall {
    const { tool, input } = call;
    return { callId: String(call.id), tool, input, ...this.namedLabels(call), context: fromBits(this.machine.labelNames, call.context) };
  }

  private namedLabels(call: CallEntry): Pick<PendingCall, "labels" | "inputLabels"> {
    const names = this.machine.labelNames;
    const inputLabels = Object.fromEntries(Object.entries(call.inputLabels).map(([pointer, bits]) => [pointer, fromBits(names, bits)]));
    return { labels: fromBits(names, call.labels), inputLabels };
  }

  private finish(): ProgramResult {
    const m = this.machine;
    const { root } = m;
    for (const promise of m.unseen) {
      if (promise.handled || promise === root) continue;
      // Warnings carry no labels, so that what a label decided is not told in one.
      if (m.tracked && (promise.label | promise.settledBy | promise.mayThrow | promise.timing) !== 0) continue;
      m.touched = 0;
      const reason = isError(promise.value) ? errorText(m, promise.value) : "a promise was rejected";
      if (m.touched === 0) m.warnings.push(`Nobody awaited it: ${reason}`);
    }
    if (root.state === "pending") {
      return this.failed(
        {
          kind: "thrown",
          message:
            "The program awaits something that can never happen: no call is under way and nothing else is left to run. Await a call, or resolve the promise.",
        },
        root.timing | (root.frame?.context ?? 0) | m.carried,
        root.frame === undefined ? undefined : placeAt(root.frame)?.start,
      );
    }
    if (root.state === "rejected") return this.uncaught(root);
    if (isCallable(root.value) && root.label === 0)
      m.warnings.push("The returned value is a function, which is not data: the value is null. Call it: return main();");
    const copied = copyOut(m, root.value, root.label, "the returned value", m.limits.outputBytes - m.outputBytes);
    const value = copied.data === undefined ? null : copied.data;
    m.outputBytes += byteLength(JSON.stringify(value));
    checkOutput(m);
    return { ok: true, value, labels: fromBits(m.labelNames, copied.label), ...this.common() };
  }

  private uncaught(root: PromiseValue): ProgramResult {
    const m = this.machine;
    m.touched = root.label;
    const { value } = root;
    const kind = value instanceof ObjectValue && value.failure !== undefined ? value.failure : "thrown";
    let text: string;
    if (isError(value)) text = errorText(m, value);
    else {
      const shown = copyOut(m, value, 0, "what was thrown").data;
      text = `The program threw ${shown === undefined ? "undefined" : JSON.stringify(shown).slice(0, 500)}. Throw new Error("…") instead.`;
    }
    const from = kind === "tool" && value instanceof ObjectValue ? ` (from ${String(value.slots.get("tool"))})` : "";
    return this.failed({ kind, message: `${text.slice(0, 4_000)}${from}` }, m.touched, thrownAt(m, value, root.label));
  }

  private failed(
    error: { kind: ErrorKind; message: string; limit?: LimitReached["limit"] },
    label: number,
    offset?: number,
  ): ProgramResult {
    const m = this.machine;
    const place: Place = offset === undefined ? (currentPlace(m) ?? { line: 1, column: 1 }) : placeOf(m.unit.text, offset);
    const message = `Line ${place.line}: ${error.message}\n${lineOf(m.unit.text, place.line)}`;
    const full: ProgramError = { ...error, message, ...place };
    return { ok: false, error: full, labels: fromBits(m.labelNames, label), ...this.common() };
  }

  private failure(error: unknown): ProgramResult {
    if (error instanceof HostMistake) throw error.error;
    const { context } = this.machine;
    if (error instanceof LimitReached) return this.failed({ kind: "limit", message: error.message, limit: error.limit }, context);
    if (error instanceof GuestThrow) {
      const text = isError(error.value) ? errorText(this.machine, error.value) : "The program threw.";
      return this.failed({ kind: "thrown", message: text }, error.label | context);
    }
    return this.failed({ kind: "internal", message: "The interpreter failed. This is a mistake in it, not in the program." }, context);
  }

  private common(): { calls: ProgramCall[]; logs: { text: string; labels: string[] }[]; steps: number; warnings: string[] } {
    const m = this.machine;
    return {
      calls: m.calls.map((call) => ({ tool: call.tool, input: call.input, ok: call.state === "ok", ...this.namedLabels(call) })),
      logs: m.logs.map(({ text, label }) => ({ text, labels: fromBits(m.labelNames, label) })),
      steps: m.steps,
      warnings: m.warnings.slice(0, 50),
    };
  }
}
