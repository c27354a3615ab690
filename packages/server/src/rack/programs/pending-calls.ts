import type { PendingCall } from "@toolrack/code";
import type { ProgramCallIds } from "./call-ids.ts";
import { joined, type LabelsByPlace } from "./given-labels.ts";
import { byPlace, labelsIn, originsIn } from "./origins.ts";
import { definitionOf, type ReachRegistry } from "./reach.ts";
import type { PendingRecord } from "./run-record.ts";

export interface PendingCallsOptions {
  readonly program: { readonly id: string; readonly startedAt: number };
  readonly registry: Pick<ReachRegistry, "entries">;
  readonly server: { readonly name: string };
  readonly callIds: ProgramCallIds;
  /** What is known of the program itself: it decides about every call. */
  readonly labels: readonly string[];
}

/** The calls that a program made and has no answer of, by their number in it. */
export class PendingCalls {
  readonly #options: PendingCallsOptions;
  readonly #lines = new Map<string, number>();
  readonly #pending = new Map<string, PendingRecord>();

  constructor(options: PendingCallsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#pending.size;
  }

  values(): readonly PendingRecord[] {
    return [...this.#pending.values()];
  }

  get(number: string): PendingRecord | undefined {
    return this.#pending.get(number);
  }

  ofCall(callId: string): PendingRecord | undefined {
    return this.values().find((one) => one.callId === callId);
  }

  /** Where the program stands when it makes a call. */
  noteLine(number: string, line: number): void {
    this.#lines.set(number, line);
  }

  /** A call that is about to be made, for the first time or again. */
  note({ callId: number, tool, input, inputLabels, context }: PendingCall): PendingRecord {
    const { program, server, callIds } = this.#options;
    const known = withWhole(inputLabels, joined(context, this.#options.labels));
    const origins = byPlace(known, originsIn);
    const attempt = (this.#pending.get(number)?.attempt ?? 0) + 1;
    const made: PendingRecord = {
      number,
      attempt,
      callId: callIds(program, number, attempt),
      tool,
      input,
      labels: byPlace(known, labelsIn),
      ...(Object.keys(origins).length > 0 && { origins }),
      line: this.#lines.get(number) ?? 1,
      server: server.name,
    };
    this.#pending.set(number, made);
    return made;
  }

  /** One that a record has; what is known of it already is newer. */
  restore(one: PendingRecord): void {
    this.#pending.set(one.number, { ...one, ...this.#pending.get(one.number) });
    this.#lines.set(one.number, one.line);
  }

  replace(one: PendingRecord): void {
    if (this.#pending.has(one.number)) this.#pending.set(one.number, one);
  }

  answered(number: string): void {
    this.#pending.delete(number);
  }

  /** Looked up when the program is stored first: hashes of thousands of tools are not computed for every program. */
  withDefinitions(): readonly PendingRecord[] {
    for (const pending of this.values()) {
      if (pending.definition !== undefined) continue;
      const definition = definitionOf(this.#options.registry, pending.tool);
      if (definition !== undefined) this.replace({ ...pending, definition });
    }
    return this.values();
  }
}

/** `whole` holds for everything: it is what decided that the call is made. */
function withWhole(labels: LabelsByPlace, whole: readonly string[]): LabelsByPlace {
  return whole.length === 0 ? labels : { ...labels, "": joined(labels[""], whole) };
}
