import { type CallAnswer, openProgram, type OpenProgram, type PendingCall, type ProgramState, reopenProgram } from "@toolrack/code";
import { type CallContext, type Caller, ToolError } from "@toolrack/core";
import { heavyTurn } from "@toolrack/core/node";
import type { BreadcrumbStore } from "@toolrack/store";
import { type CallFacts, callFactsIn, callFactsOf } from "./call-facts.ts";
import { joined, labelsBelow, labelsBeside, type LabelsByPlace } from "./given-labels.ts";
import { InnerCalls } from "./inner-calls.ts";
import type { LiveParts, Settle } from "./live-parts.ts";
import { everything } from "./log-labels.ts";
import { byPlace, labelsIn, Origins } from "./origins.ts";
import { failureOf, toOutcome } from "./outcome.ts";
import { PendingCalls } from "./pending-calls.ts";
import type { ProgramOutcome, ProgramRequest } from "./programs.ts";
import { definitionOf, labelsOfName, type Reach, reachOf } from "./reach.ts";
import { type RunEnd, RunKeeper } from "./run-keeper.ts";
import { runIdOf, type RunContent, type RunStatus, type StoredRun } from "./run-record.ts";

/** One program in this process: it makes the calls, and is written to the store when one of them begins to wait for a person. */
export class LiveRun {
  readonly id: string;
  readonly #parts: LiveParts;
  readonly #context: CallContext;
  readonly #request: ProgramRequest;
  readonly #reach: Reach;
  readonly #startedAt: number;
  readonly #inner: InnerCalls;
  /** Of the call that it runs in. */
  #call: CallFacts;
  #program: OpenProgram | undefined;
  readonly #keeper: RunKeeper;
  readonly #pending: PendingCalls;
  readonly #origins: Origins;
  readonly #answers: CallAnswer[] = [];
  #wake = (): void => undefined;
  #stopped: string | undefined;

