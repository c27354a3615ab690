import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { CommandError } from "../errors.ts";

/** The text of a client's file; undefined if there is none yet. Links are followed. */
export function readClientFile(file: string): string | undefined {
  try {
    const { size } = statSync(file);
    if (size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    // Other bytes could not be written back as they were.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw cannot("read", file, error);
  }
}

const maxBytes = 10_000_000;

export interface WriteOptions {
  /** What the change was made from: a file that has something else by now is left alone. */
  readonly before: string | undefined;
  readonly keepsCopy: boolean;
  /** Whether the new text holds a key: then only its owner may read the file from now on. @default it keeps its mode */
  readonly isPrivate?: boolean;
}

/** Replaces the file as a whole, after a copy of it was kept, if one is wanted. A file that is new is for its owner only. */
export function writeClientFile(
  file: string,
  text: string,
  { before, keepsCopy, isPrivate = false }: WriteOptions,
): { readonly backup?: string } {
  try {
    mustBeSame(file, before);
    const target = realFile(file);
    const old = existsSync(target) ? statSync(target) : undefined;
    if (old !== undefined) accessSync(target, constants.W_OK);
    else mkdirSync(path.dirname(target), { recursive: true });
    const backup = old === undefined || !keepsCopy ? undefined : keepCopy(target, old.mode);
    replaceFile(target, text, old === undefined ? 0o600 : old.mode & (isPrivate ? 0o700 : 0o777));
    return backup === undefined ? {} : { backup };
  } catch (error) {
    throw cannot("written", file, error);
  }
}

/** Puts the file back as the copy has it, and removes the copy. */
export function restoreCopy(file: string, before: string, copy: string): void {
  try {
    mustBeSame(file, before);
    const target = realFile(file);
    replaceFile(target, readFileSync(copy, "utf8"), statSync(target).mode & 0o777);
    rmSync(copy);
  } catch (error) {
    throw cannot("written", file, error);
  }
}

export function removeClientFile(file: string, before: string): void {
  mustBeSame(file, before);
  rmSync(file);
}

function mustBeSame(file: string, before: string | undefined): void {
  if (readClientFile(file) !== before)
    throw new CommandError("failed", `${file} changed while this command ran, so it was left as it is. Run the command again.`);
}

/** The copies that were kept of a file, newest first. They are beside what a link leads to: a repository may hold the link. */
export function copiesOf(file: string): readonly string[] {
  const target = realFile(file);
  const start = `${path.basename(target)}.toolrack-backup-`;
  const numbers = readdirSync(path.dirname(target)).flatMap((name) => (name.startsWith(start) ? Number(name.slice(start.length)) : []));
  return numbers
    .filter(Number.isInteger)
    .sort((one, other) => other - one)
    .map((number) => copyName(target, number));
}

/** Whether others on this machine can read it. */
export function isReadByOthers(file: string): boolean {
  return process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0;
}

function keepCopy(target: string, mode: number): string {
  const newest = copiesOf(target)[0]?.match(/\d+$/)?.[0] ?? "0";
  const copy = copyName(target, Number(newest) + 1);
  copyFileSync(target, copy, constants.COPYFILE_EXCL);
  // It may hold the keys of other servers.
  chmodSync(copy, mode & 0o700);
  return copy;
}

function copyName(file: string, number: number): string {
  return `${file}.toolrack-backup-${number}`;
}

/** In one step, so that a client never reads half a file. */
function replaceFile(target: string, text: string, mode: number): void {
  const temporary = `${target}.toolrack-${process.pid}`;
  try {
    writeFileSync(temporary, text, { mode, flag: "wx" });
    chmodSync(temporary, mode);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** What a link leads to is written; the link stays. */
function realFile(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

function cannot(done: "read" | "written", file: string, error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const fact =
    code === "EACCES" || code === "EPERM" || code === "EROFS"
      ? "you may not change it. Check who owns it, and its permissions"
      : code === "EISDIR"
        ? "it is a folder. Name the client's file with --file"
        : message;
  return new CommandError("failed", `${file} cannot be ${done}: ${fact}.`);
}
