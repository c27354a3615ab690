import { closeSync, existsSync, fchmodSync, fstatSync, openSync, readFileSync, writeSync } from "node:fs";
import path from "node:path";
import { ToolError } from "@toolrack/core";
import { makePrivateFolder } from "../files/private-files.ts";

/** The content of such a file, as messages name it. */
export type SecretFileKind = "master key" | "owner token" | "TLS key";

/** What to do if another user may have read the file. */
const afterwards: Readonly<Record<SecretFileKind, string>> = {
  "master key":
    "replace the key: set TOOLRACK_MASTER_KEY to a new one (openssl rand -base64 32) and TOOLRACK_PREVIOUS_KEYS to this one, restart, and run: toolrack secrets rewrap",
  "TLS key": "replace the key: make a new one and a certificate for it",
  "owner token": "replace the token: delete the file, and the next start makes a new one",
};

/**
 * The text of a file that only its owner may read; undefined where there is no such file. `what` names it in messages: "master key".
 * Throws CONFIG_INVALID where the file is empty, or other users may read or write it.
 */
export function readSecretFile(file: string, what: SecretFileKind): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    if (process.platform !== "win32" && (fstatSync(descriptor).mode & 0o077) !== 0)
      throw new ToolError(
        "CONFIG_INVALID",
        `Other users may read or write the file of the ${what}, ${file}. Make it private with: chmod 600 ${file}. If somebody may have read or changed it already, ${afterwards[what]}.`,
      );
    const text = readFileSync(descriptor, "utf8").trim();
    if (text === "") throw new ToolError("CONFIG_INVALID", `The file of the ${what}, ${file}, is empty. Put its content back.`);
    return text;
  } finally {
    closeSync(descriptor);
  }
}

/** Creates the file with mode 0600. If two processes start at once, one creates it and both return its content. */
export function makeSecretFile(file: string, text: string, what: SecretFileKind): { readonly text: string; readonly isNew: boolean } {
  if (!existsSync(path.dirname(file))) makePrivateFolder(path.dirname(file));
  let descriptor: number;
  try {
    descriptor = openSync(file, "wx", 0o600);
  } catch (error) {
    const other = (error as NodeJS.ErrnoException).code === "EEXIST" ? readSecretFile(file, what) : undefined;
    if (other === undefined) throw error;
    return { text: other, isNew: false };
  }
  try {
    fchmodSync(descriptor, 0o600);
    writeSync(descriptor, `${text}\n`);
  } finally {
    closeSync(descriptor);
  }
  return { text, isNew: true };
}
