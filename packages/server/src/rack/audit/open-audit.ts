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
      "The key of the audit log is missing in the database: somebody removed it, and may have replaced every entry. The audit log does not verify. If you replaced the database yourself, remove the file that names the key, and restart.",
      { key: expected, file },
    );
  else if (file !== undefined && expected !== keyId) noteKey(file, keyId, log);
  if (unkeyedLines > 0 && !isExpectedGone)
    log.warn(
      "The audit log has a key now. Older entries have plain hashes, which anybody with write access to the database could have recomputed.",
      { lines: unkeyedLines },
    );
  if (unreadable.length > 0)
    log.error("The master key does not open every key of the audit log. Entries written with those keys cannot be verified.", {
      unreadable,
    });
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
    log.warn(
      "The file that names the key of the audit log could not be written. Somebody with write access to the database could start a new audit log unnoticed.",
      {
        file,
        error: String(error),
      },
    );
  }
}
