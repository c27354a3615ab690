import { type CallAnswer, openProgram, type OpenProgram, type PendingCall, type ProgramState, reopenProgram } from "@toolrack/code";
import { type CallContext, type InvokeOptions, ToolError } from "@toolrack/core";
import type { Reranker } from "@toolrack/core/search";
import type { BreadcrumbStore } from "@toolrack/store";
import { newCallId } from "../calls/call-id.ts";
import { askInside } from "./inside.ts";
import { failureOf, toAnswer, toOutcome } from "./outcome.ts";
import type { ProgramOutcome, ProgramRequest } from "./programs.ts";
import { definitionOf, type Reach, type ReachRegistry, reachOf } from "./reach.ts";
import { type PendingRecord, runIdOf, type RunContent, type RunRecords, type RunStatus, type StoredRun } from "./run-record.ts";

/** What programs need of their server. */
export interface LiveParts {
  readonly registry: ReachRegistry;
  /** Reorders what `tools.search` finds by meaning. */
  readonly reranker?: Reranker | undefined;
  readonly records: RunRecords;
  /** This server, by its present name. */
  readonly server: { readonly name: string };
  /** Announces that this server has stored programs. */
  announce(): Promise<void>;
  /** The call of a resumed program has the answer of this question already. */
  carry(callId: string, approval: string): void;
  /** What may be kept of a value. */
  redact(value: unknown): unknown;
  isLeft(reason: unknown): boolean;
  now(): number;
}

/** How the call of an earlier server ended. */
export type Settle = (pending: PendingRecord) => Promise<CallAnswer | "again">;

/** One program in this process: it makes the calls, and is written to the store when one of them begins to wait for a person. */
export class LiveRun {
  readonly id: string;
  readonly #parts: LiveParts;
  readonly #context: CallContext;
  readonly #request: ProgramRequest;
  readonly #reach: Reach;
  readonly #startedAt: number;
  /** Of the call that it runs in. */
  #call: CallFacts;
  #program: OpenProgram | undefined;
  /** The version of its record; undefined until it is stored. */
  #version: number | undefined;
  /** Whether the record is older than the program. */
  #isAhead = true;
  readonly #lines = new Map<string, number>();
  readonly #pending = new Map<string, PendingRecord>();
  readonly #answers: CallAnswer[] = [];
  #writing: Promise<unknown> = Promise.resolve();
  #wake = (): void => undefined;
  #stopped: string | undefined;
  /** Whether it is stored, or is about to be. */
  #isKept = false;

  constructor(parts: LiveParts, request: ProgramRequest, context: CallContext, stored?: StoredRun) {
    this.#parts = parts;
    this.#context = context;
    this.#reach = reachOf(parts.registry, context.caller, request.tools);
    this.#request = request;
    this.#startedAt = stored?.startedAt ?? parts.now();
    this.id = stored?.id ?? runIdOf(context.callId);
    this.#version = stored?.version;
    this.#isKept = stored !== undefined;
    this.#call = stored?.content ?? this.#callOf(context);
    if (stored === undefined) this.#open();
    else this.#reopen(stored.content);
  }

