import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { type FileHandle, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { openInside, ToolError } from "@toolrack/core";
import { FileFault } from "./files.ts";
import { endFamily, familyVariable, signalGroup } from "./process-family.ts";
import { createProcessGuard, type ProcessGuard } from "./process-guard.ts";
import { type ProcessCommand, type ProcessEnd, ProcessFault, type ProcessOperations, type StartedProcess } from "./processes.ts";

export interface ProcessOperationsOptions {
  /** The folder that no working directory may leave. */
  readonly root: string;
  /** How long a program that was asked to end has for it. @default 2_000 */
  readonly graceMs?: number;
}

/** The programs of this machine. */
export function createProcessOperations(options: ProcessOperationsOptions): ProcessOperations {
  const { root, graceMs = 2_000 } = options;
  const guard = createProcessGuard();
  const running = new Map<Family, StartedProcess>();
  const endAll = (): void => {
    for (const { leader, mark } of running.keys()) endFamily(leader, mark);
  };
  return {
    async start(command) {
      const place = command.cwd ?? ".";
      const folder = await openFolder(root, place);
      try {
        // The open folder stays what it is until the program has started in it, also when its name is swapped for a link.
        const held = existsSync(ownHandles) ? `${ownHandles}/${folder.fd}` : resolve(root, place);
        const started = await startIn(held, await realpath(held), command);
        process.off("exit", endAll).once("exit", endAll);
        const family = { leader: started.child.pid!, mark: started.mark };
        const handle = follow(started.child, family, graceMs, guard, () => {
          running.delete(family);
          if (running.size === 0) process.off("exit", endAll);
        });
        running.set(family, handle);
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

interface Family {
  readonly leader: number;
  readonly mark: string;
}

const ownHandles = "/proc/self/fd";

async function openFolder(root: string, path: string): Promise<FileHandle> {
  const handle = await openInside(root, path).catch((error: unknown) => {
    throw ToolError.is(error) ? error : new FileFault((error as NodeJS.ErrnoException).code ?? "EIO", path, { cause: error });
  });
  if ((await handle.stat()).isDirectory()) return handle;
  await handle.close();
  throw new FileFault("ENOTDIR", path);
}

async function startIn(
  folder: string,
  cwd: string,
  command: ProcessCommand,
): Promise<{ readonly child: ChildProcess; readonly mark: string }> {
  const mark = randomUUID();
  const { program, args, env, takesInput = false, isBackground = false, onOutput } = command;
  const child = await new Promise<ChildProcess>((resolveStart, reject) => {
    try {
      const started = spawn(program, args, {
        cwd: folder,
        env: { ...env, PWD: cwd, [familyVariable]: mark },
        detached: true, // a group of its own, so that all of it can be ended
        stdio: [takesInput ? "pipe" : "ignore", "pipe", "pipe"],
        windowsHide: true,
      });
      started.once("spawn", () => resolveStart(started));
      started.once("error", (error: NodeJS.ErrnoException) =>
        reject(new ProcessFault(error.code ?? "EUNKNOWN", program, { cause: error })),
      );
    } catch (error) {
      reject(new ProcessFault((error as NodeJS.ErrnoException).code ?? "EINVAL", program, { cause: error }));
    }
  });
  child.on("error", () => {}); // a signal that could not be sent: the next one will tell
  child.stdin?.on("error", () => {}); // told by `write`
  child.stdout!.on("data", (bytes: Uint8Array) => onOutput("stdout", bytes));
  child.stderr!.on("data", (bytes: Uint8Array) => onOutput("stderr", bytes));
  if (isBackground) for (const part of [child, child.stdin, child.stdout, child.stderr]) letGo(part);
  return { child, mark };
}

function letGo(part: ChildProcess | Readable | Writable | null): void {
  (part as { unref?(): void } | null)?.unref?.();
}

function follow(child: ChildProcess, family: Family, graceMs: number, guard: ProcessGuard, onEnd: () => void): StartedProcess {
  guard.hold(family.leader);
  const ended = new Promise<ProcessEnd>((resolveEnd) => {
    child.once("exit", (exitCode, signal) => {
      // What it left behind would hold the pipes open, and outlive it.
      endFamily(family.leader, family.mark);
      guard.release(family.leader);
      onEnd();
      const finish = (): void => {
        clearTimeout(late);
        resolveEnd({ exitCode, signal });
      };
      const late = setTimeout(finish, maxDrainMs);
      if (child.stdout!.closed && child.stderr!.closed) finish();
      else child.once("close", finish);
    });
  });
  return {
    pid: family.leader,
    ended,
    write: (text) => writeTo(child.stdin, text),
    endInput: () => child.stdin?.end(),
    signal: (name) => void signalGroup(family.leader, name),
    async stop() {
      signalGroup(family.leader, "SIGTERM");
      const timer = setTimeout(() => endFamily(family.leader, family.mark), graceMs);
      const end = await ended;
      clearTimeout(timer);
      return end;
    },
  };
}

/** Should a pipe stay open after everybody is gone, it is not waited for. */
const maxDrainMs = 2_000;

function writeTo(input: Writable | null, text: string): Promise<void> {
  if (input === null || !input.writable) return Promise.reject(new ProcessFault("EPIPE", "its input is closed"));
  return new Promise((resolveWrite, reject) => {
    input.write(text, (error) => {
      if (error) reject(new ProcessFault((error as NodeJS.ErrnoException).code ?? "EPIPE", "its input is closed", { cause: error }));
      else resolveWrite();
    });
  });
}
