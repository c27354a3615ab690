import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { type FileHandle, realpath } from "node:fs/promises";
import { constants } from "node:os";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { ToolError } from "@toolrack/core";
import {
  createProcessGuard,
  endAtExit,
  outputRead,
  type ProcessGuard,
  type ProgramOptions,
  type RunningProgram,
  startProgram,
} from "@toolrack/core/internal/programs";
import { type Boundary, createBoundary, openInside } from "@toolrack/core/node";
import { FileFault } from "./files.ts";
import { requireProgram } from "./find-program.ts";
import type { Isolation } from "./isolated.ts";
import { findIsolation, notIsolated } from "./isolation.ts";
import { isolatedFamily, markedFamily, type ProcessFamily } from "./process-family.ts";
import { type ProcessCommand, type ProcessEnd, ProcessFault, type ProcessOperations, type StartedProcess } from "./processes.ts";
import { findReserved, reservedInside } from "./reserved-files.ts";
import { type ProgramLimits, watchLimits, withKernelLimits } from "./program-limits.ts";
import { sandboxHome, sandboxMounts, type SandboxOptions } from "./sandbox.ts";

/** What programs may do besides working in the workspace. */
export interface ConfinementOptions extends Omit<SandboxOptions, "root">, ProgramLimits {
  /** The folder that `root` must stay in, also when something else takes its place. @default `root` itself, as it was at the beginning */
  readonly within?: string;
  /**
   * Whether programs run without isolation, with all that the user of this process may do. @default false: where nothing isolates
   * them, they are not run
   */
  readonly unconfined?: boolean;
}

export interface ProcessOperationsOptions extends ConfinementOptions {
  /** The folder that no working directory may leave, and the only one of this machine that isolated programs may write to. */
  readonly root: string;
  /** How long a program may take to end after SIGTERM, before it is killed. @default 2_000 */
  readonly graceMs?: number;
  /** How programs are isolated. @default bubblewrap, else unshare: the first that works here */
  readonly isolation?: "bubblewrap" | "unshare";
}

/** The programs of this machine, each in namespaces of its own. */
export function createProcessOperations(options: ProcessOperationsOptions): ProcessOperations {
  const { root, graceMs = 2_000 } = options;
  const guard = createProcessGuard();
  const within = createBoundary(options.within ?? root);
  const running = new Set<StartedProcess>();
  return {
    ...(options.unconfined !== true && options.network !== true && { note: "Programs run without network access." }),
    async start(command) {
      const isolation = options.unconfined === true ? undefined : requireIsolation(options.isolation);
      const reserved = findReserved(root, options.hidden ?? []);
      if (reserved !== undefined) throw reservedInside(reserved);
      const place = command.cwd ?? ".";
      const folder = await openFolder(root, place, within);
      try {
        // The open folder stays what it is until the program has started in it, also when its name is swapped for a link.
        const held = existsSync(ownHandles) ? `${ownHandles}/${folder.fd}` : resolve(root, place);
        const cwd = await realpath(held);
        const started = await (isolation === undefined
          ? startUnconfined(command, held, cwd, guard)
          : startIsolated(command, cwd, isolation, { ...options, root: await realRoot(root, within) }, guard));
        const unwatch = isolation === undefined ? () => {} : watch(started, command, options);
        const forget = endAtExit(() => started.family.end());
        const handle = follow(started, graceMs, () => {
          unwatch();
          forget();
          running.delete(handle);
        });
        running.add(handle);
        return handle;
      } finally {
        await folder.close();
      }
    },
    async close() {
      await Promise.all([...running].map((one) => one.stop()));
      guard.close();
    },
  };
}

/** Ends a program that exceeds its limits, and says so in its error output. */
function watch({ family }: Started, { onOutput }: ProcessCommand, limits: ProgramLimits): () => void {
  return watchLimits(family.first, limits, (fact) => {
    onOutput("stderr", Buffer.from(`\nThe program was ended: ${fact}.\n`));
    family.end();
  });
}

function requireIsolation(wanted: Isolation["kind"] | undefined): Isolation {
  const state = findIsolation(wanted);
  if (state.kind === "none") throw notIsolated(state.problem);
  return state.isolation;
}

const ownHandles = "/proc/self/fd";

async function realRoot(root: string, within: Boundary): Promise<string> {
  const real = await realpath(root);
  if (within.holds(real)) return real;
  throw new ToolError("PATH_OUTSIDE_WORKSPACE", "The folder that programs work in was replaced by something outside of the workspace.");
}

async function openFolder(root: string, path: string, within: Boundary): Promise<FileHandle> {
  const handle = await openInside(root, path, "r", { within }).catch((error: unknown) => {
    throw ToolError.is(error) ? error : new FileFault((error as NodeJS.ErrnoException).code ?? "EIO", path, { cause: error });
  });
  if ((await handle.stat()).isDirectory()) return handle;
  await handle.close();
  throw new FileFault("ENOTDIR", path);
}

interface Started extends RunningProgram {
  readonly family: ProcessFamily;
}

async function startUnconfined(command: ProcessCommand, folder: string, cwd: string, guard: ProcessGuard): Promise<Started> {
  const { program, args, env } = command;
  const mark = randomUUID();
  const launched = await launch(command, {
    program,
    args,
    cwd: folder,
    env: { ...env, PWD: cwd },
    mark,
    more: [],
    guard,
  });
  return { ...launched, family: markedFamily(launched.pid, mark) };
}

