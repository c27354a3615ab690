import { createHash } from "node:crypto";
import { defaultLimits } from "../limits.ts";
import { hashData } from "../state/hash.ts";
import { readMachine } from "../state/read.ts";
import { stateVersion, type ProgramState } from "../state/state.ts";
import { writeMachine } from "../state/write.ts";
import { compileSource } from "./prepare.ts";
import { refused } from "./run.ts";
import { isTracked, Session } from "./session.ts";
import type { CallAnswer, PendingCall, ProgramOptions, ProgramResult, StartOptions } from "./types.ts";

/** A program that waits for calls, or that has ended. */
export type ProgramStatus =
  | { readonly status: "waiting"; readonly state: ProgramState; readonly calls: readonly PendingCall[] }
  | ({ readonly status: "done" } & ProgramResult);

/** What is given anew when a stored program goes on: functions cannot be stored. */
export type ResumeOptions = Pick<ProgramOptions, "labels" | "releases" | "onCall" | "now"> & { readonly pauseAfter?: number };

/** Runs a program until it waits for calls. The state is plain data: store it, make the calls, and resume with their answers. */
export function startProgram(source: string, options: StartOptions): ProgramStatus {
  const unit = compileSource(source, isTracked(options));
  if (Array.isArray(unit)) return { status: "done", ...refused(unit) };
  const session = new Session(
    { unit, tools: options.tools, labelNames: [], seed: options.seed ?? Math.floor(Math.random() * 2 ** 31) },
    options,
  );
  session.begin();
  return advance(session, source, options.pauseAfter);
}

/**
 * Goes on with a stored program. Each answer is applied once, by its `callId`; answers to other calls are left out.
 * Throws a TypeError when the state was written by another version, was changed, or needs `labels` that are not given.
 */
export function resumeProgram(state: ProgramState, answers: readonly CallAnswer[], options: ResumeOptions = {}): ProgramStatus {
  const session = readSession(state, options);
  if (!(session instanceof Session)) return { status: "done", ...session };
  for (const answer of answers) session.answer(answer);
  return advance(session, state.source, options.pauseAfter);
}

/** The machine of a stored program; why it is refused, if it no longer compiles. */
export function readSession(state: ProgramState, options: ResumeOptions): Session | ProgramResult {
  if (typeof state !== "object" || state === null || typeof state.source !== "string")
    throw new TypeError("This is not a stored program: give the state that startProgram answered.");
  if (state.version !== stateVersion)
    throw new TypeError(
      `The program was stored in form ${String(state.version)}; this version reads form ${stateVersion}. Start it again.`,
    );
  if (state.sourceHash !== hashOf(state.source, state.tracked))
    throw new TypeError("The stored program does not belong to its source. Start it again.");
  if (state.stateHash !== stateHashOf(state)) throw damaged();
  if (state.tracked && options.labels === undefined)
    throw new TypeError("This program was started with labels. Give labels again to go on with it; {} when no tool has any.");
  const unit = compileSource(state.source, state.tracked);
  if (Array.isArray(unit)) return refused(unit);
  const { tools, limits, freeTools } = state;
  const session = new Session(
    { unit, tools, labelNames: [...state.labelNames], seed: 0 },
    { ...options, limits: { ...defaultLimits, ...limits }, freeTools },
  );
  try {
    readMachine(session.machine, state.heap, state.roots);
  } catch {
    throw damaged();
  }
  return session;
}

function advance(session: Session, source: string, pauseAfter: number | undefined): ProgramStatus {
  const status = session.advance(pauseAfter);
  if (status === "done") return { status: "done", ...session.result };
  session.takeCalls();
  return { status: "waiting", state: writeSession(session, source), calls: session.openCalls() };
}

export function writeSession({ machine }: Session, source: string): ProgramState {
  const state: Omit<ProgramState, "stateHash"> = {
    version: stateVersion,
    sourceHash: hashOf(source, machine.tracked),
    source,
    tracked: machine.tracked,
    tools: machine.toolNames,
    freeTools: machine.freeTools,
    limits: machine.limits,
    labelNames: machine.labelNames,
    ...writeMachine(machine),
  };
  return { ...state, stateHash: stateHashOf(state) };
}

function stateHashOf({ version, source, tracked, limits, labelNames, heap, roots }: Omit<ProgramState, "stateHash">): string {
  return hashData([version, source, tracked, limits, labelNames, heap, roots]);
}

function damaged(): TypeError {
  return new TypeError("The stored program is damaged: it is not as it was written. Start it again.");
}

function hashOf(source: string, tracked: boolean): string {
  return createHash("sha256")
    .update(`${stateVersion}\n${String(tracked)}\n${source}`)
    .digest("hex");
}
