import { ToolError } from "@toolrack/core";
import type { ProcessCommand } from "../operations/processes.ts";
import { defaultLogChars, type FinishedCommand, runCommand } from "../workspace/command.ts";
import { environmentFor } from "../workspace/environment.ts";
import { showLog } from "../workspace/text-log.ts";
import type { CodePack } from "./options.ts";

export interface ProgramOptions {
  readonly cwd?: string | undefined;
  /** In addition to what every program gets. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  /** How many characters of each output are given. @default 30_000 */
  readonly maxChars?: number;
}

/** A program that ended by itself. */
export interface ProgramResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The largest amount of output that is stored. */
export const maxOutputChars: number = defaultLogChars;

const maxShown = 30_000;

/** Runs a program to its end. One that was ended by a signal, or took too long, is a failure with what it had written. */
export async function runProgram(pack: CodePack, argv: readonly [string, ...string[]], options: ProgramOptions): Promise<ProgramResult> {
  const { processes, environment, timeoutMs: usual } = pack;
  const timeoutMs = options.timeoutMs ?? usual;
  const command: Omit<ProcessCommand, "onOutput"> = {
    program: argv[0],
    args: argv.slice(1),
    env: { ...environmentFor(environment), ...options.env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  };
  const finished = await runCommand(processes, command, { timeoutMs, signal: options.signal });
  const shown = shownOutput(finished, options.maxChars ?? maxShown);
  if (finished.timedOut) {
    throw new ToolError("TIMEOUT", [`${argv[0]} was ended after ${timeoutMs} ms, before it was done.`, ...lastWords(finished)].join("\n"));
  }
  if (finished.exitCode === null) {
    throw new ToolError("TOOL_FAILED", [`${argv[0]} was ended by ${finished.signal}.`, ...lastWords(finished)].join("\n"));
  }
  return { exitCode: finished.exitCode, ...shown };
}

/** A description with what programs cannot do here. */
export function withNote(description: string, { processes }: CodePack): string {
  return processes.note === undefined ? description : `${description} ${processes.note}`;
}

/** Both outputs under each other, without empty ones. */
export function joinOutput({ stdout, stderr }: Pick<ProgramResult, "stdout" | "stderr">): string {
  return [stdout, stderr].filter((text) => text !== "").join("\n");
}

function shownOutput({ stdout, stderr }: FinishedCommand, maxChars: number): Pick<ProgramResult, "stdout" | "stderr"> {
  return { stdout: showLog(stdout, maxChars, () => "").text, stderr: showLog(stderr, maxChars, () => "").text };
}

function lastWords(finished: FinishedCommand): string[] {
  const words = joinOutput(shownOutput(finished, 4_000));
  return words === "" ? [] : [words];
}
