import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { canonicalJson } from "@toolrack/core/internal";
import { StoreError } from "../errors.ts";
import type { RecordFile } from "./format.ts";
import { parseValues, type PlacedValue } from "./parse.ts";
import { readPlainFile } from "./read-plain-file.ts";

export interface ImportLimits {
  /** How many files a folder may have. @default 10_000 */
  readonly maxFiles?: number;
  /** Of one file. @default 16_777_216 */
  readonly maxFileBytes?: number;
  /** In all files together. @default 100_000 */
  readonly maxRecords?: number;
}

/** What one file holds, or why it is left out. */
export type ReadRecordFile = { readonly values: readonly PlacedValue[] } | { readonly problem: string };

/** Writes a file for each record into a folder, the same bytes for the same records. */
export async function writeRecordFiles(records: readonly RecordFile[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const record of records) {
    const path = join(
      folder,
      `${record.id.replace(/[^A-Za-z0-9._@+~-]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)}.json`,
    );
    // Whole files only, also when the machine stops in between; and never through a link that waits there under the same name.
    const part = `${path}.${randomBytes(6).toString("hex")}.part`;
    await writeFile(part, `${JSON.stringify(JSON.parse(canonicalJson(record)), null, 2)}\n`, { flag: "wx" });
    await rename(part, path);
  }
}

/**
 * Reads every .json file of a folder, in the order of their names, or one file: one record each, or a list of them. Links and pipes are left
 * out, and so is a file beyond the limits.
 */
export async function* readRecordFiles(path: string, limits: ImportLimits = {}): AsyncGenerator<ReadRecordFile> {
  const { maxFiles = 10_000, maxFileBytes = 16_777_216, maxRecords = 100_000 } = limits;
  const isFolder = (await stat(path)).isDirectory();
  const names = isFolder ? (await readdir(path)).filter((name) => name.endsWith(".json")).sort() : [basename(path)];
  if (names.length > maxFiles)
    throw new StoreError(
      "RECORD_INVALID",
      `The folder has ${names.length} files, and ${maxFiles} are imported at once. Import a part of them.`,
    );
  let left = maxRecords;
  for (const name of names) {
    try {
      const values = parseValues(await readPlainFile(isFolder ? join(path, name) : path, maxFileBytes, name), name);
      if (values.length > left)
        throw new StoreError(
          "RECORD_INVALID",
          `${name} is left out: with it there would be more than ${maxRecords} records. Import it alone.`,
        );
      left -= values.length;
      yield { values };
    } catch (error) {
      yield { problem: (error as Error).message };
    }
  }
}
