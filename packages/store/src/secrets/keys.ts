import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { StoreError } from "../errors.ts";
import { seal, unseal } from "./seal.ts";

/**
 * Wraps the data keys of secrets with a master key. An implementation may use a key management service.
 * Contract: `unwrap` resolves with undefined for a key that it does not have.
 */
export interface KeyProvider {
  /** Names the master key that `wrap` uses now. */
  readonly keyId: string;
  wrap(dataKey: Uint8Array, about: string): string | Promise<string>;
  unwrap(keyId: string, wrapped: string, about: string): Uint8Array | undefined | Promise<Uint8Array | undefined>;
}

export interface MasterKeys {
  /** 32 bytes, as bytes, base64 or hex. */
  readonly current: Uint8Array | string;
  /** Keys that still open what was wrapped before, until everything is rewrapped. */
  readonly previous?: readonly (Uint8Array | string)[];
}

/** Master keys in memory. */
export function createKeys({ current, previous = [] }: MasterKeys): KeyProvider {
  const keys = new Map([current, ...previous].map((key) => readKey(key)).map((key) => [idOf(key), key]));
  const currentKey = readKey(current);
  return {
    keyId: idOf(currentKey),
    wrap: (dataKey, about) => seal(currentKey, dataKey, about),
    unwrap(keyId, wrapped, about) {
      const key = keys.get(keyId);
      return key && unseal(key, wrapped, about);
    },
  };
}

/** The master key from an environment variable, or from the file that another one names. */
export function keysFromEnvironment(environment: Readonly<Record<string, string | undefined>> = process.env): KeyProvider {
  const { TOOLRACK_MASTER_KEY: text, TOOLRACK_MASTER_KEY_FILE: file, TOOLRACK_PREVIOUS_KEYS: previous } = environment;
  const current = text ?? (file === undefined ? undefined : readFileSync(file, "utf8"));
  if (current === undefined || current.trim() === "") {
    throw new StoreError(
      "KEY_INVALID",
      "There is no master key. Set TOOLRACK_MASTER_KEY to 32 random bytes in base64, or TOOLRACK_MASTER_KEY_FILE to a file with them.",
    );
  }
  return createKeys({ current: current.trim(), previous: (previous ?? "").split(",").filter((key) => key.trim() !== "") });
}

function readKey(key: Uint8Array | string): Uint8Array {
  const text = typeof key === "string" ? key.trim() : undefined;
  const bytes = text === undefined ? (key as Uint8Array) : Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? "hex" : "base64");
  if (bytes.length === 32) return bytes;
  throw new StoreError("KEY_INVALID", `A master key has 32 bytes, not ${bytes.length}. Make one with: openssl rand -base64 32`);
}

function idOf(key: Uint8Array): string {
  return createHash("sha256").update("toolrack master key").update(key).digest("hex").slice(0, 16);
}
