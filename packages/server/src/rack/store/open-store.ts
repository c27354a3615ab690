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
  /** Where things beside the database belong, such as the key file; absent where nothing outlives the process. */
  readonly folder?: string;
  /** Where it is noted, outside of the database, which key the audit has. */
  readonly auditKeyFile?: string;
  /** Where ends of calls are kept while the database does not take them. */
  readonly endsFolder?: string;
}

/** Where a store lies, before it is opened. */
export interface StoreLocation {
  /** The database, where it is a file. */
  readonly file?: string;
  /** Where things beside the database belong; absent where nothing outlives the process. */
  readonly folder?: string;
  readonly auditKeyFile?: string;
  readonly endsFolder?: string;
  /** Each file that the server puts there, and the folder itself where it is the store's alone. */
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

/** DATABASE_URL goes before the file, since it is where deployments say it. */
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

/** Says once how changes of other servers arrive, where messages of PostgreSQL do not. Answers what stops the waiting for it. */
export function tellWakeUps(store: BreadcrumbStore, log: Logger): () => void {
  const timer = setTimeout(() => {
    const { wakeUps, listener } = storeStats(store);
    if (wakeUps !== "polling" || listener?.connected !== true) return;
    log.warn(
      "Messages of PostgreSQL do not arrive, as behind a connection pooler. Changes of other servers are looked for instead, which takes longer. " +
        "Set store.listenUrl to a direct connection.",
    );
  }, testedAfterMs);
  timer.unref();
  return () => clearTimeout(timer);
}

const testedAfterMs = 5_000;

/**
 * The folder of a database is the store's alone, unless the configuration lies in it too: `store.sqlite: toolrack.db` puts the
 * database among the files of a project.
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

/** As messages name it: a file, or the host and the database, without who signs in. */
export function nameStore(options: StoreLocationOptions): string {
  const url = urlOf(options);
  if (url === undefined) return locateStore(options).file ?? "the memory of the server";
  const text = fromEnvironment("store.postgres", url, options.environment);
  const { host, pathname } = URL.canParse(text) ? new URL(text) : { host: "", pathname: "" };
  return `PostgreSQL ${host}${pathname}`.trim();
}

/** The key that seals the secrets, and the token of the owner. */
function besideStore(folder: string): readonly string[] {
  return ["master.key", "owner.token"].map((name) => path.join(folder, name));
}

/** What SQLite keeps beside a database; it gives them the modes of the database. */
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

/** Whose records decide over the server itself: no role in the API reaches them. */
export const serverActor = { owner: "toolrack-server", agent: "server", roles: ["curator"] } as const;
