import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** AES-256-GCM. `about` is the associated data: not secret, and required to open. It binds a sealed text to its row. */
export function seal(key: Uint8Array, plain: Uint8Array, about: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** Undefined if the key or `about` differs, or a byte was changed. */
export function unseal(key: Uint8Array, text: string, about: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length < 28) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(about))
    .setAuthTag(bytes.subarray(12, 28));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
  } catch {
    return undefined;
  }
}