  get isStored(): boolean {
    return this.#version !== undefined;
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
    }
  }

  async #drive(): Promise<ProgramOutcome> {
    for (;;) {
      for (const answer of this.#answers.splice(0)) {
        (await this.#present()).answer(answer);
        this.#pending.delete(answer.callId);
        this.#isAhead = true;
      }
      if (this.#stopped !== undefined) return this.#cancelled(this.#stopped);
      const program = await this.#present();
      const status = program.advance(stepsAtOnce);
      if (status === "done") return this.#ended(program);
      if (status === "paused") {
        await new Promise((resolve) => setImmediate(resolve));
        continue;
      }
      const calls = program.takeCalls();
      for (const call of calls) this.#note(call);
      if (calls.length > 0) this.#isAhead = true;
      // A call that is not in the record would be made twice after a crash.
      if (this.#isKept && calls.length > 0) await this.#save();
      for (const call of calls) void this.#make(call);
      if (this.#answers.length === 0 && this.#stopped === undefined) await this.#answered();
    }
  }

  /** Waits. While all that is left to do is a person's, the program is in its record alone. */
  #answered(): Promise<void> {
    this.#forget();
    return new Promise<void>((resolve) => (this.#wake = resolve));
  }

  #forget(): void {
    const isLeft = [...this.#pending.values()].every(({ approval }) => approval !== undefined);
    if (isLeft && !this.#isAhead && this.#pending.size > 0) this.#program = undefined;
  }

  async #present(): Promise<OpenProgram> {
    if (this.#program !== undefined) return this.#program;
    const stored = await this.#parts.records.get(this.id);
    if (stored === undefined || stored.version !== this.#version || stored.content.state === undefined) throw lostText(this.id);
    return this.#program ?? this.#reopen(stored.content);
  }

  #open(): void {
    const { source, input } = this.#request;
    const { names, inside, labels } = this.#reach;
    const onCall = (call: PendingCall): void => this.#noteLine(call);
    this.#program = openProgram(source, { tools: names, freeTools: inside, labels, onCall, ...(input !== undefined && { input }) });
  }

  #reopen({ state, pending }: RunContent): OpenProgram {
    const { names, inside, labels } = this.#reach;
    // What it may call is decided anew.
    const now: ProgramState = { ...state!, tools: names, freeTools: inside };
    for (const one of pending) {
      this.#pending.set(one.number, { ...one, ...this.#pending.get(one.number) });
      this.#lines.set(one.number, one.line);
    }
    return (this.#program = reopenProgram(now, { labels, onCall: (call) => this.#noteLine(call) }));
  }

  #noteLine(call: PendingCall): void {
    this.#lines.set(call.callId, this.#program?.place()?.line ?? 1);
  }

  #note({ callId: number, tool, input, inputLabels }: PendingCall): void {
    this.#pending.set(number, {
      number,
      callId: newCallId(),
      tool,
      input,
      labels: inputLabels,
      line: this.#lines.get(number) ?? 1,
      server: this.#parts.server.name,
    });
  }

  /** Looked up when the program is stored first: hashes of thousands of tools are not computed for every program. */
  #withDefinitions(): readonly PendingRecord[] {
    for (const [number, pending] of this.#pending) {
      if (pending.definition !== undefined) continue;
      const definition = definitionOf(this.#parts.registry, pending.tool);
      if (definition !== undefined) this.#pending.set(number, { ...pending, definition });
    }
    return [...this.#pending.values()];
  }

  async #make(call: PendingCall): Promise<void> {
    const pending = this.#pending.get(call.callId)!;
    this.#answers.push(await this.#answerTo(call, pending));
    this.#wake();
  }

  async #answerTo({ callId, tool, input, inputLabels }: PendingCall, pending: PendingRecord): Promise<CallAnswer> {
    const { caller, signal } = this.#context;
    const { registry, reranker } = this.#parts;
    if (this.#reach.inside.includes(tool))
      return askInside(tool, input, { tools: this.#reach.tools, caller, signal, reranker }).then(
        (result) => ({ callId, result }),
        (error: unknown) => ({ callId, error: failureOf(error) }),
      );
    const labels = Object.keys(inputLabels).length > 0 ? { labels: inputLabels } : {};
    const result = await this.#context.call(tool, input, { callId: pending.callId, ...labels });
    return toAnswer(callId, result, () => registry.view(caller).offered(tool));
  }

  /** After a crash: every call that was open has ended, is made again, or is not known to have ended. */
  async #settleAll(settle: Settle): Promise<void> {
    const program = await this.#present();
    const again: PendingCall[] = [];
    for (const call of program.openCalls()) {
      const pending = this.#pending.get(call.callId);
      if (pending === undefined || this.#reach.inside.includes(call.tool)) {
        this.#note(call);
        again.push(call);
        continue;
      }
      const settled = await settle(pending);
      if (settled !== "again") {
        this.#answers.push(settled);
        continue;
      }
      this.#note(call);
      const made = this.#pending.get(call.callId)!;
      if (pending.approval !== undefined) this.#parts.carry(made.callId, pending.approval);
      again.push(call);
    }
    this.#isAhead = true;
    await this.#save();
    for (const call of again) void this.#make(call);
  }

  /**
   * A call of this program, or one that it led to, begins to wait for a person. Takes the lock on the record; `write` belongs into the
   * transaction that stores the question, and `done` is called after it.
   */
  async wait(callId: string, approval: string | undefined): Promise<WaitingRun> {
    const wasKept = this.#isKept;
    this.#isKept = true;
    const release = await this.#lock();
    const pending = [...this.#pending.values()].find((one) => one.callId === callId);
    const line = pending?.line ?? 1;
    let draft: Omit<StoredRun, "version"> | undefined;
    let version: number | undefined;
    return {
      id: this.id,
      line,
      text: sourceLine(this.#request.source, line),
      prepare: async () => {
        await this.#parts.announce();
        await this.#present();
        if (pending !== undefined && approval !== undefined) this.#pending.set(pending.number, { ...pending, approval });
        draft = this.#stored("waiting");
        this.#isAhead = false;
      },
      write: async (tx) => {
        version = await this.#parts.records.write(draft!, this.#version, tx);
        if (version === undefined) throw lostText(this.id);
      },
      done: (isWritten) => {
        if (isWritten) this.#version = version;
        else {
          this.#isAhead = true;
          this.#isKept = wasKept;
          if (pending !== undefined && this.#pending.has(pending.number)) this.#pending.set(pending.number, pending);
        }
        release();
        this.#forget();
      },
    };
  }

  async #lock(): Promise<() => void> {
    const before = this.#writing;
    let release = (): void => undefined;
    this.#writing = new Promise<void>((resolve) => (release = resolve));
    await before;
    return release;
  }

  async #save(): Promise<void> {
    const release = await this.#lock();
    try {
      // Where the question could not be stored, there is nothing to keep.
      if (this.#isKept) await this.#write("waiting");
      this.#isAhead = !this.#isKept;
    } finally {
      release();
    }
  }

  async #write(status: RunStatus, end: Pick<RunContent, "outcome" | "error"> = {}): Promise<void> {
    const version = await this.#parts.records.write(this.#stored(status, end), this.#version);
    if (version === undefined) throw lostText(this.id);
    this.#version = version;
  }

  #stored(status: RunStatus, end: Pick<RunContent, "outcome" | "error"> = {}): Omit<StoredRun, "version"> {
    const { source, tools: allowed } = this.#request;
    const { caller, callId } = this.#context;
    const state = status === "waiting" ? { state: { ...this.#program!.state(), tools: [] } } : {};
    const content: RunContent = {
      ...this.#callWithDefinition(),
      caller,
      source,
      ...(allowed !== undefined && { allowed }),
      ...state,
      pending: status === "waiting" ? this.#withDefinitions() : [],
      ...end,
    };
    const { server, now } = this.#parts;
    return { id: this.id, status, server: server.name, callId, startedAt: this.#startedAt, updatedAt: now(), content };
  }

  async #ended(program: OpenProgram): Promise<ProgramOutcome> {
    let outcome: ProgramOutcome;
    try {
      outcome = toOutcome(program.result);
    } catch (error) {
      if (this.isStored) await this.#finish("failed", { error: this.#parts.redact(failureOf(error)) as RunContent["error"] & object });
      throw error;
    }
    if (this.isStored) await this.#finish("ended", { outcome: this.#parts.redact(outcome) as ProgramOutcome });
    return outcome;
  }

  async #cancelled(message: string): Promise<never> {
    const { reason } = this.#context.signal;
    // It goes on elsewhere, or after the restart.
    const isLeft = this.isStored && this.#parts.isLeft(reason);
    if (isLeft) throw new ToolError("ABORTED", `The server stops. The program "${this.id}" is stored, and another server goes on with it.`);
    if (this.isStored) await this.#finish("cancelled", { error: { code: "ABORTED", message } });
    throw new ToolError("ABORTED", message);
  }

  async #finish(status: RunStatus, end: Pick<RunContent, "outcome" | "error">): Promise<void> {
    const release = await this.#lock();
    try {
      await this.#write(status, end);
    } finally {
      release();
    }
  }

  #callWithDefinition(): CallFacts {
    const { tool, input, parent, definition = definitionOf(this.#parts.registry, tool) } = this.#call;
    this.#call = { tool, input, ...(definition !== undefined && { definition }), ...(parent && { parent }) };
    return this.#call;
  }

  #callOf(context: CallContext): CallFacts {
    const { tool, input, shownInput, options } = context as CallContext & Partial<RunningContext>;
    const name = tool?.name ?? "";
    const parent = options?.parent && { callId: options.parent.callId, depth: options.parent.depth };
    return { tool: name, input: shownInput ?? input ?? {}, ...(parent && { parent }) };
  }
}

type CallFacts = Pick<RunContent, "tool" | "input" | "definition" | "parent">;

/** What the context of a running call has besides: how it was called. */
interface RunningContext {
  readonly tool: { readonly name: string };
  readonly input: unknown;
  readonly shownInput: unknown;
  readonly options: Pick<InvokeOptions, "parent">;
}

/** A program that is stored together with a question. */
export interface WaitingRun {
  readonly id: string;
  readonly line: number;
  /** The source of that line. */
  readonly text: string;
  prepare(): Promise<void>;
  write(tx: BreadcrumbStore): Promise<void>;
  done(isWritten: boolean): void;
}

function sourceLine(source: string, line: number): string {
  return (source.split("\n")[line - 1] ?? "").trim().slice(0, 200);
}

function lostText(id: string): ToolError {
  return new ToolError("ABORTED", `Another server goes on with the program "${id}", or it was removed. This one stops.`);
}

/** After so many steps other work of the process gets its turn. */
const stepsAtOnce = 100_000;
