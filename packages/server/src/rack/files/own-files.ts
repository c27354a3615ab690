import path from "node:path";
import type { RackConfig } from "../../config/config.ts";
import { findModule } from "../modules/find-module.ts";
import { configFileName } from "../settings/open-config.ts";
import type { StoreLocation } from "../store/open-store.ts";

export interface OwnFilesOptions {
  readonly config: RackConfig;
  /** The configuration file, if there is one. */
  readonly configFile: string | undefined;
  /** Relative paths start here. */
  readonly folder: string;
  readonly store: StoreLocation;
  /** The code of the server, as far as tools could reach it. */
  readonly code: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The files and folders of the server itself, as absolute paths: no tool may read or change them. A folder includes everything in it. Some
 * may not exist yet: a file that is created there would be used by the next start.
 */
export function listOwnFiles({ config, configFile, folder, store, code, environment }: OwnFilesOptions): readonly string[] {
  const keyFile = environment["TOOLRACK_MASTER_KEY_FILE"];
  const jwksFile = config.signIn?.jwt?.jwksFile;
  const { tls, socket } = config.server ?? {};
  const files = [
    ...code,
    path.join(folder, configFileName),
    ...(configFile === undefined ? [] : [configFile]),
    path.join(folder, ".toolrack"),
    ...store.ownFiles,
    ...(keyFile ? [path.resolve(keyFile)] : []),
    ...(jwksFile === undefined ? [] : [path.resolve(folder, jwksFile)]),
    ...(tls === undefined ? [] : [path.resolve(folder, tls.cert), path.resolve(folder, tls.key)]),
    ...(socket === undefined ? [] : [path.resolve(folder, socket)]),
    ...(config.tools?.modules ?? []).flatMap((specifier) => moduleFile(specifier, folder)),
  ];
  return [...new Set(files)];
}

/** Empty for a package that is not installed. */
function moduleFile(specifier: string, folder: string): readonly string[] {
  try {
    return [findModule(specifier, folder)];
  } catch {
    return [];
  }
}