/** Mounts are computed for each program, since hidden files may have been created meanwhile. */
async function startIsolated(
  command: ProcessCommand,
  cwd: string,
  isolation: Isolation,
  options: SandboxOptions & ProgramLimits,
  guard: ProcessGuard,
): Promise<Started> {
  const mounts = sandboxMounts(options);
  const env = insideEnvironment(command.env, cwd);
  requireProgram(command.program, cwd, env["PATH"], mounts);
  const [program, ...args] = withKernelLimits(command.program, command.args, options);
  const wrapped = isolation.wrap({ program, args, cwd, env, mounts, network: options.network === true, setupFd: 3 });
  const more = (["pipe", "pipe", "pipe"] as const).slice(0, wrapped.filter !== undefined ? 3 : wrapped.tellsPid ? 2 : 1);
  const launched = await launch(command, {
    program: isolation.program,
    args: wrapped.args,
    cwd: "/",
    env: {},
    mark: randomUUID(),
    more,
    guard,
  });
  const { child, pid, exited } = launched;
  const [setup, told, filter] = child.stdio.slice(3, 3 + more.length) as [Writable, Readable?, Writable?];
  for (const [input, content] of [[setup, wrapped.setup] as const, [filter, wrapped.filter] as const]) {
    input?.on("error", () => {}); // reported by its exit
    input?.end(content);
  }
  const first = told === undefined ? undefined : await firstProcess(told);
  return {
    child,
    pid,
    exited: exited.then(({ exitCode, signal }) => endInside(exitCode, signal)),
    family: isolatedFamily(pid, first),
  };
}

/** The home directory of the server's user is not there. */
function insideEnvironment(env: Readonly<Record<string, string>>, cwd: string): Record<string, string> {
  const isOwnHome = env["HOME"] === undefined || env["HOME"] === process.env["HOME"];
  const { TMPDIR: _, ...rest } = env;
  return { ...rest, ...(isOwnHome && { HOME: sandboxHome }), PWD: cwd };
}

/** Undefined where it could not even begin. */
async function firstProcess(told: Readable): Promise<number | undefined> {
  let text = "";
  told.setEncoding("utf8");
  try {
    for await (const part of told) text += part;
  } catch {
    // The exit says what happened.
  }
  const pid = Number(/"child-pid":\s*(\d+)/.exec(text)?.[1]);
  return Number.isNaN(pid) ? undefined : pid;
}

interface Launch extends Omit<ProgramOptions, "name" | "stdio"> {
  /** Descriptors from 3 on. */
  readonly more: readonly "pipe"[];
}

async function launch(command: ProcessCommand, { more, ...options }: Launch): Promise<RunningProgram> {
  const { takesInput = false, isBackground = false, onOutput } = command;
  const stdio = [takesInput ? "pipe" : "ignore", "pipe", "pipe", ...more] as const;
  const started = await startProgram({ ...options, name: command.program, stdio });
  const { child } = started;
  child.stdin?.on("error", () => {}); // reported by `write`
  child.stdout!.on("data", (bytes: Uint8Array) => onOutput("stdout", bytes));
  child.stderr!.on("data", (bytes: Uint8Array) => onOutput("stderr", bytes));
  if (isBackground) for (const part of [child, child.stdin, child.stdout, child.stderr]) letGo(part);
  return started;
}

function letGo(part: ChildProcess | Readable | Writable | null): void {
  (part as { unref?(): void } | null)?.unref?.();
}

function follow(started: Started, graceMs: number, onEnd: () => void): StartedProcess {
  const { child, exited, family } = started;
  const ended = exited.then(async (end) => {
    // What it left behind would hold the pipes open, and outlive it.
    family.end();
    onEnd();
    await outputRead(started, maxDrainMs);
    await family.gone();
    return end;
  });
  return {
    pid: family.leader,
    ended,
    write: (written) => writeTo(child.stdin, written),
    endInput: () => child.stdin?.end(),
    signal: (name) => void (name === "SIGKILL" ? family.end() : family.signal(name)),
    async stop() {
      // No such process: it has ended, or not started.
      if (!family.signal("SIGTERM")) family.end();
      const timer = setTimeout(() => family.end(), graceMs);
      const end = await ended;
      clearTimeout(timer);
      return end;
    },
  };
}

/** The isolation reports a signal like a shell does: by an exit code of 128 plus its number. */
function endInside(exitCode: number | null, signal: string | null): ProcessEnd {
  const name = exitCode === null ? undefined : signalNames.get(exitCode - 128);
  return name === undefined ? { exitCode, signal } : { exitCode: null, signal: name };
}

const signalNames: ReadonlyMap<number, string> = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** Should a pipe stay open after everybody is gone, it is not waited for. */
const maxDrainMs = 2_000;

function writeTo(input: Writable | null, written: string | Uint8Array): Promise<void> {
  if (input === null || !input.writable) return Promise.reject(new ProcessFault("EPIPE", "its input is closed"));
  return new Promise((resolveWrite, reject) => {
    input.write(written, (error) => {
      if (error) reject(new ProcessFault((error as NodeJS.ErrnoException).code ?? "EPIPE", "its input is closed", { cause: error }));
      else resolveWrite();
    });
  });
}
