import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { ToolError } from "@toolrack/core";

/** Gives out texts that come back unchanged, or not at all. */
export interface Signer {
  seal(purpose: string, payload: string): string;
  /** Undefined: not from here, for another purpose, or changed on the way. */
  open(purpose: string, sealed: string): string | undefined;
}

/** Servers that answer for each other share a key; without one it is made up, and holds until the process ends. */
export function createSigner(key: string | Uint8Array | undefined): Signer {
  if (key !== undefined && Buffer.byteLength(key) < 32) {
    throw new ToolError("CONFIG_INVALID", "requestStateKey must have at least 32 bytes. Make one with: openssl rand -base64 32");
  }
  const secret = key ?? randomBytes(32);
  const mac = (purpose: string, body: string): Buffer => createHmac("sha256", secret).update(`${purpose}\n${body}`).digest();
  return {
    seal(purpose, payload) {
      const body = Buffer.from(payload, "utf8").toString("base64url");
      return `${body}.${mac(purpose, body).toString("base64url")}`;
    },
    open(purpose, sealed) {
      const dot = sealed.indexOf(".");
      if (dot === -1) return undefined;
      const body = sealed.slice(0, dot);
      const given = Buffer.from(sealed.slice(dot + 1), "base64url");
      const expected = mac(purpose, body);
      // Written out again, because several spellings of base64 read as the same bytes.
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      return expected.toString("base64url") === sealed.slice(dot + 1) ? Buffer.from(body, "base64url").toString("utf8") : undefined;
    },
  };
}
