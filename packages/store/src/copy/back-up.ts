import { randomBytes } from "node:crypto";
import { type FileHandle, link, open, rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { requireRole } from "../access.ts";
import { StoreError } from "../errors.ts";
import type { KeyProvider } from "../secrets/keys.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { writeLines } from "./backup-lines.ts";
import { type ContentHeader, type CopyProgress, withContent } from "./content.ts";

export interface BackUpOptions {
  /** Seals the back-up, so that a change or a forgery is detected when it is restored. */
  readonly keys?: KeyProvider;
  readonly onProgress?: (progress: CopyProgress) => void;
  readonly signal?: AbortSignal;
}

export interface BackUpReport extends ContentHeader {
  readonly file: string;
  readonly bytes: number;
}

/**
 * Writes everything in a store into one file, as it is at one moment, while others use the store. The file is readable by its owner
 * alone (0600) and appears only when it is complete. Secrets and the key of the audit stay sealed by the master key, which is not in it.
 */
export async function backUpStore(store: BreadcrumbStore, file: string, options: BackUpOptions = {}): Promise<BackUpReport> {
  requireRole(store.actor, "curator", "back up the store");
  const { engine, clock } = insideOf(store);
  const { keys, onProgress, signal } = options;
  await requireFree(file);
  const part = `${file}.${randomBytes(6).toString("hex")}.part`;
  try {
    const header = await withContent(engine, clock.now(), async (content) => {
      const handle = await open(part, "wx", 0o600);
      try {
        await pipeline(writeLines(content, { keys, onProgress }), createGzip(), (packed) => writeAll(handle, packed), {
          ...(signal && { signal }),
        });
        await handle.sync();
      } finally {
        await handle.close();
      }
      return content.header;
    });
    await putInPlace(part, file);
    return { ...header, file, bytes: (await stat(file)).size };
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function writeAll(handle: FileHandle, chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) {
    for (let written = 0; written < chunk.length;) written += (await handle.write(chunk, written)).bytesWritten;
  }
}

async function requireFree(file: string): Promise<void> {
  const isThere = await stat(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw taken(file);
}

/** Never replaces a file that was created meanwhile, if the file system can prevent it. */
async function putInPlace(part: string, file: string): Promise<void> {
  try {
    await link(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw taken(file);
    return rename(part, file);
  }
  await rm(part);
}

function taken(file: string): StoreError {
  return new StoreError("QUERY_INVALID", `There is a file ${file} already, and a back-up never replaces a file. Choose another name.`);
}
