import type { CallRecord } from "@toolrack/core";

/** What calls were told by the calls that they made. A tool that reads a mail by another tool answers what the mail says. */
export interface PassedLabels {
  /** From now on, what this call is told is kept until it is taken. */
  await(callId: string): void;
  /** What an ended call was told. */
  take(callId: string): readonly string[];
  /** A program runs in this call: its machine knows what its answer carries. */
  tell(callId: string, labels: readonly string[]): void;
  /** A call ended. What it was told goes to the call that made it. */
  ended(call: Pick<CallRecord, "callId" | "parentCallId" | "tool">): void;
  /** No program runs any more. */
  clear(): void;
}

/** `labelsOf`: what the results of a tool carry. */
export function createPassedLabels(labelsOf: (tool: string) => readonly string[]): PassedLabels {
  /** Calls of programs that have not been taken. */
  const awaited = new Map<string, readonly string[]>();
  /** What calls that still run were told. */
  const inside = new Map<string, Set<string>>();
  const answers = new Map<string, readonly string[]>();

  return {
    await: (callId) => void awaited.set(callId, []),
    take(callId) {
      const told = awaited.get(callId) ?? [];
      awaited.delete(callId);
      return told;
    },
    tell: (callId, labels) => void answers.set(callId, labels),
    ended({ callId, parentCallId, tool }) {
      const told = answers.get(callId) ?? [...new Set([...(inside.get(callId) ?? []), ...labelsOf(tool)])];
      inside.delete(callId);
      answers.delete(callId);
      if (awaited.has(callId)) awaited.set(callId, told);
      if (told.length === 0 || parentCallId === undefined) return;
      const above = inside.get(parentCallId) ?? new Set();
      inside.set(parentCallId, above);
      for (const label of told) above.add(label);
    },
    clear() {
      for (const kept of [awaited, inside, answers]) kept.clear();
    },
  };
}
