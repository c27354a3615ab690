import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { type Logger, ToolError } from "@toolrack/core";
import type { Clock } from "@toolrack/core/node";
import {
  type BreadcrumbStore,
  createMemoryStore,
  createPostgresStore,
  createSqliteStore,
  type PostgresStoreOptions,
  storeStats,
} from "@toolrack/store";
import type { StoreConfig } from "../../config/config.ts";
import { makePrivateFile, makePrivateFolder, tightenFile } from "../files/private-files.ts";

export interface OpenedStore {
  readonly store: BreadcrumbStore;
  /** The folder for files next to the database, such as the key file; absent if nothing is stored on disk. */
  readonly folder?: string;
  /** The file outside the database that names the key of the audit log. */
  readonly auditKeyFile?: string;
  /** The folder for ends of calls while the database does not accept them. */
  readonly endsFolder?: string;
}

/** The location of a store, before it is opened. */
export interface StoreLocation {
  /** The database, if it is a file. */
  readonly file?: string;
  /** The folder for files next to the database; absent if nothing is stored on disk. */
  readonly folder?: string;
  readonly auditKeyFile?: string;
  readonly endsFolder?: string;
  /** Each file that the server creates there, and the folder itself if only the store uses it. */
  readonly ownFiles: readonly string[];
}

export interface StoreLocationOptions {
  readonly config: StoreConfig | undefined;
  /** Relative paths start here. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface OpenStoreOptions extends StoreLocationOptions {
  readonly clock?: Clock;
}

/** DATABASE_URL takes precedence over the file, since deployments set it. */
export async function openStore(options: OpenStoreOptions): Promise<OpenedStore> {
  const { clock } = options;
  const { file, folder, auditKeyFile, endsFolder, ownFiles } = locateStore(options);
  const shared = clock === undefined ? {} : { clock };
  if (folder === undefined) return { store: createMemoryStore(shared) };
  const beside = { folder, ...(auditKeyFile && { auditKeyFile }), ...(endsFolder && { endsFolder }) };
  if (file === undefined) {
    if (existsSync(folder)) makePrivateFolder(folder);
    return { store: await createPostgresStore({ ...postgresOptions(options), ...shared }), ...beside };
  }
  if (ownFiles.includes(folder) || !existsSync(folder)) makePrivateFolder(folder);
  makePrivateFile(file);
  for (const ending of besideDatabase) tightenFile(file + ending);
  const { lockTimeoutMs } = options.config ?? {};
  const store = await createSqliteStore({ path: file, ...(lockTimeoutMs && { busyTimeoutMs: lockTimeoutMs }), ...shared });
  return { store, ...beside };
}

function postgresOptions(options: OpenStoreOptions): PostgresStoreOptions {
  const { config = {}, environment } = options;
  const { sqlite: _, postgres: __, memory: ___, listenUrl, poolSize, ...limits } = config;
  return {
    connectionString: fromEnvironment("store.postgres", urlOf(options)!, environment),
    ...(listenUrl && { listenConnectionString: fromEnvironment("store.listenUrl", listenUrl, environment) }),
    ...(poolSize && { maxConnections: poolSize }),
    ...limits,
  };
}

/** Logs once how changes of other servers arrive if notifications of PostgreSQL do not. Returns a function that stops waiting for that. */
export function tellWakeUps(store: BreadcrumbStore, log: Logger): () => void {
  const timer = setTimeout(() => {
    const { wakeUps, listener } = storeStats(store);
    if (wakeUps !== "polling" || listener?.connected !== true) return;
    log.warn(
      "Notifications of PostgreSQL do not arrive, as behind a connection pooler. The server polls for changes of other servers instead, which takes longer. " +
        "Set store.listenUrl to a direct connection.",
    );
  }, testedAfterMs);
  timer.unref();
  return () => clearTimeout(timer);
}

const testedAfterMs = 5_000;

/**
 * Only the store uses the folder of a database, unless the configuration lies in it, too: `store.sqlite: toolrack.db` puts the database next
 * to the files of a project.
 */
export function locateStore(options: StoreLocationOptions): StoreLocation {
  const { config, folder } = options;
  const data = path.resolve(folder, ".toolrack");
  const url = urlOf(options);
  if (url !== undefined) {
    const name = createHash("sha256")
      .update(fromEnvironment("store.postgres", url, options.environment))
      .digest("hex")
      .slice(0, 16);
    const [auditKeyFile, endsFolder] = [path.join(data, `audit-key-${name}`), path.join(data, `call-ends-${name}`)];
    return { folder: data, auditKeyFile, endsFolder, ownFiles: [data, ...besideStore(data)] };
  }
  if (config?.memory === true) return { ownFiles: [] };
  const file = path.resolve(folder, config?.sqlite ?? ".toolrack/toolrack.db");
  const around = path.dirname(file);
  const isShared = `${path.resolve(folder)}${path.sep}`.startsWith(around.endsWith(path.sep) ? around : `${around}${path.sep}`);
  const auditKeyFile = `${file}-audit-key`;
  const endsFolder = `${file}-call-ends`;
  const files = [file, auditKeyFile, endsFolder, ...besideDatabase.map((ending) => file + ending), ...besideStore(around)];
  return { file, folder: around, auditKeyFile, endsFolder, ownFiles: isShared ? files : [around, ...files] };
}

/** The store in messages: a file, or the host and the database, without credentials. */
export function nameStore(options: StoreLocationOptions): string {
  const url = urlOf(options);
  if (url === undefined) return locateStore(options).file ?? "the memory of the server";
  const text = fromEnvironment("store.postgres", url, options.environment);
  const { host, pathname } = URL.canParse(text) ? new URL(text) : { host: "", pathname: "" };
  return `PostgreSQL ${host}${pathname}`.trim();
}

/** The files of the master key and the owner token. */
function besideStore(folder: string): readonly string[] {
  return ["master.key", "owner.token"].map((name) => path.join(folder, name));
}

/** Files that SQLite creates next to a database, with the mode of the database. */
const besideDatabase = ["-wal", "-shm", "-journal"];

function urlOf({ config, environment }: StoreLocationOptions): string | undefined {
  return environment["DATABASE_URL"] || config?.postgres;
}

/** "env:DATABASE" → the value of that variable. */
function fromEnvironment(key: string, text: string, environment: OpenStoreOptions["environment"]): string {
  if (!text.startsWith("env:")) return text;
  const value = environment[text.slice("env:".length)];
  if (value) return value;
  throw new ToolError("CONFIG_INVALID", `${key} is "${text}", and that variable is not set. Set it, or write the connection string.`);
}

/** The owner of the server's own records: no role in the API reaches them. */
export const serverActor = { owner: "toolrack-server", agent: "server", roles: ["curator"] } as const;