  constructor(parts: LiveParts, request: ProgramRequest, context: CallContext, { stored, above }: LiveOptions) {
    this.#parts = parts;
    this.#context = context;
    this.#reach = reachOf(parts.registry, context.caller, request);
    this.#request = request;
    this.#inner = new InnerCalls(parts, context, this.#reach, {
      isResumed: stored !== undefined,
      above: above === undefined ? undefined : above.#inner,
    });
    this.#startedAt = stored?.startedAt ?? parts.now();
    this.id = stored?.id ?? runIdOf(context.callId);
    this.#call = stored?.content ?? callFactsOf(context);
    this.#keeper = new RunKeeper(this.id, parts.records, stored, (status, end) => this.#stored(status, end));
    this.#pending = new PendingCalls({ ...parts, program: { id: this.id, startedAt: this.#startedAt }, labels: this.#labelsOfSource() });
    this.#origins = new Origins(stored?.content.state?.labelNames);
    if (stored === undefined) this.#open();
    else this.#reopen(stored.content);
  }

  /** Runs it to its end. */
  async run(settle?: Settle): Promise<ProgramOutcome> {
    const { signal } = this.#context;
    const stop = (): void => {
      this.#stopped = "The call of the program was cancelled.";
      this.#wake();
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    try {
      if (settle !== undefined) await this.#settleAll(settle);
      return await this.#drive();
    } finally {
      signal.removeEventListener("abort", stop);
      this.#parts.budget.releases(this);
    }
  }

  async #drive(): Promise<ProgramOutcome> {
    for (;;) {
      const outcome = await this.#goOn();
      if (outcome !== undefined) return outcome;
      if (this.#answers.length === 0 && this.#stopped === undefined) await this.#answered();
    }
  }

  /** As far as it comes with the answers so far. On its own, since a function that waits keeps its variables, and with them the program. */
  async #goOn(): Promise<ProgramOutcome | undefined> {
    for (;;) {
      await heavyTurn(turnOf(this.#context.caller));
      for (const answer of this.#answers.splice(0)) {
        (await this.#present()).answer(answer);
        this.#pending.answered(answer.callId);
        this.#inner.told.delete(answer.callId);
        this.#keeper.isAhead = true;
      }
      if (this.#stopped !== undefined) return this.#cancelled(this.#stopped);
      const program = await this.#present();
      const status = program.advance(stepsAtOnce);
      if (status === "done") return this.#ended(program);
      if (!this.#parts.budget.holds(this, program)) program.stop(fullText);
      if (status === "paused") continue;
      const calls = program.takeCalls();
      for (const call of calls) this.#pending.note(call);
      if (calls.length > 0) this.#keeper.isAhead = true;
      // A call that is not in the record would be made twice after a crash.
      if (this.#keeper.isKept && calls.length > 0) await this.#keeper.save();
      for (const call of calls) void this.#make(call);
      return undefined;
    }
  }

  /** Waits. While all that is left to do is a person's, the program is in its record alone. */
  #answered(): Promise<void> {
    this.#forget();
    return new Promise<void>((resolve) => (this.#wake = resolve));
  }

  #forget(): void {
    const isLeft = this.#pending.values().every(({ approval }) => approval !== undefined);
    if (!isLeft || this.#keeper.isAhead || this.#pending.size === 0) return;
    this.#program = undefined;
    this.#parts.budget.releases(this);
  }

  async #present(): Promise<OpenProgram> {
    if (this.#program !== undefined) return this.#program;
    const { content } = await this.#keeper.read();
    return this.#program ?? this.#reopen(content);
  }

  #open(): void {
    const { source, input } = this.#request;
    const { names, inside } = this.#reach;
    const known = labelsBelow(this.#call.labels ?? {}, this.#request.inputAt ?? "");
    const inputLabels = byPlace(known, (labels) => this.#origins.mark(labels, "the input"));
    const given = input === undefined ? {} : { input, inputLabels };
    this.#program = openProgram(source, { tools: names, freeTools: inside, ...this.#hooks(), ...given });
  }

  #reopen({ state, pending }: RunContent): OpenProgram {
    const { names, inside } = this.#reach;
    // What it may call is decided anew.
    const now: ProgramState = { ...state!, tools: names, freeTools: inside };
    for (const one of pending) this.#pending.restore(one);
    return (this.#program = reopenProgram(now, this.#hooks()));
  }

  #hooks(): Pick<Parameters<typeof openProgram>[1], "labels" | "onCall"> & object {
    return {
      labels: ({ callId, tool }) => {
        const labels = joined(this.#labelsOf(tool), this.#inner.told.get(callId));
        return { "": this.#origins.mark(labels, `${tool} (line ${this.#pending.get(callId)?.line ?? 1})`) };
      },
      onCall: ({ callId }) => this.#pending.noteLine(callId, this.#program?.place()?.line ?? 1),
    };
  }

  /** A tool that was there when its call was made may be gone, or hidden from the caller, when the answer comes. */
  #labelsOf(tool: string): readonly string[] {
    const { names, inside, labels } = this.#reach;
    if (names.includes(tool) || inside.includes(tool)) return labels.get(tool) ?? [];
    return labelsOfName(this.#parts.registry, tool) ?? everything;
  }

  /** Whoever wrote the program decided what it does. */
  #labelsOfSource(): readonly string[] {
    const { inputAt } = this.#request;
    return inputAt === undefined ? (this.#call.labels?.[""] ?? []) : labelsBeside(this.#call.labels ?? {}, inputAt);
  }

  async #make(call: PendingCall): Promise<void> {
    const pending = this.#pending.get(call.callId)!;
    const answer = await this.#inner.make(call, pending, () => this.#stopped);
    if (answer === "replayed") this.#stopped = replayedText;
    else this.#answers.push(answer);
    this.#wake();
  }

  /** After a crash: every call that was open has ended, is made again, or is not known to have ended. */
  async #settleAll(settle: Settle): Promise<void> {
    const program = await this.#present();
    const again: PendingCall[] = [];
    for (const call of program.openCalls()) {
      const pending = this.#pending.get(call.callId);
      if (pending === undefined || this.#reach.inside.includes(call.tool)) {
        this.#pending.note(call);
        again.push(call);
        continue;
      }
      const settled = await settle(pending);
      if (settled !== "again") {
        this.#inner.told.set(call.callId, settled.labels);
        this.#answers.push(settled.answer);
        continue;
      }
      const made = this.#pending.note(call);
      if (pending.approval !== undefined) this.#parts.carry(made.callId, pending.approval);
      again.push(call);
    }
    this.#keeper.isAhead = true;
    await this.#keeper.save();
    for (const call of again) void this.#make(call);
  }

  /**
   * A call of this program, or one that it led to, begins to wait for a person. Takes the lock on the record; `write` belongs into the
   * transaction that stores the question, and `done` is called after it.
   */
  async wait(callId: string, approval: string | undefined): Promise<WaitingRun> {
    const joinedWrite = await this.#keeper.join();
    const pending = this.#pending.ofCall(callId);
    const line = pending?.line ?? 1;
    return {
      id: this.id,
      line,
      text: sourceLine(this.#request.source, line),
      ...(pending?.origins && { origins: pending.origins }),
      prepare: async () => {
        await this.#parts.announce();
        await this.#present();
        if (pending !== undefined && approval !== undefined) this.#pending.replace({ ...pending, approval });
        joinedWrite.prepare();
      },
      write: (tx) => joinedWrite.write(tx),
      done: (isWritten) => {
        if (!isWritten && pending !== undefined) this.#pending.replace(pending);
        joinedWrite.done(isWritten);
        this.#forget();
      },
    };
  }

  #stored(status: RunStatus, end: RunEnd = {}): Omit<StoredRun, "version"> {
    const { source, tools: allowed, chain } = this.#request;
    const { caller, callId } = this.#context;
    const state = status === "waiting" ? { state: { ...this.#program!.state(), tools: [] } } : {};
    const content: RunContent = {
      ...this.#callWithDefinition(),
      caller,
      source,
      ...(allowed !== undefined && { allowed }),
      ...(chain !== undefined && { chain }),
      ...state,
      pending: status === "waiting" ? this.#pending.withDefinitions() : [],
      ...end,
    };
    const { server, now } = this.#parts;
    return { id: this.id, status, server: server.name, callId, startedAt: this.#startedAt, updatedAt: now(), content };
  }

  async #ended(program: OpenProgram): Promise<ProgramOutcome> {
    const { result } = program;
    const labels = labelsIn(joined(result.labels, this.#labelsOfSource(), ...result.logs.map((log) => log.labels)));
    this.#parts.passed.tell(this.#context.callId, labels);
    let outcome: ProgramOutcome;
    try {
      outcome = toOutcome(result, labels);
    } catch (error) {
      await this.#keeper.finish("failed", { error: this.#parts.redact(failureOf(error)) as RunContent["error"] & object });
      throw error;
    }
    await this.#keeper.finish("ended", { outcome: this.#parts.redact(outcome) as ProgramOutcome });
    return outcome;
  }

  async #cancelled(message: string): Promise<never> {
    const { signal } = this.#context;
    // It goes on elsewhere, or after the restart.
    const isLeft = signal.aborted && this.#keeper.isStored && this.#parts.isLeft(signal.reason);
    if (isLeft) throw new ToolError("ABORTED", `The server stops. The program "${this.id}" is stored, and another server goes on with it.`);
    const isOlder = message === replayedText;
    const error = { code: isOlder ? "OUTCOME_UNKNOWN" : "ABORTED", message } as const;
    await this.#keeper.finish(isOlder ? "failed" : "cancelled", { error });
    throw new ToolError(error.code, message);
  }

  #callWithDefinition(): CallFacts {
    const { definition = definitionOf(this.#parts.registry, this.#call.tool), ...call } = this.#call;
    this.#call = callFactsIn({ ...call, ...(definition !== undefined && { definition }) });
    return this.#call;
  }
}

export interface LiveOptions {
  /** The program that goes on. */
  readonly stored?: StoredRun | undefined;
  /** The program that led to this one. */
  readonly above?: LiveRun | undefined;
}

/** A program that is stored together with a question. */
export interface WaitingRun {
  readonly id: string;
  readonly line: number;
  /** The source of that line. */
  readonly text: string;
  /** Where the labels of the arguments come from, by JSON Pointer. */
  readonly origins?: LabelsByPlace;
  prepare(): Promise<void>;
  write(tx: BreadcrumbStore): Promise<void>;
  done(isWritten: boolean): void;
}

function sourceLine(source: string, line: number): string {
  return (source.split("\n")[line - 1] ?? "").trim().slice(0, 200);
}

const fullText = "All programs of this server together hold too much memory. Run it again later, or handle less data at once.";
const replayedText =
  "The stored program is older than the calls that it made: its record was put back. It does not go on, so that nothing is done twice. Run it again.";

/** Whose turn it is: all programs of one caller share its turns, also with its large bodies. */
export function turnOf({ principal, agent = "" }: Caller): string {
  return principal ?? agent;
}

/** After so many steps it is the next caller's turn, and between turns that of all other work of the process. */
const stepsAtOnce = 20_000;
