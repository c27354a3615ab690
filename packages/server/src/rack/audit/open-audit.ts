import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Logger } from "@toolrack/core";
import { type BreadcrumbStore, keyAudit, type KeyProvider } from "@toolrack/store";
import { makePrivateFolder, tightenFile } from "../files/private-files.ts";

export interface OpenAuditOptions {
  readonly store: BreadcrumbStore;
  readonly masterKey: KeyProvider;
  readonly log: Logger;
  /** The file that names the key of the audit log: outside the database, so that somebody with write access to it cannot start a new log unnoticed. */
  readonly file: string | undefined;
}

/** Entries of the audit log have MACs from here on. What these cannot cover is logged. */
export async function openAudit({ store, masterKey, log, file }: OpenAuditOptions): Promise<void> {
  const expected = file === undefined ? undefined : readName(file);
  const { unkeyedLines, unreadable, keyId, isExpectedGone } = await keyAudit(store, masterKey, { expected });
  // Locked: the master key is wrong, which the readiness check reports.
  if (keyId === undefined) return;
  if (isExpectedGone)
    log.error(
      "The audit had a key, and its record is gone from the database: somebody removed it, and may have replaced every line. The audit does not verify. If you replaced the database yourself, remove the file that names the key, and start again.",
      { key: expected, file },
    );
  else if (file !== undefined && expected !== keyId) noteKey(file, keyId, log);
  if (unkeyedLines > 0 && !isExpectedGone)
    log.warn(
      "The audit was given a key. The lines before it are plain hashes, which anybody who can write to the database could have recomputed.",
      { lines: unkeyedLines },
    );
  if (unreadable.length > 0)
    log.error("The master key at hand does not open every key of the audit. Lines written under those cannot be verified.", { unreadable });
}

function readName(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes down which key the audit log has. */
export function noteKey(file: string, keyId: string, log: Logger): void {
  try {
    // An existing folder may be shared; the store makes its own folder private.
    if (!existsSync(path.dirname(file))) makePrivateFolder(path.dirname(file));
    writeFileSync(file, `${keyId}\n`, { mode: 0o600 });
    tightenFile(file);
  } catch (error) {
    log.warn("It could not be noted which key the audit has. Whoever can write to the database could begin a new audit unseen.", {
      file,
      error: String(error),
    });
  }
}
