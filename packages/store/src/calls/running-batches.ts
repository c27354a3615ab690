import { randomBytes } from "node:crypto";
import type { Note } from "../engine/notes.ts";
import type { RunningCall } from "./call-body.ts";
import { toRunningText } from "./call-text.ts";
import type { OpenCall, RunningBatch } from "./open-calls.ts";

/** What to write so that the notes contain exactly the running calls. */
export interface RunningBatchChange {
  readonly saved: readonly Note[];
  /** Names. */
  readonly removed: readonly string[];
  /** Call it if the write failed: the calls that ended count as running again. */
  undo(): void;
}

/** The batches of running calls of one log. A call that begins and ends in the same page is never written as running. */
export interface RunningBatches {
  change(begun: readonly OpenCall[], ended: readonly OpenCall[]): RunningBatchChange;
  /** Whether a failed write may have stored notes all the same. The next change overwrites or removes them. */
  readonly hasDoubtful: boolean;
}

export function createRunningBatches(owner: string, holder: string): RunningBatches {
  const prefix = randomBytes(12).toString("base64url");
  let count = 0;
  let doubtful: string[] = [];
  const newName = (): string => `${prefix}-${count++}`;

  /** Reuses free names, because overwriting a note costs less than removing one and adding another. */
  function distribute(calls: readonly OpenCall[], free: string[]): RunningBatch[] {
    const batches: RunningBatch[] = [];
    let group: OpenCall[] = [];
    let left = 0;
    for (const call of calls) {
      const size = sizeOf(call);
      if (left < size || group.length >= mostCalls) {
        batches.push({ name: free.pop() ?? newName(), calls: (group = []), running: 0 });
        left = mostCharacters;
      }
      left -= size;
      group.push(call);
      call.batch = batches.at(-1)!;
      call.batch.running += 1;
    }
    return batches;
  }

  function toNote({ name, calls }: RunningBatch): Note {
    const texts = calls.filter(({ isOver }) => !isOver).map(({ text }) => toRunningText(text!));
    return { owner, kind: "running", name, holder, endsAt: undefined, body: `[${texts.join()}]` };
  }

  function change(begun: readonly OpenCall[], ended: readonly OpenCall[]): RunningBatchChange {
    const touched = new Set<RunningBatch>();
    for (const call of ended) {
      call.isOver = true;
      if (call.batch === undefined) continue;
      call.batch.running -= 1;
      touched.add(call.batch);
    }
    const before = [...touched];
    const inDoubt = doubtful;
    doubtful = [];
    const over = before.filter(({ running }) => running === 0).map(({ name }) => name);
    const free = [...inDoubt, ...over];
    const made = distribute(
      begun.filter(({ isOver }) => !isOver),
      free,
    );
    return {
      removed: free,
      saved: [...before.filter(({ running }) => running > 0), ...made].map(toNote),
      undo() {
        const known = new Set(over); // the batches of calls that count as running again
        doubtful.push(...new Set([...inDoubt, ...made.map(({ name }) => name)].filter((name) => !known.has(name))));
        for (const batch of made) batch.name = newName();
        for (const call of ended) {
          call.isOver = false;
          if (call.batch !== undefined) call.batch.running += 1;
        }
      },
    };
  }

  return {
    change,
    get hasDoubtful() {
      return doubtful.length > 0;
    },
  };
}

function sizeOf({ text, start: { callId, tool } }: OpenCall): number {
  return text!.caller.length + (text!.input?.length ?? 0) + callId.length + tool.length + 100;
}

/** A batch is rewritten when one of its calls ends while others run, so it must be small; it also fits into a page of the database. */
const mostCalls = 16;
const mostCharacters = 3_800;

/** Earlier versions wrote one note for each call. */
export function toRunningCalls({ holder, body }: Note): readonly RunningCall[] {
  const calls = JSON.parse(body) as Omit<RunningCall, "server"> | readonly Omit<RunningCall, "server">[];
  return (Array.isArray(calls) ? calls : [calls]).map((call: Omit<RunningCall, "server">) => ({ ...call, server: holder }));
}
