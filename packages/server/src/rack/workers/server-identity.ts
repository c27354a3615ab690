import { createPrivateKey, createPublicKey, hkdfSync } from "node:crypto";

/** What servers of one store are towards workers. */
export interface ServerIdentity {
  readonly publicKey: string;
  /** As PEM. */
  readonly privateKey: string;
}

/** An Ed25519 key in PKCS #8 is these bytes, and 32 more. */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** The key by which workers know the servers of a store: it follows from the key that they share, so that it is the same on all of them. */
export function serverIdentity(sharedKey: Uint8Array): ServerIdentity {
  const seed = Buffer.from(hkdfSync("sha256", sharedKey, "", "toolrack server of workers", 32));
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: "der", type: "pkcs8" });
  return {
    publicKey: `ed25519:${createPublicKey(key).export({ format: "jwk" }).x!}`,
    privateKey: key.export({ type: "pkcs8", format: "pem" }) as string,
  };
}
