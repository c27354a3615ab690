import { untilAborted } from "@toolrack/core/internal";
import type { Emit } from "../events.ts";
import type { UserMessage } from "../message.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { type Criteria, whatIsMissing } from "./criteria.ts";
import { finishTool } from "./finish-tool.ts";
import { announcePhase, type Phase } from "./phases.ts";
import type { ProgressLog } from "./progress.ts";

/** What a run has to reach: the criteria of its phases one after the other, then its own. */
export interface Goal {
  readonly phase: Phase | undefined;
  readonly hasCriteria: boolean;
  /** Whether the model has to call `finish`. */
  readonly wantsSignal: boolean;
  /** Whether it has. */
  isFinished(): boolean;
  /** What is missing now, as a sentence for the model. */
  missing(text: string, isFinished?: boolean): Promise<string | undefined>;
  /** Begins the first phase, if there are phases and none has begun. */
  begin(): Promise<void>;
  /** Begins the next phase; false if there is none. */
  next(): Promise<boolean>;
}

export interface GoalOptions {
  readonly until: Criteria | undefined;
  readonly phases: readonly Phase[];
  readonly transcript: Transcript;
  readonly progress: ProgressLog;
  readonly emit: Emit;
  /** Of the run: a check that never answers ends with it. */
  readonly signal: AbortSignal;
}

export function createGoal({ until, phases, transcript, progress, emit, signal }: GoalOptions): Goal {
  const number = (): number => transcript.state.phase ?? 0;
  const hasNext = (): boolean => number() + 1 < phases.length;
  const criteria = (): readonly Criteria[] => [phases[number()]?.until, hasNext() ? undefined : until].filter((one) => one !== undefined);
  const wantsSignal = (): boolean => criteria().some(({ signal }) => signal === true);
  const isFinished = (): boolean => wantsSignal() && progress.called.has(finishTool.name);

  async function start(phase: number): Promise<void> {
    const started = phases[phase]!;
    await transcript.append(fromSystem(announcePhase(started)), { phase, since: transcript.newest?.seq ?? 0 });
    progress.startPhase();
    emit({ type: "phase", phase: started.name });
  }

  return {
    get phase() {
      return phases[number()];
    },
    get hasCriteria() {
      return until !== undefined || phases.length > 0;
    },
    get wantsSignal() {
      return wantsSignal();
    },
    isFinished,
    async missing(text, isDone = isFinished()) {
      for (const one of criteria()) {
        const told = await untilAborted(
          whatIsMissing(one, { called: progress.called, artifacts: progress.artifacts, text }, isDone),
          signal,
        );
        if (told !== undefined) return told;
      }
      return undefined;
    },
    async begin() {
      if (phases.length > 0 && transcript.state.phase === undefined) await start(0);
    },
    async next() {
      if (!hasNext()) return false;
      await start(number() + 1);
      return true;
    },
  };
}

/** What the loop itself tells the model. */
export function fromSystem(content: string): UserMessage {
  return { role: "user", content, from: { kind: "system" } };
}
