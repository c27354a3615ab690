import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { requireRole } from "../access.ts";
import type { AuditCheck } from "../audit/verify.ts";
import { StoreError } from "../errors.ts";
import type { KeyProvider } from "../secrets/keys.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { type BackupEnd, type BackupPart, readLines, sealAbout } from "./backup-lines.ts";
import { knownMigrations } from "../engines/migration-names.ts";
import type { ContentHeader, ContentPage, CopyProgress } from "./content.ts";
import { requireEmpty, fillStore } from "./fill.ts";
import { createKeyCheck } from "./sealing.ts";
import { checkAudit } from "./check-audit.ts";

export interface ReadBackupOptions {
  /** The master key that the back-up was sealed with, current or previous. Absent: secrets are left out, and the origin of the file is not verified. */
  readonly keys?: KeyProvider;
  readonly signal?: AbortSignal;
}

export interface RestoreOptions extends ReadBackupOptions {
  /** What secrets and the key of the audit are wrapped with in the restored store. @default `keys` */
  readonly newKeys?: KeyProvider;
  readonly onProgress?: (progress: CopyProgress) => void;
}

export interface BackupCheck extends ContentHeader {
  /** Whether the master key shows that the file is as its owner wrote it; else only its digest was checked, which anybody can make. */
  readonly isSealed: boolean;
  /** Keys of the audit that the master key does not open. */
  readonly unreadableAuditKeys: readonly string[];
}

export interface RestoreReport extends BackupCheck {
  /** Secrets that another master key wraps now. */
  readonly rewrapped: number;
  /** Secrets that were left out, for want of the master key. */
  readonly leftOut: number;
  /** Undefined where the master key was not given, so that the audit could not be verified. */
  readonly audit: AuditCheck | undefined;
  /** The key that lines of the audit are written under. */
  readonly auditKeyId: string | undefined;
}

/** Reads a back-up to its end, without writing anything: whether it is complete, unchanged, and opens with the master key. */
export async function checkBackup(file: string, options: ReadBackupOptions = {}): Promise<BackupCheck> {
  const handle = await openFile(file);
  try {
    return (await checkHandle(handle, options)).check;
  } finally {
    await handle.close();
  }
}

/** Brings a back-up into an empty store: all of it or nothing, after the whole file was checked. Then verifies the audit. */
export async function restoreStore(store: BreadcrumbStore, file: string, options: RestoreOptions = {}): Promise<RestoreReport> {
  requireRole(store.actor, "curator", "restore a back-up");
  const { engine, clock } = insideOf(store);
  const { keys, newKeys = keys, onProgress, signal } = options;
  await requireEmpty(engine);
  const handle = await openFile(file);
  try {
    const { check, end } = await checkHandle(handle, options);
    const content = { header: check, pages: () => readPagesAgain(handle, end, signal) };
    const filled = await fillStore(engine, content, {
      now: clock.now(),
      agent: store.actor.agent,
      keys: keys && newKeys && { from: keys, to: newKeys },
      onProgress,
    });
    const { rewrapped, leftOut, auditKeys } = filled;
    const audit = keys === undefined ? undefined : await checkAudit(store, auditKeys, check.ends.audit.last);
    return { ...check, rewrapped, leftOut, audit, auditKeyId: auditKeys.at(-1)?.id };
  } finally {
    await handle.close();
  }
}

async function checkHandle(handle: FileHandle, { keys, signal }: ReadBackupOptions): Promise<{ check: BackupCheck; end: BackupEnd }> {
  const keyCheck = keys && createKeyCheck(keys);
  let header: ContentHeader | undefined;
  let end: BackupEnd | undefined;
  for await (const part of readParts(handle, signal)) {
    if (part.kind === "header") await requireKnown((header = part.header).migrations);
    else if (part.kind === "end") end = part.end;
    else await keyCheck?.look(part);
  }
  const isSealed = keys !== undefined && (await requireSeal(end!, keys));
  keyCheck?.requireFit();
  return { check: { ...header!, isSealed, unreadableAuditKeys: keyCheck?.unreadable ?? [] }, end: end! };
}

async function requireKnown(migrations: readonly string[]): Promise<void> {
  const known = await knownMigrations();
  const newer = migrations.find((name) => !known.includes(name));
  if (newer !== undefined)
    throw new StoreError(
      "BACKUP_INVALID",
      `The back-up was made by a newer version ("${newer.slice(0, 80)}"). Restore it with that version.`,
    );
}

/** A digest can be made by anyone; a MAC under the master key, only by those who have the key. */
async function requireSeal({ sha256, seal }: BackupEnd, keys: KeyProvider): Promise<true> {
  if (seal === undefined)
    throw new StoreError(
      "BACKUP_INVALID",
      "The back-up has no seal, so its author cannot be verified. Restore it without secrets, if you trust it.",
    );
  const digest = await keys.unwrap(seal.keyId, seal.sealed, sealAbout);
  if (digest === undefined)
    throw new StoreError(
      "KEY_INVALID",
      `The back-up was sealed with the master key ${seal.keyId.slice(0, 40)}, and the one at hand is ${keys.keyId}, or the seal was changed. Give the master key that the store had.`,
    );
  if (Buffer.from(digest).toString("hex") !== sha256)
    throw new StoreError("BACKUP_INVALID", "The seal is of another back-up. Nothing was written.");
  return true;
}

/** The file is read a second time: it must still be the one that was checked, or nothing of it stays. */
async function* readPagesAgain(handle: FileHandle, checked: BackupEnd, signal: AbortSignal | undefined): AsyncGenerator<ContentPage> {
  for await (const part of readParts(handle, signal)) {
    if (part.kind === "end") {
      if (part.end.sha256 !== checked.sha256)
        throw new StoreError("BACKUP_INVALID", "The back-up was changed while it was read. Nothing was written.");
    } else if (part.kind !== "header") yield part;
  }
}

async function* readParts(handle: FileHandle, signal: AbortSignal | undefined): AsyncGenerator<BackupPart> {
  const unpacked = createGunzip();
  const packed = Readable.from(readChunks(handle)).on("error", (error) => unpacked.destroy(error));
  packed.pipe(unpacked);
  try {
    for await (const part of readLines(unpacked)) {
      signal?.throwIfAborted();
      yield part;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith("Z_") !== true) throw error;
    throw new StoreError(
      "BACKUP_INVALID",
      `The back-up cannot be unpacked (${(error as Error).message}): it is damaged or incomplete. Nothing was written.`,
    );
  } finally {
    packed.destroy();
    unpacked.destroy();
  }
}

/** From the beginning, however far the file was read before. */
async function* readChunks(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(65_536), 0, 65_536, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function openFile(file: string): Promise<FileHandle> {
  // Nobody waits for the other end of a pipe.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: NodeJS.ErrnoException) => {
    throw new StoreError("BACKUP_INVALID", `The back-up ${file} cannot be read: ${error.code ?? error.message}.`);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new StoreError("BACKUP_INVALID", `${file} is not a file. Name a back-up.`);
}
