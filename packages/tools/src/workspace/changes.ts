import { type Effect, ToolError, ToolInputError } from "@toolrack/core";
import type { ChangeOptions, FileOperations, FileVersion, StagedFile } from "../operations/files.ts";
import { originOf } from "./path-rules.ts";
import { type DecodedText, decodeText, encodeText } from "./text.ts";

/** A text file that was read, to be shown or changed. */
export interface TextFile extends DecodedText {
  readonly path: string;
  readonly version: FileVersion;
  readonly bytes: number;
}

/** Larger files are not read completely. */
export const maxFileBytes: number = 20 * 1024 * 1024;

/** Refuses what is no text. */
export async function readTextFile(files: FileOperations, path: string): Promise<TextFile> {
  const { bytes, version } = await files.read(path, maxFileBytes);
  const decoded = decodeText(bytes);
  if (decoded === undefined)
    throw new ToolInputError(`${JSON.stringify(path)} is no text file: it holds ${bytes.length} bytes of binary data.`);
  return { ...decoded, path, version, bytes: bytes.length };
}

export type FileChange =
  | { readonly kind: "write"; readonly path: string; readonly content: DecodedText; readonly expect?: FileVersion | "absent" }
  | { readonly kind: "remove"; readonly path: string; readonly expect?: FileVersion };

/**
 * Makes all changes or none. Everything is written next to its target first, so that a full disk stops it before anything
 * is seen of it; what was already put in place when another change failed is put back.
 */
export async function applyChanges(files: FileOperations, changes: readonly FileChange[], signal?: AbortSignal): Promise<void> {
  const staged = new Map<FileChange, StagedFile>();
  const undo: (() => Promise<unknown>)[] = [];
  try {
    for (const change of changes) {
      signal?.throwIfAborted();
      if (change.kind === "write") staged.set(change, await files.stage(change.path, encodeText(change.content), expected(change)));
    }
    signal?.throwIfAborted();
    // Removals come last: what was removed is harder to put back.
    for (const change of [...changes].sort((a, b) => Number(a.kind === "remove") - Number(b.kind === "remove"))) {
      const back = changes.length > 1 ? await preparedUndo(files, change.path) : undefined;
      if (change.kind === "write") await staged.get(change)!.commit();
      else await files.remove(change.path, expected(change));
      if (back !== undefined) undo.push(back);
    }
  } catch (error) {
    await putBack(undo, error);
    for (const file of staged.values()) await file.discard();
    throw error;
  }
}

/** Serializes changes of users that share these operations: an edit must not lose a concurrent one. */
export async function oneAtATime<Value>(files: FileOperations, run: () => Promise<Value>): Promise<Value> {
  const origin = originOf(files);
  const before = queues.get(origin) ?? Promise.resolve();
  const running = before.then(run);
  const settled = running.catch(() => {});
  queues.set(origin, settled);
  return running;
}

const queues = new WeakMap<FileOperations, Promise<unknown>>();

export function fileEffect(action: "create" | "write" | "delete", target: string): Effect {
  return { kind: "file", action, target };
}

function expected({ expect }: FileChange): ChangeOptions {
  return expect === undefined ? {} : { expect };
}

async function preparedUndo(files: FileOperations, path: string): Promise<() => Promise<unknown>> {
  if ((await files.stat(path)) === undefined) return async () => void ((await files.stat(path)) && (await files.remove(path)));
  const { bytes } = await files.read(path, maxFileBytes);
  return async () => (await files.stage(path, bytes)).commit();
}

async function putBack(undo: readonly (() => Promise<unknown>)[], cause: unknown): Promise<void> {
  for (const back of undo.toReversed()) {
    try {
      await back();
    } catch (error) {
      const why = `${(cause as Error).message} Putting back what was already changed failed too: ${(error as Error).message}`;
      throw new ToolError("TOOL_FAILED", why, { cause });
    }
  }
}
