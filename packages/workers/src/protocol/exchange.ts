import { createPublicKey, diffieHellman, generateKeyPairSync } from "node:crypto";

/** One half of an X25519 agreement. Its private key exists only in this object, and is gone with it. */
export interface Exchange {
  readonly publicKey: string;
  /** The secret that both halves lead to; undefined where the other one is no public key. */
  agree(theirs: unknown): Buffer | undefined;
}

export function createExchange(): Exchange {
  const { publicKey, privateKey } = generateKeyPairSync("x25519");
  return {
    publicKey: publicKey.export({ format: "jwk" }).x!,
    agree(theirs) {
      if (typeof theirs !== "string") return undefined;
      try {
        const other = createPublicKey({ key: { kty: "OKP", crv: "X25519", x: theirs }, format: "jwk" });
        return diffieHellman({ privateKey, publicKey: other });
      } catch {
        return undefined;
      }
    },
  };
}
