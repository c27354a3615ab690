import { mkdirSync } from "node:fs";
import path from "node:path";
import { type Clock, ToolError } from "@toolrack/core";
import { type BreadcrumbStore, createMemoryStore, createPostgresStore, createSqliteStore } from "@toolrack/store";
import type { StoreConfig } from "../config/config.ts";

export interface OpenedStore {
  readonly store: BreadcrumbStore;
  /** Where things beside the database belong, such as the key file; absent where nothing outlives the process. */
  readonly folder?: string;
}

export interface OpenStoreOptions {
  readonly config: StoreConfig | undefined;
  /** Relative paths start here. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
}

/** DATABASE_URL goes before the file, since it is where deployments say it. */
export async function openStore({ config, folder, environment, clock }: OpenStoreOptions): Promise<OpenedStore> {
  const options = clock === undefined ? {} : { clock };
  const data = path.resolve(folder, ".toolrack");
  const url = environment["DATABASE_URL"] || config?.postgres;
  if (url !== undefined)
    return { store: await createPostgresStore({ connectionString: fromEnvironment(url, environment), ...options }), folder: data };
  if (config?.memory === true) return { store: createMemoryStore(options) };
  const file = path.resolve(folder, config?.sqlite ?? ".toolrack/toolrack.db");
  mkdirSync(path.dirname(file), { recursive: true });
  return { store: await createSqliteStore({ path: file, ...options }), folder: path.dirname(file) };
}

/** "env:DATABASE" → the value of that variable. */
function fromEnvironment(text: string, environment: OpenStoreOptions["environment"]): string {
  if (!text.startsWith("env:")) return text;
  const value = environment[text.slice("env:".length)];
  if (value) return value;
  throw new ToolError(
    "CONFIG_INVALID",
    `store.postgres is "${text}", and that variable is not set. Set it, or write the connection string.`,
  );
}
