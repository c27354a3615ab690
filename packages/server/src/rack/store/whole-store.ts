import { existsSync } from "node:fs";
import path from "node:path";
import { type Logger, ToolError } from "@toolrack/core";
import {
  type BackupCheck,
  type BackUpReport,
  backUpStore,
  type BreadcrumbStore,
  checkBackup,
  checkKeys,
  type CopyProgress,
  type CopyReport,
  copyStore,
  createKeys,
  type KeyProvider,
  keysFromEnvironment,
  type RestoreReport,
  restoreStore,
} from "@toolrack/store";
import type { StoreConfig } from "../../config/config.ts";
import { noteKey } from "../audit/open-audit.ts";
import { openConfig } from "../settings/open-config.ts";
import { nameStore, openStore, locateStore, serverActor, type StoreLocation } from "./open-store.ts";
import { readSecretFile } from "../keys-and-tokens/secret-file.ts";

/** The whole store of a configuration. Nothing of the server is started, and the server may run meanwhile. */
export interface WholeStoreOptions {
  readonly folder: string;
  /** @default toolrack.config.yaml, if it exists */
  readonly config?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The file of the master key, if it is neither in the environment nor next to the store. */
  readonly keyFile?: string | undefined;
  readonly onProgress?: (progress: CopyProgress) => void;
  readonly signal?: AbortSignal;
}

export interface RestoreFileOptions extends WholeStoreOptions {
  /** Continues without the master key: secrets have to be set again, and the origin of the file cannot be verified. */
  readonly withoutSecrets?: boolean;
  /** Reads the file to its end, and writes nothing. */
  readonly checkOnly?: boolean;
}

export interface CopyBetweenOptions extends WholeStoreOptions {
  /** A file of SQLite, a connection string of PostgreSQL, or "env:NAME" for the variable that holds one. */
  readonly from: string;
  readonly to: string;
  /** The file of the master key for the target. @default the key next to the target, else the key of the source */
  readonly toKeyFile?: string | undefined;
}

/** A store as messages name it, without a password. */
export interface Named {
  readonly place: string;
}

/** Writes the store into one file. */
export async function backUpTo(file: string, options: WholeStoreOptions): Promise<BackUpReport & Named> {
  const store = await configured(options);
  const keys = demandKey(store, options, "seals the back-up");
  const { onProgress, signal } = options;
  const report = await withStore(store, async (opened) => {
    await demandFit(opened, keys, store);
    return backUpStore(opened, path.resolve(options.folder, file), { keys, ...(onProgress && { onProgress }), ...(signal && { signal }) });
  });
  return { ...report, place: store.place };
}

/** Restores a back-up into the store, which must be empty. */
export async function restoreFrom(file: string, options: RestoreFileOptions): Promise<(RestoreReport | BackupCheck) & Named> {
  const store = await configured(options, { mayBeNew: true });
  const { onProgress, signal, withoutSecrets = false, checkOnly = false } = options;
  const backup = path.resolve(options.folder, file);
  const keys = withoutSecrets ? undefined : demandKey(store, options, "opens what the back-up holds");
  const shared = { ...(keys && { keys }), ...(signal && { signal }) };
  if (checkOnly) return { ...(await checkBackup(backup, shared)), place: store.place };
  // A file that is not a back-up must not create an empty database.
  await checkBackup(backup, shared);
  const newKeys = withoutSecrets || options.keyFile === undefined ? undefined : keyOf(store, { ...options, keyFile: undefined });
  const report = await withStore(store, (opened) =>
    restoreStore(opened, backup, { ...shared, ...(newKeys && { newKeys }), ...(onProgress && { onProgress }) }),
  );
  noteAuditKey(store, report.auditKeyId);
  return { ...report, place: store.place };
}

/** Copies a snapshot of a store, which may be in use, into an empty one. */
export async function copyBetween(
  options: CopyBetweenOptions,
): Promise<CopyReport & { readonly from: string; readonly to: string; readonly keyId: string }> {
  const { from, to, toKeyFile, onProgress } = options;
  const source = locate(from, options);
  const target = locate(to, options, { mayBeNew: true });
  if (source.files.auditKeyFile === target.files.auditKeyFile)
    throw new ToolError("CONFIG_INVALID", `${source.place} cannot be copied into itself. Name another target.`);
  const keys = demandKey(source, options, "opens the secrets of the source");
  const newKeys = keyOf(target, { ...options, keyFile: toKeyFile }) ?? keys;
  const report = await withStore(source, (opened) =>
    withStore(target, (empty) => copyStore(opened, empty, { keys, newKeys, ...(onProgress && { onProgress }) })),
  );
  noteAuditKey(target, report.auditKeyId);
  return { ...report, from: source.place, to: target.place, keyId: newKeys.keyId };
}

interface LocatedStore extends Named {
  readonly config: StoreConfig | undefined;
  readonly folder: string;
  readonly environment: WholeStoreOptions["environment"];
  readonly files: StoreLocation;
}

