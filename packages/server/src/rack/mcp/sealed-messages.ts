import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypted messages between the servers of a store. */
export interface MessageSealer {
  /** `location` is where the text will be stored: it can be opened only from there. */
  seal(location: string, text: string): string;
  /** Undefined: changed, from another location, or under another key. */
  open(location: string, sealed: string): string | undefined;
}

export function createMessageSealer(sharedKey: Uint8Array): MessageSealer {
  const key = Buffer.from(hkdfSync("sha256", sharedKey, "", "toolrack messages between servers", 32));
  return {
    seal(location, text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(location));
      return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64");
    },
    open(location, sealed) {
      const bytes = Buffer.from(sealed, "base64");
      if (bytes.length < nonceBytes + tagBytes) return undefined;
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
        decipher.setAAD(Buffer.from(location)).setAuthTag(bytes.subarray(-tagBytes));
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}

const nonceBytes = 12;
const tagBytes = 16;
