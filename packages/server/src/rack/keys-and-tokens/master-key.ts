import { randomBytes } from "node:crypto";
import { type Logger, ToolError } from "@toolrack/core";
import { createKeys, type KeyProvider, keysFromEnvironment } from "@toolrack/store";
import { makeSecretFile, readSecretFile } from "./secret-file.ts";

export interface MasterKeyOptions {
  /** @default process.env */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The key file, used if the environment has no key; created at the first start. Absent: a key for this process only. */
  readonly file?: string;
  /** What the store has encrypted already ("2 secrets and the audit key"): a new key could not open it. Undefined if there is nothing. */
  readonly sealed: string | undefined;
  readonly log: Logger;
}

/** The key that encrypts the secrets: from the environment, else from the key file. */
export function openMasterKey({ environment, file, sealed, log }: MasterKeyOptions): KeyProvider {
  const named = environment["TOOLRACK_MASTER_KEY_FILE"];
  if (environment["TOOLRACK_MASTER_KEY"] !== undefined || named !== undefined) {
    // An invalid key or a missing file is reported by the reader.
    if (named) readSecretFile(named, what);
    return keysFromEnvironment(environment);
  }
  if (file === undefined) return createKeys({ current: randomBytes(32) });
  const known = readSecretFile(file, what);
  if (known === undefined && sealed !== undefined) {
    throw new ToolError(
      "CONFIG_INVALID",
      `The master key of the store is missing: there is no ${file}, and nothing else opens ${sealed}. Put it back, or set TOOLRACK_MASTER_KEY to the key of the other servers. Only if the key is lost, set TOOLRACK_MASTER_KEY to a new one, run: toolrack secrets rewrap --forget-unreadable, and set the secrets again.`,
    );
  }
  return createKeys({ current: known ?? makeKeyFile(file, log) });
}

/** Where the key comes from, for messages: the variable, or the file. */
export function masterKeyOrigin({ environment, file }: Pick<MasterKeyOptions, "environment" | "file">): string {
  if (environment["TOOLRACK_MASTER_KEY"] !== undefined) return "TOOLRACK_MASTER_KEY";
  const named = environment["TOOLRACK_MASTER_KEY_FILE"];
  if (named !== undefined) return `the file ${named}, which TOOLRACK_MASTER_KEY_FILE names`;
  return file === undefined ? "this process" : `the file ${file}`;
}

const what = "master key";

function makeKeyFile(file: string, log: Logger): string {
  const { text, isNew } = makeSecretFile(file, randomBytes(32).toString("base64"), what);
  if (isNew) log.info("A master key was created. Keep a copy of it: without it no stored secret can be read.", { file });
  return text;
}