async function configured(options: WholeStoreOptions, { mayBeNew = false } = {}): Promise<LocatedStore> {
  const source = await openConfig({ config: options.config, folder: options.folder, log: silence });
  source.close();
  const { config, file } = source.start;
  return locateConfig(config.store, path.dirname(file), options.environment, mayBeNew);
}

function locate(text: string, { folder, environment }: WholeStoreOptions, { mayBeNew = false } = {}): LocatedStore {
  const isUrl = /^(postgres(ql)?:\/\/|env:)/.test(text);
  // The named store counts, not the one of the environment.
  const only = { ...environment, DATABASE_URL: undefined };
  // Read before it is left out: DATABASE_URL may be the variable that is named.
  const named = text.startsWith("env:") ? environment[text.slice("env:".length)] : undefined;
  if (isUrl) return locateConfig({ postgres: named || text }, folder, only, mayBeNew);
  // Its folder may be shared, and keeps its mode.
  const file = path.resolve(folder, text);
  return locateConfig({ sqlite: file }, path.dirname(file), only, mayBeNew);
}

function locateConfig(
  config: StoreConfig | undefined,
  folder: string,
  environment: WholeStoreOptions["environment"],
  mayBeNew: boolean,
): LocatedStore {
  const files = locateStore({ config, folder, environment });
  if (files.folder === undefined)
    throw new ToolError("CONFIG_INVALID", "store.memory is set: nothing is stored on disk, so there is nothing to copy.");
  if (files.file !== undefined && !mayBeNew && !existsSync(files.file))
    throw new ToolError(
      "CONFIG_INVALID",
      `There is no store at ${files.file}. Start the server once, or name its configuration with --config.`,
    );
  return { config, folder, environment, files, place: nameStore({ config, folder, environment }) };
}

async function withStore<Result>(
  { config, folder, environment }: LocatedStore,
  work: (store: BreadcrumbStore) => Promise<Result>,
): Promise<Result> {
  const { store } = await openStore({ config, folder, environment });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

function demandKey(store: LocatedStore, options: WholeStoreOptions, use: string): KeyProvider {
  const keys = keyOf(store, options);
  if (keys !== undefined) return keys;
  throw new ToolError(
    "CONFIG_INVALID",
    `The master key, which ${use}, is missing: there is no ${keyFileOf(store)}. Put it there, set TOOLRACK_MASTER_KEY or TOOLRACK_MASTER_KEY_FILE, or name its file with --key-file.`,
  );
}

/** A back-up under another key than that of its secrets could not be restored with either key alone. */
async function demandFit(opened: BreadcrumbStore, keys: KeyProvider, store: LocatedStore): Promise<void> {
  const { unreadableSecrets, auditKey } = await checkKeys(opened.as(serverActor), keys);
  if (unreadableSecrets === 0 && auditKey !== "unreadable") return;
  const what = [
    ...(unreadableSecrets > 0 ? [unreadableSecrets === 1 ? "1 secret" : `${unreadableSecrets} secrets`] : []),
    ...(auditKey === "unreadable" ? ["the key of the audit"] : []),
  ];
  throw new ToolError(
    "CONFIG_INVALID",
    `The current master key (${keys.keyId}) does not open ${what.join(" and ")} of ${store.place}. It may be an old one: set TOOLRACK_MASTER_KEY to the key that the servers use, or name its file with --key-file.`,
  );
}

/** From the named file, the environment, or the file next to the store. Never creates one. */
function keyOf(store: LocatedStore, { folder, environment, keyFile }: WholeStoreOptions): KeyProvider | undefined {
  const previous = (environment["TOOLRACK_PREVIOUS_KEYS"] ?? "").split(",").filter((key) => key.trim() !== "");
  if (keyFile !== undefined) {
    const current = readSecretFile(path.resolve(folder, keyFile), "master key");
    if (current === undefined) throw new ToolError("CONFIG_INVALID", `There is no file ${keyFile} with a master key.`);
    return createKeys({ current, previous });
  }
  const named = environment["TOOLRACK_MASTER_KEY_FILE"];
  if (environment["TOOLRACK_MASTER_KEY"] !== undefined || named !== undefined) {
    if (named) readSecretFile(named, "master key");
    return keysFromEnvironment(environment);
  }
  const current = readSecretFile(keyFileOf(store), "master key");
  return current === undefined ? undefined : createKeys({ current, previous });
}

function keyFileOf({ files }: LocatedStore): string {
  return path.join(files.folder!, "master.key");
}

/** Outside the database, as the server does: so that somebody with write access to it cannot start a new audit log unnoticed. */
function noteAuditKey({ files }: LocatedStore, keyId: string | undefined): void {
  if (keyId !== undefined && files.auditKeyFile !== undefined) noteKey(files.auditKeyFile, keyId, silence);
}

const silence: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
