import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { closeSync, constants, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import type { ChainKey, LineContent } from "../../engine/audit.ts";
import type { AuditKeys } from "../../store/create-store.ts";

/** Ends of calls on disk, one per line, so that they survive a crash. Only this user can read the file (0600). */
export interface BacklogFile {
  /** Throws if it cannot be written. */
  add(contents: readonly LineContent[]): void;
  /** Replaces the whole content. */
  replace(contents: readonly LineContent[]): void;
  remove(): void;
  readonly bytes: number;
}

/** The file of another server. */
export interface TakenFile {
  /** The server that wrote it. */
  readonly server: string;
  readonly contents: readonly LineContent[];
  /** Lines without a valid MAC of the audit key, or that were cut off. */
  readonly unreadable: number;
  /** Call it after the ends were written. */
  remove(): void;
}

export interface BacklogFileOptions {
  /** Contains nothing else; created when needed (0700). */
  readonly folder: string;
  readonly server: string;
  /** Lines carry a MAC under the audit key: otherwise anyone who can write to the folder could add to the audit. */
  readonly keys: AuditKeys;
}

export function createBacklogFile({ folder, server, keys }: BacklogFileOptions): BacklogFile {
  const file = path.join(folder, fileName(server));
  let bytes = 0;

  function write(text: string, more: number, target: string): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    requireOwn(folder);
    // Opened by name each time, because another server may have renamed the file; links are not followed.
    const handle = openSync(target, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | more, 0o600);
    try {
      writeSync(handle, text);
    } finally {
      closeSync(handle);
    }
  }

  const toText = (contents: readonly LineContent[]): string => contents.map((content) => toLine(content, keys.current)).join("");

  return {
    get bytes() {
      return bytes;
    },
    add(contents) {
      const text = toText(contents);
      write(text, constants.O_APPEND, file);
      bytes += Buffer.byteLength(text);
    },
    replace(contents) {
      const text = toText(contents);
      const fresh = `${file}.new`;
      write(text, constants.O_TRUNC, fresh);
      renameSync(fresh, file);
      bytes = Buffer.byteLength(text);
    },
    remove() {
      if (bytes > 0) rmSync(file, { force: true });
      bytes = 0;
    },
  };
}

/**
 * Claims the files of all other servers. Each is renamed first: its server, if it still runs, continues in a new file, and only one of
 * several claimants succeeds.
 */
export function takeFiles({ folder, server, keys }: BacklogFileOptions): readonly TakenFile[] {
  const taken: TakenFile[] = [];
  for (const name of namesIn(folder)) {
    const writer = serverOf(name);
    if (writer === undefined || writer === server) continue;
    const claimed = path.join(folder, `${encodeURIComponent(writer)}.${randomBytes(6).toString("hex")}${ending}`);
    let text: string;
    try {
      if (!lstatSync(path.join(folder, name)).isFile()) continue; // reading a pipe would block
      renameSync(path.join(folder, name), claimed);
      text = readFileSync(claimed, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
      throw error;
    }
    const lines = text.split("\n").filter((line) => line !== "");
    const contents = lines.map((line) => fromLine(line, keys)).filter((content) => content !== undefined);
    const unreadable = lines.length - contents.length;
    // Unreadable lines stay on disk for inspection, under a name that is not claimed again.
    const remove = (): void => (unreadable === 0 ? rmSync(claimed, { force: true }) : renameSync(claimed, `${claimed}.unreadable`));
    taken.push({ server: writer, contents, unreadable, remove });
  }
  return taken;
}

/** Another owner of the folder, or anyone who may write to it, could read or redirect the ends. */
function requireOwn(folder: string): void {
  const { uid, mode } = lstatSync(folder);
  const isOurs = process.getuid === undefined || uid === process.getuid();
  if (!isOurs || (process.platform !== "win32" && (mode & 0o077) !== 0))
    throw new Error(`${folder} belongs to another user, or others may look into it: remove it, or run chmod 700 on it.`);
}

const ending = ".ends.jsonl";

function fileName(server: string): string {
  return encodeURIComponent(server) + ending;
}

/** "a-1.ends.jsonl" and "a-1.0f3c….ends.jsonl" → "a-1"; undefined for any other file. */
function serverOf(name: string): string | undefined {
  if (!name.endsWith(ending)) return undefined;
  const [server] = name.slice(0, -ending.length).split(/\.[0-9a-f]{12}$/);
  try {
    return decodeURIComponent(server!);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Begins on a new line, also after a line that was only partly written. */
function toLine(content: LineContent, key: ChainKey | undefined): string {
  const text = JSON.stringify(content);
  return `\n${JSON.stringify({ keyId: key?.id ?? "", mac: key === undefined ? "" : macOf(text, key), text })}\n`;
}

function fromLine(line: string, keys: AuditKeys): LineContent | undefined {
  try {
    const { keyId, mac, text } = JSON.parse(line) as { readonly keyId: string; readonly mac: string; readonly text: string };
    const key = keys.known.get(keyId) ?? (keys.current?.id === keyId ? keys.current : undefined);
    if (key === undefined ? keyId !== "" || keys.current !== undefined : !isSame(mac, macOf(text, key))) return undefined;
    const content = JSON.parse(text) as LineContent;
    return content.length === 11 && content[2] === "call" && typeof content[5] === "string" ? content : undefined;
  } catch {
    return undefined;
  }
}

function macOf(text: string, key: ChainKey): string {
  return createHmac("sha256", key.bytes).update(`kept end of a call\n${text}`).digest("hex");
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
