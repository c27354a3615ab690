import { isAbsolute, posix, relative, sep } from "node:path";
import type { FileOperations, FolderEntry } from "../operations/files.ts";
import { type IgnoreRules, isIgnored, parseIgnore } from "./ignore.ts";
import { decodeText } from "./text.ts";

export interface WalkOptions {
  readonly signal?: AbortSignal;
  /** Whether what .gitignore files name, and node_modules, is left out. @default true */
  readonly obeysIgnore?: boolean;
  /** Maximum depth; 1 lists only the folder itself. @default no limit */
  readonly maxDepth?: number;
}

export interface WalkedEntry {
  /** From the workspace root, with "/" between names. */
  readonly path: string;
  readonly kind: FolderEntry["kind"];
  /** 1 for entries of the folder itself. */
  readonly depth: number;
}

/**
 * Everything below a folder in the order of names, each folder followed by what it holds. Links are named and never followed, so
 * the walk ends and stays inside.
 */
export async function* walk(files: FileOperations, start: string, options: WalkOptions = {}): AsyncGenerator<WalkedEntry> {
  const { signal, obeysIgnore = true, maxDepth = Number.POSITIVE_INFINITY } = options;
  const path = toShownPath(files.root, start);
  const pending: Pending[] = [];
  const open = async (folder: Folder): Promise<void> => {
    const entries = await listIfThere(files, folder.path, folder.depth === 0);
    const rules = obeysIgnore ? await withOwnRules(files, folder, entries) : folder.rules;
    const held = entries.map(({ name, kind }): Pending => ({ path: join(folder.path, name), name, kind, depth: folder.depth + 1, rules }));
    pending.push(...held.filter((entry) => !isLeftOut(entry, obeysIgnore)).reverse());
  };
  await open({ path, depth: 0, rules: obeysIgnore ? await rulesAbove(files, path) : [] });
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    signal?.throwIfAborted();
    yield { path: entry.path, kind: entry.kind, depth: entry.depth };
    if (entry.kind === "folder" && entry.depth < maxDepth) await open(entry);
  }
}

/** "./src", "/the/root/src" → "src"; the root itself → "." */
export function toShownPath(root: string, path: string): string {
  const below = isAbsolute(path) ? relative(root, path) : path;
  if (isAbsolute(below) || below.startsWith(`..${sep}`)) return path;
  const normal = posix.normalize(sep === "\\" ? below.replaceAll("\\", "/") : below).replace(/\/$/, "");
  return normal === "" ? "." : normal;
}

interface Folder {
  readonly path: string;
  readonly depth: number;
  readonly rules: readonly ScopedRules[];
}

/** Entries that were listed but not returned yet, with the rules of their folder. */
interface Pending extends Folder {
  readonly name: string;
  readonly kind: FolderEntry["kind"];
}

/** The rules of one .gitignore and its folder. */
interface ScopedRules {
  readonly folder: string;
  readonly rules: IgnoreRules;
}

function join(folder: string, name: string): string {
  return folder === "." ? name : `${folder}/${name}`;
}

/** A folder may vanish, or be closed to us, while others are being read. */
async function listIfThere(files: FileOperations, path: string, isFirst: boolean): Promise<readonly FolderEntry[]> {
  try {
    return await files.list(path);
  } catch (error) {
    if (isFirst) throw error;
    return [];
  }
}

function isLeftOut({ name, path, kind, rules: scopes }: Pending, obeysIgnore: boolean): boolean {
  const isFolder = kind === "folder";
  if (name === ".git") return true;
  if (!obeysIgnore) return false;
  if (name === "node_modules" && isFolder) return true;
  for (const { folder, rules } of scopes.toReversed()) {
    const ignored = isIgnored(rules, folder === "." ? path : path.slice(folder.length + 1), isFolder);
    if (ignored !== undefined) return ignored;
  }
  return false;
}

async function withOwnRules(
  files: FileOperations,
  { path, rules }: Folder,
  entries: readonly FolderEntry[],
): Promise<readonly ScopedRules[]> {
  if (!entries.some(({ name, kind }) => name === ".gitignore" && kind === "file")) return rules;
  return [...rules, { folder: path, rules: await readRules(files, path) }];
}

/** The rules of the folders above the start. */
async function rulesAbove(files: FileOperations, start: string): Promise<readonly ScopedRules[]> {
  const names = start === "." || isAbsolute(start) ? [] : start.split("/");
  const scopes: ScopedRules[] = [];
  for (let depth = 0; depth < names.length; depth++) {
    const folder = depth === 0 ? "." : names.slice(0, depth).join("/");
    const rules = await readRules(files, folder);
    if (rules.length > 0) scopes.push({ folder, rules });
  }
  return scopes;
}

const maxIgnoreBytes = 1024 * 1024;

async function readRules(files: FileOperations, folder: string): Promise<IgnoreRules> {
  try {
    const { bytes } = await files.read(join(folder, ".gitignore"), maxIgnoreBytes);
    return parseIgnore(decodeText(bytes)?.text ?? "");
  } catch {
    return [];
  }
}
