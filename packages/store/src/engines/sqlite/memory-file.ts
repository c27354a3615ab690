import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SqliteDatabase } from "./load.ts";

/** The file of a database in memory, in a folder of its own. */
export interface MemoryFile {
  readonly path: string;
  /** To be called when the tables are made, before anything is written to them. */
  keepEmpty(writer: SqliteDatabase): void;
  remove(): void;
}

/** What the first such file was when its tables were made. Making them takes many times as long as a copy, so later ones begin with it. */
let empty: Buffer | undefined;

export function createMemoryFile(): MemoryFile {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-"));
  const path = join(folder, "store.db");
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    if (empty !== undefined) writeFileSync(path, empty);
  } catch (error) {
    remove();
    throw error;
  }
  return {
    path,
    keepEmpty(writer) {
      if (empty !== undefined) return;
      writer.exec("pragma wal_checkpoint(truncate)");
      empty = readFileSync(path);
    },
    remove,
  };
}
