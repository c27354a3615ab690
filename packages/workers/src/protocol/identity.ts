import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { ToolError } from "@toolrack/core";

/** Who a worker or a server is: a pair of Ed25519 keys. The private one never leaves its machine. */
export interface Identity {
  /** To be shown to the other side: "ed25519:…" */
  readonly publicKey: string;
  /** PKCS #8, as PEM. */
  readonly privateKey: string;
}

export function createIdentity(): Identity {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  return { publicKey: textOf(publicKey), privateKey: privateKey.export({ type: "pkcs8", format: "pem" }) as string };
}

/** The identity that a private key belongs to. */
export function readIdentity(privateKey: string): Identity {
  return { publicKey: readKeys(privateKey).publicKey, privateKey };
}

export interface Keys {
  readonly publicKey: string;
  readonly signing: KeyObject;
  /** A short name of the public key. */
  readonly print: string;
}

/** Reads a private key; the public one follows from it. */
export function readKeys(privateKey: string): Keys {
  let signing: KeyObject;
  try {
    signing = createPrivateKey(privateKey);
  } catch {
    throw new ToolError(
      "CONFIG_INVALID",
      "The private key of a worker or server cannot be read. Create one with createIdentity(), and give its privateKey.",
    );
  }
  const publicKey = textOf(createPublicKey(signing));
  return { publicKey, signing, print: printOf(publicKey) };
}

/** "ed25519:…" → the key that verifies. */
export function readPublicKey(text: string): KeyObject {
  const fault = new ToolError(
    "CONFIG_INVALID",
    `"${text.slice(0, 80)}" is no public key of a worker or server: it begins with "ed25519:".`,
  );
  if (!text.startsWith(prefix)) throw fault;
  try {
    return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: text.slice(prefix.length) }, format: "jwk" });
  } catch {
    throw fault;
  }
}

export function printOf(publicKey: string): string {
  return createHash("sha256").update(publicKey).digest("hex").slice(0, 24);
}

const prefix = "ed25519:";

function textOf(key: KeyObject): string {
  return `${prefix}${key.export({ format: "jwk" }).x!}`;
}
