import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { type Logger, ToolError } from "@toolrack/core";
import { makeSecretFile, readSecretFile } from "./secret-file.ts";

/** Proves that a caller is the owner of the server: it can read this file. Accepted from this machine only. */
export interface OwnerToken {
  /** "tro_" and 256 random bits. */
  readonly text: string;
  /** The file from which the owner's programs read it; absent if it exists in this process only. */
  readonly file?: string;
  /** Compares in constant time. */
  matches(text: string): boolean;
}

export interface OwnerTokenOptions {
  /** Created at the first start, with mode 0600. Absent: a token for this process only. */
  readonly file?: string;
  readonly log: Logger;
}

const form = /^tro_[A-Za-z0-9_-]{43}$/;
const what = "owner token";

export function openOwnerToken({ file, log }: OwnerTokenOptions): OwnerToken {
  const made = `tro_${randomBytes(32).toString("base64url")}`;
  if (file === undefined) return toOwnerToken(made);
  let text = readSecretFile(file, what);
  try {
    text ??= makeSecretFile(file, made, what).text;
  } catch (error) {
    if (!unwritable.has(String((error as NodeJS.ErrnoException).code))) throw error;
    log.warn("The owner token could not be written: the command line needs an API key to use this server.", { file, error: String(error) });
    return toOwnerToken(made);
  }
  if (!form.test(text))
    throw new ToolError(
      "CONFIG_INVALID",
      `The file ${file} does not hold an owner token. Remove it, and the next start creates a new one.`,
    );
  return { ...toOwnerToken(text), file };
}

/** A server starts even if the disk is read-only. */
const unwritable: ReadonlySet<string> = new Set(["EROFS", "EACCES", "EPERM"]);

function toOwnerToken(text: string): OwnerToken {
  const own = hashOf(text);
  return { text, matches: (other) => timingSafeEqual(hashOf(other), own) };
}

/** Hashes have the same length, so the comparison reveals nothing about the token. */
function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
