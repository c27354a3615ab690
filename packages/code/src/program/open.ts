import { measure } from "../machine/memory.ts";
import { currentPlace } from "../machine/places.ts";
import type { Place } from "../parse/source.ts";
import type { ProgramState } from "../state/state.ts";
import { compileSource } from "./prepare.ts";
import { refused } from "./run.ts";
import { isTracked, Session } from "./session.ts";
import { readSession, type ResumeOptions, writeSession } from "./start.ts";
import type { CallAnswer, PendingCall, ProgramResult, StartOptions } from "./types.ts";

/** A program in the hands of its host, which makes the calls and may store it between any two of them. */
export interface OpenProgram {
  /** Runs until it ends or waits for calls; "paused" after so many steps. */
  advance(steps?: number): "done" | "waiting" | "paused";
  /** The calls to make now: at most eight are under way at once. Each is handed out once. */
  takeCalls(): readonly PendingCall[];
  /** The calls that were handed out and have no answer. */
  openCalls(): readonly PendingCall[];
  /** Applies the answer of a call; later ones for the same call are left out. */
  answer(answer: CallAnswer): void;
  /** Ends it: the program cannot catch that. */
  stop(message: string): void;
  /** Where it is while it runs, as in `onCall`. */
  place(): Place | undefined;
  /** How much memory it holds at most, in bytes, as it counts it. */
  readonly memoryBytes: number;
  /** The same, measured: what it let go of is not counted. */
  measureMemory(): number;
  /** All of it, as plain data. */
  state(): ProgramState;
  /** After "done". */
  readonly result: ProgramResult;
}

/** Opens a new program. One that is refused is "done" at once. */
export function openProgram(source: string, options: Omit<StartOptions, "pauseAfter">): OpenProgram {
  const unit = compileSource(source, isTracked(options));
  if (Array.isArray(unit)) return ended(refused(unit));
  const session = new Session(
    { unit, tools: options.tools, labelNames: [], seed: options.seed ?? Math.floor(Math.random() * 2 ** 31) },
    options,
  );
  session.begin();
  return opened(session, source);
}

/** Opens a stored program, with the calls that are open as they were. Throws as `resumeProgram` does. */
export function reopenProgram(state: ProgramState, options: ResumeOptions = {}): OpenProgram {
  const session = readSession(state, options);
  return session instanceof Session ? opened(session, state.source) : ended(session);
}

function opened(session: Session, source: string): OpenProgram {
  return {
    advance: (steps) => session.advance(steps),
    takeCalls: () => session.takeCalls(),
    openCalls: () => session.openCalls(),
    answer: (answer) => session.answer(answer),
    stop: (message) => session.stop(message),
    place: () => currentPlace(session.machine),
    state: () => writeSession(session, source),
    get memoryBytes() {
      return session.machine.memory;
    },
    measureMemory: () => measure(session.machine).bytes,
    get result() {
      return session.result;
    },
  };
}

function ended(result: ProgramResult): OpenProgram {
  const nothing = (): never => {
    throw new TypeError("The program was refused: there is nothing to store.");
  };
  return {
    advance: () => "done",
    takeCalls: () => [],
    openCalls: () => [],
    answer: () => undefined,
    stop: () => undefined,
    place: () => undefined,
    state: nothing,
    memoryBytes: 0,
    measureMemory: () => 0,
    result,
  };
}
