import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { type Logger, ToolError } from "@toolrack/core";
import { makeSecretFile, readSecretFile } from "./secret-file.ts";

/** Proves that somebody is the owner of the rack: whoever can read its file. It is accepted from this machine only. */
export interface OwnerToken {
  /** "tro_" and 256 random bits. */
  readonly text: string;
  /** Where the owner's programs read it; absent where it is known to this process alone. */
  readonly file?: string;
  /** Whether this is the token. In constant time. */
  matches(text: string): boolean;
}

export interface OwnerTokenOptions {
  /** Made at the first start, with mode 0600. Absent: a token for this process alone. */
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
      `The file ${file} does not hold an owner token. Remove it, and a new one is made at the next start.`,
    );
  return { ...toOwnerToken(text), file };
}

/** Where the disk cannot be written to, servers still start. */
const unwritable: ReadonlySet<string> = new Set(["EROFS", "EACCES", "EPERM"]);

function toOwnerToken(text: string): OwnerToken {
  const own = hashOf(text);
  return { text, matches: (other) => timingSafeEqual(hashOf(other), own) };
}

/** Hashes have one length, so comparing them tells nothing about the token. */
function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
