import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync } from "node:fs";
import { type FileHandle, realpath } from "node:fs/promises";
import { constants } from "node:os";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { ToolError } from "@toolrack/core";
import { type Boundary, createBoundary, openInside } from "@toolrack/core/node";
import { FileFault } from "./files.ts";
import { requireProgram } from "./find-program.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import type { Isolation } from "./isolated.ts";
import { findIsolation, notIsolated } from "./isolation.ts";
import { familyVariable, isolatedFamily, markedFamily, type ProcessFamily } from "./process-family.ts";
import { createProcessGuard, type ProcessGuard } from "./process-guard.ts";
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
  /** How long a program that was asked to end has for it. @default 2_000 */
  readonly graceMs?: number;
  /** How programs are isolated. @default bubblewrap, else unshare: the first that works here */
  readonly isolation?: "bubblewrap" | "unshare";
}

/** The programs of this machine, each in namespaces of its own. */
export function createProcessOperations(options: ProcessOperationsOptions): ProcessOperations {
  const { root, graceMs = 2_000 } = options;
  const guard = createProcessGuard();
  const within = createBoundary(options.within ?? root);
  const running = new Map<ProcessFamily, StartedProcess>();
  const endAll = (): void => {
    for (const family of running.keys()) family.end();
  };
  return {
    ...(options.unconfined !== true && options.network !== true && { note: "Programs have no network access here." }),
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
        process.off("exit", endAll).once("exit", endAll);
        const handle = follow(started, graceMs, guard, () => {
          unwatch();
          running.delete(started.family);
          if (running.size === 0) process.off("exit", endAll);
        });
        running.set(started.family, handle);
        return handle;
      } finally {
        await folder.close();
      }
    },
    async close() {
      await Promise.all([...running.values()].map((one) => one.stop()));
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

interface Started {
  readonly child: ChildProcess;
  readonly exited: Promise<ProcessEnd>;
  readonly family: ProcessFamily;
}

async function startUnconfined(command: ProcessCommand, folder: string, cwd: string, guard: ProcessGuard): Promise<Started> {
  const { program, args, env } = command;
  const mark = randomUUID();
  const launched = await launch(command, { program, args, cwd: folder, env: { ...env, PWD: cwd, [familyVariable]: mark }, more: [] });
  guard.hold(-launched.child.pid!);
  return { ...launched, family: markedFamily(launched.child.pid!, mark) };
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
  const more = wrapped.tellsPid ? (["pipe", "pipe"] as const) : (["pipe"] as const);
  const { child, exited } = await launch(command, { program: isolation.program, args: wrapped.args, cwd: "/", env: {}, more });
  guard.hold(-child.pid!); // at once: what tells the id of the first process inside may come after this process is gone
  const [setup, told] = child.stdio.slice(3, 3 + more.length) as [Writable, Readable?];
  setup.on("error", () => {}); // reported by its exit
  setup.end(wrapped.setup);
  const first = told === undefined ? undefined : await firstProcess(told);
  return {
    child,
    exited: exited.then(({ exitCode, signal }) => endInside(exitCode, signal)),
    family: isolatedFamily(child.pid!, first),
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

interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Descriptors from 3 on. */
  readonly more: readonly "pipe"[];
}

async function launch(command: ProcessCommand, { program, args, cwd, env, more }: Launch): Promise<Omit<Started, "family">> {
  const { takesInput = false, isBackground = false, onOutput } = command;
  const { stdio, close } = onlyDescriptors([takesInput ? "pipe" : "ignore", "pipe", "pipe", ...more]);
  const child = await new Promise<ChildProcess>((resolveStart, reject) => {
    try {
      const started = spawn(program, args, {
        cwd,
        env,
        detached: true, // a group of its own, so that all of it can be ended
        stdio,
        windowsHide: true,
      });
      started.once("spawn", () => resolveStart(started));
      started.once("error", (error: NodeJS.ErrnoException) =>
        reject(new ProcessFault(error.code ?? "EUNKNOWN", command.program, { cause: error })),
      );
    } catch (error) {
      reject(new ProcessFault((error as NodeJS.ErrnoException).code ?? "EINVAL", command.program, { cause: error }));
    }
  }).finally(close);
  const exited = new Promise<ProcessEnd>((resolveExit) => {
    child.once("exit", (exitCode, signal) => resolveExit({ exitCode, signal }));
  });
  child.on("error", () => {}); // a signal that could not be sent: the next one reports it
  child.stdin?.on("error", () => {}); // reported by `write`
  child.stdout!.on("data", (bytes: Uint8Array) => onOutput("stdout", bytes));
  child.stderr!.on("data", (bytes: Uint8Array) => onOutput("stderr", bytes));
  if (isBackground) for (const part of [child, child.stdin, child.stdout, child.stderr]) letGo(part);
  return { child, exited };
}

/** Node cannot close a descriptor for a program, so those that were left open for this process are an empty file to it. */
function onlyDescriptors(wanted: readonly ("pipe" | "ignore")[]): { readonly stdio: StdioOptions; close(): void } {
  const others = inheritedDescriptors().filter((descriptor) => descriptor >= wanted.length);
  if (others.length === 0) return { stdio: [...wanted], close() {} };
  const empty = openSync("/dev/null", "r");
  const stdio: ("pipe" | "ignore" | number)[] = [...wanted];
  for (let at = wanted.length; at <= Math.max(...others); at++) stdio.push(others.includes(at) ? empty : "ignore");
  return { stdio, close: () => closeSync(empty) };
}

function letGo(part: ChildProcess | Readable | Writable | null): void {
  (part as { unref?(): void } | null)?.unref?.();
}

function follow({ child, exited, family }: Started, graceMs: number, guard: ProcessGuard, onEnd: () => void): StartedProcess {
  const first = family.first();
  if (first !== undefined) guard.hold(first);
  const ended = exited.then(async (end) => {
    // What it left behind would hold the pipes open, and outlive it.
    family.end();
    guard.release(-family.leader);
    if (first !== undefined) guard.release(first);
    onEnd();
    await drained(child);
    await family.gone();
    return end;
  });
  return {
    pid: family.leader,
    ended,
    write: (text) => writeTo(child.stdin, text),
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

function drained(child: ChildProcess): Promise<void> {
  return new Promise((resolveDrain) => {
    if (child.stdout!.closed && child.stderr!.closed) return resolveDrain();
    const late = setTimeout(resolveDrain, maxDrainMs);
    child.once("close", () => {
      clearTimeout(late);
      resolveDrain();
    });
  });
}

function writeTo(input: Writable | null, text: string): Promise<void> {
  if (input === null || !input.writable) return Promise.reject(new ProcessFault("EPIPE", "its input is closed"));
  return new Promise((resolveWrite, reject) => {
    input.write(text, (error) => {
      if (error) reject(new ProcessFault((error as NodeJS.ErrnoException).code ?? "EPIPE", "its input is closed", { cause: error }));
      else resolveWrite();
    });
  });
}
