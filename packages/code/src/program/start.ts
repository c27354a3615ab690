import { createHash } from "node:crypto";
import { defaultLimits } from "../limits.ts";
import { readMachine } from "../state/read.ts";
import { stateVersion, type ProgramState } from "../state/state.ts";
import { writeMachine } from "../state/write.ts";
import { compileSource } from "./prepare.ts";
import { refused } from "./run.ts";
import { Session } from "./session.ts";
import type { CallAnswer, PendingCall, ProgramOptions, ProgramResult, StartOptions } from "./types.ts";

/** A program that waits for calls, or that has ended. */
export type ProgramStatus =
  | { readonly status: "waiting"; readonly state: ProgramState; readonly calls: readonly PendingCall[] }
  | ({ readonly status: "done" } & ProgramResult);

/** What is given anew when a stored program goes on: functions cannot be stored. */
export type ResumeOptions = Pick<ProgramOptions, "labels" | "releases" | "onCall" | "now"> & { readonly pauseAfter?: number };

/** Runs a program until it waits for calls. The state is plain data: store it, make the calls, and resume with their answers. */
export function startProgram(source: string, options: StartOptions): ProgramStatus {
  const tracked = options.labels !== undefined;
  const unit = compileSource(source, tracked);
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
 * Throws a TypeError when the state was written by another version, or does not belong to its source.
 */
export function resumeProgram(state: ProgramState, answers: readonly CallAnswer[], options: ResumeOptions = {}): ProgramStatus {
  if (state.version !== stateVersion)
    throw new TypeError(
      `The program was stored in form ${String(state.version)}; this version reads form ${stateVersion}. Start it again.`,
    );
  if (state.sourceHash !== hashOf(state.source, state.tracked))
    throw new TypeError("The stored program does not belong to its source. Start it again.");
  const unit = compileSource(state.source, state.tracked);
  if (Array.isArray(unit)) return { status: "done", ...refused(unit) };
  const { tools, limits, freeTools } = state;
  const session = new Session(
    { unit, tools, labelNames: [...state.labelNames], seed: 0 },
    { ...options, limits: { ...defaultLimits, ...limits }, freeTools },
  );
  readMachine(session.machine, state.heap, state.roots);
  for (const answer of answers) session.answer(answer);
  return advance(session, state.source, options.pauseAfter);
}

function advance(session: Session, source: string, pauseAfter: number | undefined): ProgramStatus {
  const status = session.advance(pauseAfter);
  if (status === "done") return { status: "done", ...session.result };
  session.takeCalls();
  const { machine } = session;
  const state: ProgramState = {
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
  return { status: "waiting", state, calls: session.openCalls() };
}

function hashOf(source: string, tracked: boolean): string {
  return createHash("sha256")
    .update(`${stateVersion}\n${String(tracked)}\n${source}`)
    .digest("hex");
}
