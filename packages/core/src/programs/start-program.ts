import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { onlyDescriptors } from "./descriptors.ts";
import { endAtExit } from "./end-at-exit.ts";
import { ProcessFault } from "./process-fault.ts";
import { signalGroup } from "./process-group.ts";
import { markVariable, type ProcessGuard } from "./process-guard.ts";

export interface ProgramOptions {
  readonly program: string;
  readonly args: readonly string[];
  /** @default that of this process */
  readonly cwd?: string | undefined;
  /** The complete environment: nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** The descriptors from 0 on. The program gets no others. */
  readonly stdio: readonly ("pipe" | "ignore")[];
  /** The name of the program in errors. @default `program` */
  readonly name?: string;
  /** Ends the program when this process is killed. */
  readonly guard: ProcessGuard;
  /** Unique, and set in its environment: when this process is killed, what left the program's group ends as well. */
  readonly mark?: string;
}

/** A program that was started, with a process group of its own. */
export interface RunningProgram {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Resolves when the program has ended. What is left of its group has been ended then. */
  readonly exited: Promise<ProgramExit>;
}

export interface ProgramExit {
  /** Null where a signal ended the program. */
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/**
 * Starts a program: no shell reads its arguments, and it gets only the variables and descriptors that are given. It ends with this process,
 * however that ends. Rejects with a `ProcessFault`.
 */
export function startProgram(options: ProgramOptions): Promise<RunningProgram> {
  const { program, args, cwd, guard, mark, name = program } = options;
  const env = mark === undefined ? options.env : { ...options.env, [markVariable]: mark };
  const { stdio, close } = onlyDescriptors(options.stdio);
  const releaseMark = (): void => void (mark !== undefined && guard.release(mark));
  if (mark !== undefined) guard.hold(mark);
  const started = new Promise<RunningProgram>((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => reject(new ProcessFault(codeOf(error, cwd), name, { cause: error }));
    try {
      const child = spawn(program, args, {
        cwd,
        env,
        stdio,
        shell: false,
        detached: process.platform !== "win32", // a group of its own, so that all of it can be ended
        windowsHide: true,
      });
      child.on("error", refuse); // later ones are signals that could not be sent: the exit tells
      const { pid } = child;
      if (pid === undefined) return;
      guard.hold(-pid);
      const end = (): void => void signalGroup(pid, "SIGKILL");
      const forget = endAtExit(end);
      const exited = new Promise<ProgramExit>((resolveExit) => {
        child.once("exit", (exitCode, signal) => {
          end(); // what it started, and left
          forget();
          guard.release(-pid);
          releaseMark();
          resolveExit({ exitCode, signal });
        });
      });
      child.once("spawn", () => resolve({ child, pid, exited }));
    } catch (error) {
      refuse(error as NodeJS.ErrnoException);
    }
  });
  return started
    .catch((error: unknown) => {
      releaseMark();
      throw error;
    })
    .finally(close);
}

/** Node reports a missing working directory as a missing program. */
function codeOf({ code = "EINVAL" }: NodeJS.ErrnoException, cwd: string | undefined): string {
  if (code !== "ENOENT" || cwd === undefined) return code;
  return statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true ? code : "ENOTDIR";
}

/** Resolves when everything that the program wrote was read, and after `maxMs` also if something still holds its pipes open. */
export function outputRead({ child }: RunningProgram, maxMs: number): Promise<void> {
  return new Promise((resolve) => {
    if ([child.stdout, child.stderr].every((stream) => stream === null || stream.closed)) return resolve();
    const late = setTimeout(resolve, maxMs);
    child.once("close", () => {
      clearTimeout(late);
      resolve();
    });
  });
}
