import { randomBytes } from "node:crypto";
import { closeSync, fchmodSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import path from "node:path";
import { type Logger, ToolError } from "@toolrack/core";
import { createKeys, type KeyProvider, keysFromEnvironment } from "@toolrack/store";

export interface MasterKeyOptions {
  /** @default process.env */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The file that holds the key where the environment says nothing; made at the first start. Absent: a key for this process alone. */
  readonly file?: string;
  /** Whether the store holds secrets already: a new key would open none of them. */
  readonly hasSecrets: boolean;
  readonly log: Logger;
}

/** The key that seals the secrets: from the environment, else from the key file. */
export function openMasterKey({ environment, file, hasSecrets, log }: MasterKeyOptions): KeyProvider {
  if (environment["TOOLRACK_MASTER_KEY"] !== undefined || environment["TOOLRACK_MASTER_KEY_FILE"] !== undefined)
    return keysFromEnvironment(environment);
  if (file === undefined) return createKeys({ current: randomBytes(32) });
  const known = readKeyFile(file);
  if (known === undefined && hasSecrets) {
    throw new ToolError(
      "CONFIG_INVALID",
      `The store holds secrets, and the key that opens them is not at hand: there is no ${file}. Put it back, or set TOOLRACK_MASTER_KEY to the key of the other servers. Where the key is lost, set TOOLRACK_MASTER_KEY to a new one, and set the secrets again.`,
    );
  }
  return createKeys({ current: known ?? makeKeyFile(file, log) });
}

function readKeyFile(file: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0)
    throw new ToolError("CONFIG_INVALID", `Others may read the key file ${file}. Close it with: chmod 600 ${file}`);
  if (text === "") throw new ToolError("CONFIG_INVALID", `The key file ${file} is empty. Put the key back.`);
  return text;
}

/** Of two that start at once, one makes the file and the other reads it. */
function makeKeyFile(file: string, log: Logger): string {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const key = randomBytes(32).toString("base64");
  try {
    const made = openSync(file, "wx", 0o600);
    try {
      fchmodSync(made, 0o600);
      writeSync(made, `${key}\n`);
    } finally {
      closeSync(made);
    }
  } catch (error) {
    const other = (error as NodeJS.ErrnoException).code === "EEXIST" ? readKeyFile(file) : undefined;
    if (other === undefined) throw error;
    return other;
  }
  log.info("A key for secrets was made. Keep a copy of it: without it no stored secret can be read.", { file });
  return key;
}
